public import SignInModel

/// What signed-in devices are told about their account until it was read there.
public struct AccountNotice: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case newDevice = "new_device"
  }

  /// A notice that was not read is kept this long.
  public static let keptSeconds: Int64 = 30 * 24 * 60 * 60
  /// More notices of one account are not kept: the oldest gives way.
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

  /// Devices that signed in later are not told: the notice may be about them.
  func concerns(_ session: Session, at now: Instant) -> Bool {
    session.startedAt < at && now < at.adding(seconds: Self.keptSeconds)
  }
}
