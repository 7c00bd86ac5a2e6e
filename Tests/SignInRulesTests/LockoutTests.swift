import SignInModel
import SignInRules
import Testing

@Suite("Lockout")
struct LockoutTests {
  private let policy = Lockout.Policy()
  private let start = Instant(seconds: 1_700_000_000)

  private func answeringWrong(
    _ times: Int, _ lockout: inout Lockout, at now: Instant
  ) -> Lockout.Verdict {
    var last = Lockout.Verdict.compare
    for _ in 0..<times {
      #expect(lockout.reserve(at: now, under: policy) == .compare)
      last = lockout.settleWrong(at: now, under: policy)
    }
    return last
  }

  @Test("T-05 the fifth wrong answer locks for fifteen minutes and already says so")
  func fifthLocks() {
    var lockout = Lockout.open

    #expect(answeringWrong(4, &lockout, at: start) == .compare)
    #expect(lockout.attemptsLeft(under: policy) == 1)
    #expect(answeringWrong(1, &lockout, at: start) == .locked(until: start.adding(seconds: 900)))
    #expect(lockout.reserve(at: start, under: policy) == .locked(until: start.adding(seconds: 900)))
  }

  @Test("L-51 without a stop every lockout ends with time, and no failures in a row are counted")
  func unstopped() {
    var lasting = policy
    lasting.stopLimit = nil
    var (counter, now) = (FailureCounter(shared: .open, own: nil), start)
    for _ in 0..<200 {
      #expect(counter.reserve(at: now, under: lasting) == .compare)
      guard case .locked(let until) = counter.settleWrong(at: now, under: lasting) else { continue }
      #expect(until <= now.adding(seconds: lasting.longestLockSeconds))
      now = until
    }
    #expect(counter.shared.locks == 40)
    #expect(counter.shared.failuresInRow == 0 && counter.shared.failuresOfAccount == 0)
    // An answer that is never settled counts as wrong, and not towards a stop.
    _ = counter.reserve(at: now, under: lasting)
    #expect(counter.verdict(at: now.adding(seconds: 30), under: lasting) == .compare)
  }

  @Test(
    "A lockout ends to the millisecond",
    arguments: [(-1, false), (0, true), (1, true)] as [(Int64, Bool)]
  )
  func lockoutEnds(_ offset: Int64, _ isOpen: Bool) {
    var lockout = Lockout.open
    _ = answeringWrong(5, &lockout, at: start)
    let moment = start.adding(seconds: 900).adding(milliseconds: offset)

    #expect((lockout.verdict(at: moment, under: policy) == .compare) == isOpen)
  }

  @Test("Repeated locks double, up to a day")
  func doubling() {
    var lockout = Lockout.open
    var now = start
    for minutes: Int64 in [15, 30, 60, 120, 240, 480, 960, 1440, 1440] {
      let until = now.adding(seconds: minutes * 60)
      #expect(answeringWrong(5, &lockout, at: now) == .locked(until: until))
      now = until
    }
  }

  @Test("One hundred failures in a row need an administrator or a reset")
  func stopped() {
    var lockout = Lockout.open
    var now = start
    for _ in 0..<19 {
      _ = answeringWrong(5, &lockout, at: now)
      now = now.adding(seconds: policy.longestLockSeconds)
    }
    #expect(answeringWrong(4, &lockout, at: now) == .compare)
    #expect(answeringWrong(1, &lockout, at: now) == .stopped)
    #expect(lockout.verdict(at: now.adding(seconds: 1 << 40), under: policy) == .stopped)

    lockout.reset()
    #expect(lockout == .open)
  }

  @Test("Unknown devices that never wait need thirteen days and eight hours to stop an account")
  func quickestStop() {
    var lockout = Lockout.open
    var now = start
    var failures = 0
    while lockout.verdict(at: now, under: policy) != .stopped {
      if case .locked(let until) = lockout.verdict(at: now, under: policy) { now = until }
      _ = answeringWrong(1, &lockout, at: now)
      failures += 1
    }

    #expect(failures == 100)
    // The lockouts take 15, 30, 60, 120, 240, 480 and 960 minutes, then twelve of one day each.
    #expect(start.wholeSeconds(until: now) == (1905 + 12 * 1440) * 60)
  }

  @Test("Wrong reset codes do not bring the stop of sign-ins nearer, in any order")
  func mixedStop() {
    var locks = ResetLockout(account: .open, resets: .open)
    var now = start
    var passwords = 0
    while locks.account.verdict(at: now, under: policy) != .stopped {
      if locks.verdict(at: now, under: policy) == .compare {
        _ = locks.countWrong(at: now, under: policy)
      }
      var account = locks.account
      if account.reserve(at: now, under: policy) == .compare {
        _ = account.settleWrong(at: now, under: policy)
        passwords += 1
      } else {
        now = now.adding(seconds: 60)
      }
      locks = ResetLockout(account: account, resets: locks.resets)
    }

    #expect(passwords == 100)
    #expect(start.wholeSeconds(until: now) >= (1905 + 12 * 1440) * 60)
  }

  @Test("L-01 no more answers are compared at once than there are tries left")
  func reservations() {
    var lockout = Lockout.open
    for _ in 0..<5 { #expect(lockout.reserve(at: start, under: policy) == .compare) }

    #expect(lockout.reserve(at: start, under: policy) == .wait)
    lockout.settleRight()
    #expect(lockout.reserve(at: start, under: policy) == .compare)
  }

  @Test("L-03 a right password clears no failure; a complete sign-in clears all")
  func rightPassword() {
    var lockout = Lockout.open
    _ = answeringWrong(3, &lockout, at: start)
    _ = lockout.reserve(at: start, under: policy)
    lockout.settleRight()

    #expect(lockout.failures == 3)
    #expect(lockout.attemptsLeft(under: policy) == 2)
    lockout.reset()
    #expect(lockout.attemptsLeft(under: policy) == 5)
  }

  @Test(
    "A reservation that remains after a crash counts as a failure",
    arguments: [(29_999, 0), (30_000, 2), (30_001, 2)] as [(Int64, Int64)]
  )
  func forgotten(_ after: Int64, _ failures: Int64) {
    var lockout = Lockout.open
    _ = lockout.reserve(at: start, under: policy)
    _ = lockout.reserve(at: start, under: policy)

    var later = lockout
    _ = later.reserve(at: start.adding(milliseconds: after), under: policy)
    #expect(later.failures == failures)
  }

  @Test(
    "A limit set below the current count leaves one try, which then locks",
    arguments: [(2, 1), (3, 1), (4, 1), (5, 2)] as [(Int64, Int64)]
  )
  func lowered(_ limit: Int64, _ tries: Int64) {
    var lockout = Lockout.open
    _ = answeringWrong(3, &lockout, at: start)
    var stricter = policy
    stricter.failureLimit = limit

    #expect(lockout.attemptsLeft(under: stricter) == tries)
    for left in (0..<tries).reversed() {
      #expect(lockout.reserve(at: start, under: stricter) == .compare)
      let verdict = lockout.settleWrong(at: start, under: stricter)
      #expect(verdict == (left > 0 ? .compare : .locked(until: start.adding(seconds: 900))))
    }
  }

  @Test("Settling an answer without a reservation does not count below zero")
  func unreserved() {
    var lockout = Lockout.open
    lockout.settleRight()

    #expect(lockout == .open)
  }
}
