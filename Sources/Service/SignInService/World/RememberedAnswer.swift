public import SignInModel

/// The answer to a request that must not be carried out twice, under the key that the sender chose
/// (`Idempotency-Key`).
public struct RememberedAnswer: Equatable, Sendable {
  public let owner: AccountID
  public let key: String
  /// A keyed digest of the operation and its body, because the body may contain a password.
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
