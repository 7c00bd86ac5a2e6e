public import SignInModel

/// A notice about the account that signed-in devices show until one of them has dismissed it.
public struct AccountNotice: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case newDevice = "new_device"
  }

  /// How long a notice is stored if it is not dismissed, in seconds: 30 days.
  public static let retentionSeconds: Int64 = 30 * 24 * 60 * 60
  /// The notices of one account, at most.
  ///
  /// A further notice replaces the oldest.
  public static let limit = 10

  public let id: String
  public let account: AccountID
  public let kind: Kind
  public let at: Instant

  public init(id: String, account: AccountID, kind: Kind, at: Instant) {
    self.id = id
    self.account = account
    self.kind = kind
    self.at = at
  }

  /// Whether the session's device shows the notice.
  ///
  /// Devices that signed in later do not show it, because the notice may be about them.
  func concerns(_ session: Session, at now: Instant) -> Bool {
    session.startedAt < at && now < at.adding(seconds: Self.retentionSeconds)
  }
}
