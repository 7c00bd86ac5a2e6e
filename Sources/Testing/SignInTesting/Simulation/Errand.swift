internal import SignInModel
internal import SignInRules
internal import SignInService

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
    case phoneSignIn(PhoneNumber)
    case verify(attempt: [UInt8], code: String)
    case resend
    case redeem(code: [UInt8])
    case refresh(token: String)
    case revoke(token: String)
    case forgot(username: String)
    case reset(reset: [UInt8], code: String)
    case registration
    case read
    case delivery
    case tidying
    case administration(AccountID, Deed)
  }

  /// What an administrator does to an account.
  enum Deed: Equatable {
    case status(Account.Transition)
    case unlock
    /// Sets another password, or none.
    case reset
    case endSessions
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
  /// Whose password was compared and right, and the hash it was compared with.
  var provedPassword: AccountID?
  var provedHash: String?
  var messageCount = 0
  /// The counter that this task reserved a try of.
  var counterKey: String?
  /// How many locks that counter had seen by then.
  var lock: Int?
  var reservedAt: Instant?
  var wasWrongCounted = false
  /// The last transaction this task made, and when it was durable.
  var serial = 0
  var committedAt: Instant

  init(
    _ kind: Kind, in life: ServerLife, isFromApp: Bool, device: String = "", at now: Instant
  ) {
    self.kind = kind
    self.life = life
    self.isFromApp = isFromApp
    self.device = device
    readClock = now
    committedAt = now
  }

  /// Whether a code is compared, and counted in the same transaction.
  var isCodeAnswer: Bool {
    switch kind {
    case .verify, .reset: true
    case .passwordSignIn, .phoneSignIn, .resend, .redeem, .refresh, .revoke, .forgot,
      .registration, .read, .delivery, .tidying, .administration:
      false
    }
  }

  var hasStalled: Bool {
    guard let reservedAt else { return false }
    // Another task may have looked later at the clock than this one, and gone first.
    return committedAt >= reservedAt.adding(seconds: Lockout.Policy().reservationSeconds)
  }
}

extension Errand.Kind {
  func isAdministration(of account: AccountID, by deed: Errand.Deed) -> Bool {
    if case .administration(account, deed) = self { true } else { false }
  }
}
