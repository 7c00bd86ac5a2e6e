import SignInModel
import SignInRules
import Testing

@Suite("A circuit breaker")
struct CircuitBreakerTests {
  private static let start = Instant(seconds: 1_800_000_000)

  private func at(_ seconds: Int64) -> Instant { Self.start.adding(seconds: seconds) }

  private func breaker(failures: Int) -> CircuitBreaker {
    var breaker = CircuitBreaker()
    for _ in 0..<failures { breaker.handle(.failed, at: Self.start) }
    return breaker
  }

  @Test(
    "R-12 the breaker opens at the third failure in a row, not before", arguments: [0, 1, 2, 3, 4])
  func opens(failures: Int) {
    let breaker = breaker(failures: failures)

    let isOpen = failures >= CircuitBreaker.failureLimit
    #expect(breaker.isOpen(at: Self.start) == isOpen)
    #expect(breaker.wait(at: Self.start) == (isOpen ? at(5) : nil))
  }

  @Test("R-12 a success between failures resets the count")
  func successBetween() {
    var breaker = breaker(failures: 2)

    breaker.handle(.succeeded, at: Self.start)
    breaker.handle(.failed, at: Self.start)
    breaker.handle(.failed, at: Self.start)

    #expect(!breaker.isOpen(at: Self.start))
  }

  @Test(
    "R-12 the breaker pauses for five seconds, to the millisecond, then admits one trial message"
  )
  func rests() {
    var breaker = breaker(failures: 3)
    let last = at(5).adding(milliseconds: -1)

    #expect(breaker.wait(at: last) == at(5))
    #expect(breaker.wait(at: at(5)) == nil)

    breaker.handle(.asked, at: at(5))
    #expect(breaker.wait(at: at(5)) == at(5 + CircuitBreaker.trySeconds))
    #expect(breaker.isOpen(at: at(6)))
    breaker.handle(.succeeded, at: at(6))
    #expect(breaker.wait(at: at(6)) == nil)
    #expect(!breaker.isOpen(at: at(6)))
  }

  @Test("R-12 each failed trial doubles the pause, up to a minute")
  func doubles() {
    var breaker = breaker(failures: 3)
    var now: Int64 = 5
    var rests: [Int64] = []

    for _ in 0..<6 {
      breaker.handle(.asked, at: at(now))
      breaker.handle(.failed, at: at(now))
      let until = breaker.wait(at: at(now)) ?? at(now)
      rests.append(at(now).wholeSeconds(until: until))
      now += rests.last ?? 0
    }

    #expect(rests == [10, 20, 40, 60, 60, 60])
  }

  @Test("R-12 a late failure of a message sent before it opened changes nothing")
  func lateFailure() {
    var breaker = breaker(failures: 3)

    breaker.handle(.failed, at: at(4))
    breaker.handle(.asked, at: at(4))

    #expect(breaker.wait(at: at(4)) == at(5))
    #expect(breaker.wait(at: at(5)) == nil)
  }

  @Test("R-12 a trial without a result expires, and another may follow")
  func trialWithoutResult() {
    var breaker = breaker(failures: 3)
    breaker.handle(.asked, at: at(5))

    let end = 5 + CircuitBreaker.trySeconds

    #expect(breaker.isOpen(at: at(end - 1)))
    #expect(!breaker.isOpen(at: at(end)))
    breaker.handle(.asked, at: at(end))
    #expect(breaker.isOpen(at: at(end)))
  }

  @Test(
    "L-06 a requested pause is respected and opens nothing: below, at and above the limit",
    arguments: [1, 299, 300, 301] as [Int64])
  func pauses(seconds: Int64) {
    var breaker = CircuitBreaker()

    breaker.handle(.askedToPause(until: at(seconds)), at: Self.start)

    #expect(!breaker.isOpen(at: Self.start))
    #expect(breaker.wait(at: Self.start) == at(min(seconds, 300)))
    #expect(breaker.wait(at: at(min(seconds, 300))) == nil)
  }
}
