/// The list of passwords that were found in data breaches.
public protocol BreachedPasswords: Sendable {
  /// Whether the password with this SHA-1 digest is in the list.
  ///
  /// If the list cannot be read, the result is false, so that people can still choose a password.
  func contains(_ digest: [UInt8]) async -> Bool
}
