public import SignInModel

/// A device that has completed a sign-in to an account, or has proved the number of an account that
/// waits for an approval.
///
/// It has its own failure bucket, so that wrong answers from other devices cannot lock the account
/// on this device.
public struct KnownDevice: Equatable, Sendable {
  /// The known devices of one account, at most.
  ///
  /// The limit also bounds the tries that all of them have together.
  ///
  /// A further device replaces the one that was seen longest ago.
  public static let limit = 10
  /// How long a device stays known after its last sign-in, in seconds: 180 days.
  public static let retentionSeconds: Int64 = 180 * 24 * 60 * 60

  public let account: AccountID
  /// The RFC 7638 thumbprint of its proof key.
  public let proofKeyThumbprint: String
  /// The time when it last completed a sign-in, or proved the number.
  public let lastSeenAt: Instant
  /// Whether a sign-in on it proved the password.
  ///
  /// A device that proved a code only may not replace the password at once.
  public var hasProvedPassword: Bool

  public init(
    account: AccountID, proofKeyThumbprint: String, lastSeenAt: Instant, hasProvedPassword: Bool
  ) {
    self.account = account
    self.proofKeyThumbprint = proofKeyThumbprint
    self.lastSeenAt = lastSeenAt
    self.hasProvedPassword = hasProvedPassword
  }

  /// The device of a session that has just begun.
  init(of session: Session, at now: Instant) {
    self.init(
      account: session.account, proofKeyThumbprint: session.proofKeyThumbprint, lastSeenAt: now,
      hasProvedPassword: session.hasProvedPassword
    )
  }
}
