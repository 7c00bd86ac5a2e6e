import SignInClient
import SignInModel
import SignInWire

// The time-outs and the lockout.
extension TestServer {
  static let failureLimit: Int64 = 5
  static let lockoutSeconds: Int64 = 15 * 60

  var now: Instant { SystemClock().now().adding(seconds: aheadSeconds) }

  var steadyMilliseconds: Int64 {
    SystemClock().steadyMilliseconds().plusClamping(aheadSeconds.timesClamping(1000))
  }

  var clocks: (now: Instant, steadyMilliseconds: Int64) { (now, steadyMilliseconds) }

  func endExpiredSessions() {
    for (index, session) in sessions.enumerated() where !session.isOver {
      let idleEnd = session.lastUsedAt.adding(seconds: idleTimeoutSeconds)
      if min(idleEnd, session.expiresAt) <= now { end(index, for: .expired) }
    }
  }

  func attemptsLeft(of person: Int) -> Int64 { Self.failureLimit - people[person].failures }

  /// Counts a wrong password or code.
  ///
  /// - Returns: The lockout if it was the last attempt.
  func countFailure(of person: Int) -> Refusal? {
    people[person].failures += 1
    guard people[person].failures >= Self.failureLimit else { return nil }
    people[person].failures = 0
    people[person].lockedUntil = now.adding(seconds: Self.lockoutSeconds)
    return lockout(of: person)
  }

  /// The refusal while the account is locked.
  func lockout(of person: Int) -> Refusal? {
    guard let until = people[person].lockedUntil, now < until else { return nil }
    return .locked(until: until, at: now)
  }
}
