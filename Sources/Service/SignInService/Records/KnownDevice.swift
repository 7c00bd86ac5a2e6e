public import SignInModel

/// A device that signed in to an account once: it has a failure bucket of its own there, so that
/// strangers cannot lock its person out of it.
public struct KnownDevice: Equatable, Sendable {
  /// So many devices of one account are known at once, which bounds the tries they have together.
  ///
  /// One more takes the place of the one that was away longest.
  public static let limit = 10
  /// A device that did not sign in for this long is not known any more.
  public static let keptSeconds: Int64 = 180 * 24 * 60 * 60

  public let account: AccountID
  /// RFC 7638 thumbprint of its proof key.
  public let proofKeyThumbprint: String
  /// When it last completed a sign-in.
  public let lastSeenAt: Instant
  /// Whether a sign-in on it proved the password: a text message alone makes no device one that may
  /// replace the password at once.
  public var hasProvedPassword: Bool

  public init(
    account: AccountID, proofKeyThumbprint: String, lastSeenAt: Instant, hasProvedPassword: Bool
  ) {
    self.account = account
    self.proofKeyThumbprint = proofKeyThumbprint
    self.lastSeenAt = lastSeenAt
    self.hasProvedPassword = hasProvedPassword
  }

  /// The device that a session just began on.
  init(of session: Session, at now: Instant) {
    self.init(
      account: session.account, proofKeyThumbprint: session.proofKeyThumbprint, lastSeenAt: now,
      hasProvedPassword: session.hasProvedPassword
    )
  }
}
