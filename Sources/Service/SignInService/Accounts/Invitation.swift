public import SignInModel

/// Allows a person to choose the password of an account that has none, once.
public struct Invitation: Equatable, Sendable {
  public static let lifeSeconds: Int64 = 7 * 24 * 60 * 60

  public let account: AccountID
  /// The SHA-256 digest of the invitation.
  ///
  /// The invitation itself is not stored.
  public let digest: [UInt8]
  public let createdAt: Instant
  public let expiresAt: Instant
  /// Where it was sent; nil if an administrator saw it, so that its use proves nothing.
  public let sentTo: Recipient?

  public init(
    account: AccountID, digest: [UInt8], createdAt: Instant, expiresAt: Instant,
    sentTo: Recipient? = nil
  ) {
    self.account = account
    self.digest = digest
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.sentTo = sentTo
  }
}
