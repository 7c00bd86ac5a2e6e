public import SignInModel

/// What a request that must not be done twice was answered, under the key its sender chose
/// (`Idempotency-Key`).
public struct RememberedAnswer: Equatable, Sendable {
  public let owner: AccountID
  public let key: String
  /// Keyed digest of the operation and its body: the body may hold a password.
  public let fingerprint: [UInt8]
  public let body: [UInt8]
  public let expiresAt: Instant

  public init(
    owner: AccountID, key: String, fingerprint: [UInt8], body: [UInt8], expiresAt: Instant
  ) {
    self.owner = owner
    self.key = key
    self.fingerprint = fingerprint
    self.body = body
    self.expiresAt = expiresAt
  }
}
