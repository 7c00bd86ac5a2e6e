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

  @Test("T-05 a lockout caused by unknown devices leaves a known device its own five tries")
  func unknownDevicesLock() {
    var other = FailureCounter(shared: .open, own: nil)
    let locked = Lockout.Verdict.locked(until: start.adding(seconds: 900))
    #expect(fail(&other, 6) == Array(repeating: .compare, count: 4) + [locked, locked])

    var device = known(other.shared)

    #expect(device.verdict(at: start, under: policy) == .compare)
    #expect(device.attemptsLeft(under: policy) == 5)
    #expect(fail(&device, 5) == Array(repeating: .compare, count: 4) + [locked])
    #expect(device.attemptsLeft(under: policy) == 5)
  }

  @Test("T-05 failures of a known device neither lift nor cause a lockout of unknown devices")
  func knownFailures() {
    var device = known()
    _ = fail(&device, 5)

    let other = FailureCounter(shared: device.shared, own: nil)

    #expect(other.verdict(at: start, under: policy) == .compare)
    #expect(other.attemptsLeft(under: policy) == 5)
  }

  @Test("L-37 a sign-in on a known device clears that device's failures and nothing else")
  func completion() {
    for failures in [4, 5, 6] {
      var unknown = FailureCounter(shared: .open, own: nil, device: "unknown")
      _ = fail(&unknown, failures)
      var device = known(unknown.shared)
      _ = fail(&device, 3)

      device.complete()

      #expect(device.own == .open)
      #expect(device.shared.failuresOfAccount == 0)
      let after = FailureCounter(shared: device.shared, own: nil, device: "unknown")
      #expect(after.verdict(at: start, under: policy) == unknown.verdict(at: start, under: policy))
      #expect(after.shared.failures == unknown.shared.failures)
      #expect(after.shared.failuresInRow == unknown.shared.failuresInRow)
      #expect(after.shared.locks == unknown.shared.locks)
    }
  }

  /// The shared bucket after these devices failed in turn.
  ///
  /// Each lock is waited for.
  private func shared(_ devices: [String]) -> (Lockout, Instant) {
    var (shared, now) = (Lockout.open, start)
    for device in devices {
      var counter = FailureCounter(shared: shared, own: nil, device: device)
      while counter.reserve(at: now, under: policy) != .compare {
        now = now.adding(seconds: policy.longestLockSeconds)
      }
      _ = counter.settleWrong(at: now, under: policy)
      shared = counter.shared
    }
    return (shared, now)
  }

  @Test(
    "L-37 T-05 the first sign-in of an unknown device takes back only its own failures",
    arguments: [
      ("oooo", 0, 0, 0), ("xxxx", 4, 4, 0), ("oxxo", 2, 2, 0), ("xoxox", 0, 3, 1),
      ("ooooo", 0, 0, 0), ("xxxxo", 0, 4, 0), ("xxxxxoo", 0, 5, 1), ("oooooxxoo", 2, 2, 0),
      ("yzyzoyzz", 3, 7, 0),
    ] as [(String, Int64, Int64, Int64)]
  )
  func ownShare(_ order: String, _ failures: Int64, _ inRow: Int64, _ locks: Int64) {
    let (before, _) = shared(order.map { String($0) })
    var counter = FailureCounter(shared: before, own: nil, device: "o")

    counter.complete()

    #expect(counter.shared.failures == failures)
    #expect(counter.shared.failuresInRow == inRow)
    #expect(counter.shared.locks == locks)
    #expect(counter.shared.failuresOfAccount == 0)
    if !order.contains(where: { $0 != "o" }) {
      #expect(counter.shared.attemptsLeft(under: policy) == 5)
    }
  }

  @Test("L-41 as many devices are remembered as the limit", arguments: [99, 100, 101])
  func remembered(_ count: Int) {
    var loose = policy
    (loose.failureLimit, loose.stopLimit) = (1000, 1000)
    var shared = Lockout.open
    for number in 1...count {
      var counter = FailureCounter(shared: shared, own: nil, device: "device \(number)")
      _ = counter.reserve(at: start, under: loose)
      _ = counter.settleWrong(at: start, under: loose)
      shared = counter.shared
    }
    #expect(shared.shares.shares.count == min(count, FailureShares.limit))
    var last = FailureCounter(shared: shared, own: nil, device: "device \(count)")

    last.complete()

    #expect(last.shared.failures == Int64(count <= FailureShares.limit ? count - 1 : count))
  }

  @Test("L-41 devices that only failed reset codes are forgotten with the next lockout")
  func resetShares() {
    var lockout = Lockout.open
    for number in 1...9 {
      lockout.countWrong(
        at: start, under: policy, by: "device \(number)", towardsStop: false)
    }

    #expect(lockout.shares.shares.map(\.device).count == 5)
    #expect(lockout.failuresInRow == 0)
    #expect(lockout.locks == 1)
  }

  @Test(
    "A hundred failures in a row over all buckets stop every device",
    arguments: [(98, false), (99, true), (100, true)] as [(Int64, Bool)]
  )
  func stop(_ unknown: Int64, _ isStopped: Bool) {
    let shared = Lockout(
      failures: 0, failuresInRow: unknown, reserved: 0, reservedAt: start, locks: 19,
      lockedUntil: nil, failuresOfAccount: unknown
    )
    var device = known(shared)

    _ = fail(&device, 1)

    #expect((device.verdict(at: start, under: policy) == .stopped) == isStopped)
    let other = FailureCounter(shared: device.shared, own: nil)
    #expect((other.verdict(at: start, under: policy) == .stopped) == isStopped)
  }

  @Test("L-39 a sign-in on a known device lifts the stop for it; unknown devices stay stopped")
  func rowEnds() {
    let shared = Lockout(
      failures: 0, failuresInRow: 100, reserved: 0, reservedAt: start, locks: 19,
      lockedUntil: nil, failuresOfAccount: 100
    )
    var device = known(shared)
    #expect(device.verdict(at: start, under: policy) == .stopped)

    // A code is accepted at the same time as the hundredth failure.
    device.complete()

    #expect(device.verdict(at: start, under: policy) == .compare)
    let other = FailureCounter(shared: device.shared, own: nil)
    #expect(other.verdict(at: start, under: policy) == .stopped)
  }

  @Test("A right answer returns its try to the bucket it came from")
  func right() {
    for counter in [known(), FailureCounter(shared: .open, own: nil)] {
      var counter = counter
      #expect(counter.reserve(at: start, under: policy) == .compare)
      #expect(counter.attemptsLeft(under: policy) == 4)

      counter.settleRight()

      #expect(counter.attemptsLeft(under: policy) == 5)
    }
  }
}
