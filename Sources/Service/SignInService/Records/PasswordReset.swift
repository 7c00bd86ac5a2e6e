public import SignInModel

/// One password reset under way, found by the digest of its `reset_session`.
public struct PasswordReset: Equatable, Sendable {
  /// SHA-256 of the `reset_session`; the handle itself is not stored.
  public let digest: [UInt8]
  /// Perhaps nobody's: then it looks like any other, and no answer fits.
  public let account: AccountID
  public let client: ClientID
  /// RFC 7638 thumbprint of the key that must answer, if one was proved at the start.
  public let proofKeyThumbprint: String?
  public let expiresAt: Instant

  /// What a code must be bound to so that it fits this reset: the key that was proved, or, where
  /// none was, the reset session itself.
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
