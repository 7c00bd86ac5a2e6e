import Cryptography
import Testing
import Threads

@Suite("Hashing pool")
struct HashingPoolTests {
  /// Blocks the work of a pool until the test opens it.
  private final class Gate: Sendable {
    private let isOpen = Monitor(false)

    func pass() { isOpen.wait { $0 ? () : nil } }

    func open() {
      isOpen.withLock { $0 = true }
      isOpen.wakeAll()
    }
  }

  @Test("each answer returns to its caller")
  func answers() async throws {
    let pool = HashingPool(threads: 2, queueLimit: 100)

    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...100 { group.addTask { try await pool.run { number } } }
      return try await group.reduce(0, +)
    }

    #expect(sum == 5050)
    pool.stop()
  }

  @Test("a call beyond the limit is refused at once; calls up to the limit are accepted")
  func isBounded() async throws {
    let threads = 2
    let queueLimit = 3
    let gate = Gate()
    let pool = HashingPool(threads: threads, queueLimit: queueLimit)

    // Up to the limit: every thread is busy and the queue is full.
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<(threads + queueLimit) {
        group.addTask { await isAccepted(pool) { gate.pass() } }
      }
      group.addTask {
        while pool.callCount < threads + queueLimit { await Task.yield() }

        // One call above the limit, while all others are blocked.
        let isTaken = await isAccepted(pool) {}
        gate.open()
        return !isTaken
      }
      for await isAsExpected in group { #expect(isAsExpected) }
    }

    #expect(await isAccepted(pool) {})
    pool.stop()
  }

  @Test("time spent on work is counted; idle time is not")
  func busy() async throws {
    let pool = HashingPool(threads: 2, queueLimit: 2)
    #expect(pool.busy == .zero)
    let worked = try await pool.run {
      let began = ContinuousClock.now
      while began.duration(to: .now) < .milliseconds(5) {}
      return began.duration(to: .now)
    }
    pool.stop()

    #expect(pool.busy >= worked)
    let after = pool.busy
    await Task.yield()
    #expect(pool.busy == after)
  }

  @Test("a stopped pool finishes accepted work and accepts no more")
  func stops() async {
    let pool = HashingPool(threads: 1, queueLimit: 1)
    let gate = Gate()

    async let accepted = isAccepted(pool) { gate.pass() }
    while pool.callCount < 1 { await Task.yield() }
    gate.open()
    #expect(await accepted)
    pool.stop()

    await #expect(throws: HashingPoolFull()) { try await pool.run { 1 } }
  }
}

private func isAccepted(
  _ pool: HashingPool, _ work: @escaping @Sendable () -> Void
) async -> Bool {
  do throws(HashingPoolFull) {
    try await pool.run(work)
    return true
  } catch {
    return false
  }
}
