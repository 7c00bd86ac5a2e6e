public import SignInModel

/// One password reset in progress, stored under the digest of its `reset_session`.
public struct PasswordReset: Equatable, Sendable {
  /// The SHA-256 digest of the `reset_session`.
  ///
  /// The handle itself is not stored.
  public let digest: [UInt8]
  /// It can be an unknown account.
  ///
  /// Such a reset looks like any other, and no code is right for it.
  public let account: AccountID
  public let client: ClientID
  /// The RFC 7638 thumbprint of the key that must prove the answer, if a key was proved at the
  /// start.
  public let proofKeyThumbprint: String?
  public let expiresAt: Instant

  /// The value that a code must be bound to so that it is valid for this reset: the proved key, or
  /// without one the reset session itself.
  var codeKey: String { proofKeyThumbprint ?? "reset session " + Base64URL.encode(digest) }

  public init(
    digest: [UInt8], account: AccountID, client: ClientID, proofKeyThumbprint: String?,
    expiresAt: Instant
  ) {
    self.digest = digest
    self.account = account
    self.client = client
    self.proofKeyThumbprint = proofKeyThumbprint
    self.expiresAt = expiresAt
  }
}
