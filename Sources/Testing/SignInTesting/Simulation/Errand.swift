internal import SignInModel
internal import SignInRules

/// One life of the server, from a start to a crash.
///
/// `@unchecked Sendable`: touched by the world's one thread alone.
final class ServerLife: @unchecked Sendable {
  let number: Int
  var isOver = false

  init(number: Int) { self.number = number }
}

/// What one task of the server is about, as the laws need to know it.
///
/// `@unchecked Sendable`: touched by the world's one thread alone.
final class Errand: @unchecked Sendable {
  enum Kind {
    case passwordSignIn(username: String)
    case phoneSignIn
    case verify(attempt: [UInt8], code: String)
    case resend
    case redeem(code: [UInt8])
    case refresh(token: String)
    case revoke(token: String)
    case read
    case delivery
    case tidying
    case administration
  }

  @TaskLocal static var current: Errand?

  let kind: Kind
  let life: ServerLife
  /// Whether the sender keeps every rule an app must keep.
  let isFromApp: Bool
  /// Thumbprint of the key the sender proved; empty for what nobody asked for.
  let device: String
  /// The clock as this task last read it.
  var readClock: Instant
  /// The counter of a wrong answer that was compared, until it is settled.
  var comparedWrong: String?
  /// Whose password was compared and right.
  var provedPassword: AccountID?
  var messageCount = 0
  /// The counter that this task reserved a try of.
  var counterKey: String?
  /// How many locks that counter had seen by then.
  var lock: Int?
  var reservedAt: Instant?
  var wasWrongCounted = false
  /// The last transaction this task made.
  var serial = 0

  init(
    _ kind: Kind, in life: ServerLife, isFromApp: Bool, device: String = "", at now: Instant
  ) {
    self.kind = kind
    self.life = life
    self.isFromApp = isFromApp
    self.device = device
    readClock = now
  }

  var hasStalled: Bool {
    guard let reservedAt else { return false }
    return readClock >= reservedAt.adding(seconds: Lockout.Policy().reservationSeconds)
  }
}
