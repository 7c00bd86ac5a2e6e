import SignInModel
import SignInRules
import Testing

@Suite("Failure counter")
struct FailureCounterTests {
  let start = Instant(seconds: 1_800_000_000)
  let policy = Lockout.Policy()

  private func fail(_ counter: inout FailureCounter, _ times: Int) -> [Lockout.Verdict] {
    (0..<times).map { _ in
      let verdict = counter.reserve(at: start, under: policy)
      guard verdict == .compare else { return verdict }
      return counter.settleWrong(at: start, under: policy)
    }
  }

  private func known(_ shared: Lockout = .open) -> FailureCounter {
    FailureCounter(shared: shared, own: .open)
  }

  @Test("T-05 strangers' lock does not stop a known device's own five tries")
  func strangersLock() {
    var stranger = FailureCounter(shared: .open, own: nil)
    let locked = Lockout.Verdict.locked(until: start.adding(seconds: 900))
    #expect(fail(&stranger, 6) == Array(repeating: .compare, count: 4) + [locked, locked])

    var device = known(stranger.shared)

    #expect(device.verdict(at: start, under: policy) == .compare)
    #expect(device.triesLeft(under: policy) == 5)
    #expect(fail(&device, 5) == Array(repeating: .compare, count: 4) + [locked])
    #expect(device.triesLeft(under: policy) == 5)
  }

  @Test("T-05 a known device's failures open no lock of the others, nor do they bring one about")
  func knownFailures() {
    var device = known()
    _ = fail(&device, 5)

    let stranger = FailureCounter(shared: device.shared, own: nil)

    #expect(stranger.verdict(at: start, under: policy) == .compare)
    #expect(stranger.triesLeft(under: policy) == 5)
  }

  @Test("A sign-in on a known device forgives the others, but opens no lock of theirs")
  func completion() {
    var stranger = FailureCounter(shared: .open, own: nil)
    _ = fail(&stranger, 4)
    var device = known(stranger.shared)
    device.complete(at: start)
    #expect(device == known())

    stranger = FailureCounter(shared: .open, own: nil)
    _ = fail(&stranger, 5)
    device = known(stranger.shared)
    device.complete(at: start)
    stranger = FailureCounter(shared: device.shared, own: nil)
    #expect(
      stranger.verdict(at: start, under: policy) == .locked(until: start.adding(seconds: 900)))

    device.complete(at: start.adding(seconds: 900))
    #expect(device == known())
  }

  @Test(
    "A hundred failures in a row over all buckets stop every device",
    arguments: [(98, false), (99, true), (100, true)] as [(Int64, Bool)]
  )
  func stop(_ strangers: Int64, _ isStopped: Bool) {
    let shared = Lockout(
      failures: 0, failuresInRow: strangers, reserved: 0, reservedAt: start, locks: 19,
      lockedUntil: nil
    )
    var device = known(shared)

    _ = fail(&device, 1)

    #expect((device.verdict(at: start, under: policy) == .stopped) == isStopped)
    let stranger = FailureCounter(shared: device.shared, own: nil)
    #expect((stranger.verdict(at: start, under: policy) == .stopped) == isStopped)
  }

  @Test("A right answer gives its try back to the bucket it was taken from")
  func right() {
    for counter in [known(), FailureCounter(shared: .open, own: nil)] {
      var counter = counter
      #expect(counter.reserve(at: start, under: policy) == .compare)
      #expect(counter.triesLeft(under: policy) == 4)

      counter.settleRight()

      #expect(counter.triesLeft(under: policy) == 5)
    }
  }
}
