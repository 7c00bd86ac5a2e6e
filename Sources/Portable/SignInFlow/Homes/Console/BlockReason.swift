public import SignInModel
import SignInWire

/// Why a person cannot sign in, or why that is uncertain; the first reason that applies.
public enum BlockReason: Equatable, Sendable {
  case pending
  case rejected
  case deactivated
  /// Too many failed attempts in a row: only an administrator or a reset ends it.
  case stopped
  case locked(until: Instant)
  /// The new password takes effect at this moment, or when it is approved.
  case passwordWaits(until: Instant)
  case passwordMissing
  /// The newest code was not delivered, and the person has not signed in since.
  case codeFailed

  /// `nil` if nothing prevents a sign-in.
  init?(of account: AccountEntry, _ history: AccountHistory, at now: Instant) {
    switch AccountStatus(rawValue: account.status) {
    case .pending:
      self = .pending
      return
    case .rejected:
      self = .rejected
      return
    case .deactivated:
      self = .deactivated
      return
    case .active, nil: break
    }
    if Self.isStopped(history) {
      self = .stopped
    } else if let until = account.lockedUntil, now < until {
      self = .locked(until: until)
    } else if let until = account.passwordAvailableAt {
      self = .passwordWaits(until: until)
    } else if AccountAction.mayBeInvited(account) {
      self = .passwordMissing
    } else if Self.hasFailedCode(history) {
      self = .codeFailed
    } else {
      return nil
    }
  }

  /// The action that removes the reason.
  public var remedy: AccountAction? {
    switch self {
    case .pending, .rejected: .approve
    case .deactivated: .reactivate
    case .stopped, .locked: .unlock
    case .passwordWaits: .approvePassword
    case .passwordMissing: .sendInvitation
    case .codeFailed: nil
    }
  }

  /// The events that end a stop.
  private static let stopEnds = [
    "account.unlocked", "account.reset", "password.reset", "sign_in.completed",
  ]

  private static func isStopped(_ history: AccountHistory) -> Bool {
    for event in history.events.entries ?? [] {
      if event.code.hasSameBytes(as: "sign_in.stopped") { return true }
      for end in stopEnds where event.code.hasSameBytes(as: end) { return false }
    }
    return false
  }

  private static func hasFailedCode(_ history: AccountHistory) -> Bool {
    guard let newest = history.messages.entries?.first(where: { $0.isCode }), newest.isFailed else {
      return false
    }
    return history.lastSignIn.map { $0 < newest.createdAt } ?? true
  }
}

extension AccountHistory {
  /// The newest completed sign-in among the read events.
  public var lastSignIn: Instant? {
    events.entries?.first { $0.code.hasSameBytes(as: "sign_in.completed") }?.at
  }
}
