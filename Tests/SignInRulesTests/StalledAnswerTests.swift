import SignInModel
import SignInRules
import Testing

/// Findings of the simulated world about answers that stall, crash or finish in another order.
@Suite("Answers that stall")
struct StalledAnswerTests {
  let start = Instant(seconds: 1_800_000_000)
  let policy = Lockout.Policy()

  @Test("L-02 a lockout after a crash ends, also if it is read many times")
  func lockAfterCrash() {
    var lockout = Lockout.open
    for _ in 0..<5 { _ = lockout.reserve(at: start, under: policy) }
    let until = start.adding(seconds: Lockout.reservationSeconds + policy.lockSeconds)

    for seconds in [30, 31, 500, 929] as [Int64] {
      let verdict = lockout.verdict(at: start.adding(seconds: seconds), under: policy)
      #expect(verdict == .locked(until: until))
    }

    #expect(lockout.verdict(at: until, under: policy) == .compare)
  }

  @Test("L-01 a complete sign-in does not reset the number of guesses in progress")
  func resetKeepsReservations() {
    var lockout = Lockout.open
    for _ in 0..<4 { _ = lockout.reserve(at: start, under: policy) }

    lockout.reset()

    #expect(lockout.reserve(at: start, under: policy) == .compare)
    #expect(lockout.reserve(at: start, under: policy) == .wait)
  }

  @Test("L-01 a late answer with an earlier time does not change the age of the others")
  func earlyTime() {
    var lockout = Lockout.open
    _ = lockout.reserve(at: start.adding(seconds: 31), under: policy)

    _ = lockout.reserve(at: start, under: policy)

    #expect(lockout.reservedAt == start.adding(seconds: 31))
  }
}
