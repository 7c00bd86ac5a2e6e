public import SignInModel

/// One sign-in under way, found by the digest of its `auth_session`, later by that of its code.
public struct SignInAttempt: Equatable, Sendable {
  public enum Progress: Equatable, Sendable {
    /// The code sent by text message is still to be proved.
    case awaitingCode
    /// Everything is proved; the authorization code with this SHA-256 digest may be redeemed.
    case proved(codeDigest: [UInt8], expiresAt: Instant)
    /// The authorization code became this session.
    case redeemed(codeDigest: [UInt8], session: SessionID)
  }

  /// SHA-256 of the `auth_session`; the handle itself is not stored.
  public let digest: [UInt8]
  public let account: AccountID
  public let client: ClientID
  /// RFC 7638 thumbprint of the device's proof key.
  public let proofKeyThumbprint: String
  /// RFC 7636 S256 challenge, as text.
  public let pkceChallenge: String
  public let scope: String
  public let nonce: String?
  public let organization: OrganizationID?
  public let startedAt: Instant
  public let expiresAt: Instant
  public var progress: Progress

  public init(
    digest: [UInt8], account: AccountID, client: ClientID, proofKeyThumbprint: String,
    pkceChallenge: String, scope: String, nonce: String?, organization: OrganizationID?,
    startedAt: Instant, expiresAt: Instant, progress: Progress
  ) {
    self.digest = digest
    self.account = account
    self.client = client
    self.proofKeyThumbprint = proofKeyThumbprint
    self.pkceChallenge = pkceChallenge
    self.scope = scope
    self.nonce = nonce
    self.organization = organization
    self.startedAt = startedAt
    self.expiresAt = expiresAt
    self.progress = progress
  }
}
