import SignInModel
import SignInTesting
import Synchronization
import Testing

@testable import SignInService

/// A store that counts its decisions and fails on request.
private final class CountingStore: Store {
  private let inner = MemoryStore()
  private let decisions = Mutex(0)

  var decisionCount: Int { decisions.withLock { $0 } }

  func setOutage(_ reason: String?) { inner.setOutage(reason) }

  func setDatabaseClock(_ clock: @escaping MemoryStore.DatabaseClock) {
    inner.setDatabaseClock(clock)
  }

  func transact<Answer: Sendable>(
    about subjects: [Subject],
    _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    decisions.withLock { $0 += 1 }
    return try await inner.transact(about: subjects, decide)
  }

  func read<Answer: Sendable>(
    _ transaction: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    try await inner.read(transaction)
  }
}

@Suite("Readiness")
struct ReadinessTests {
  private let clock = SimulatedClock()
  private let store = CountingStore()

  private func world() async throws -> World {
    try await TestWorld.empty(store: store, clock: clock)
  }

  @Test("L-46 a store that cannot record a decision is not ready until it can again")
  func outage() async throws {
    let world = try await world()
    let check = ReadinessCheck()
    #expect(await check.readiness(in: world) == .ready)

    store.setOutage("the disk is full")
    clock.advance(milliseconds: ReadinessLimits.pauseMilliseconds)
    #expect(await check.readiness(in: world) == .cannotRecord)
    store.setOutage(nil)
    #expect(await check.readiness(in: world) == .cannotRecord)
    clock.advance(milliseconds: ReadinessLimits.pauseMilliseconds)
    #expect(await check.readiness(in: world) == .ready)
  }

  @Test("L-46 a server that cannot record a proof is not ready until it can again")
  func fullProofs() async throws {
    let proofs = OnceLedger()
    let world = try await TestWorld.empty(store: store, clock: clock, proofs: proofs)

    proofs.setFull(true)
    #expect(await ReadinessCheck().readiness(in: world) == .cannotRecordProof)
    proofs.setFull(false)
    #expect(await ReadinessCheck().readiness(in: world) == .ready)
  }

  @Test(
    "L-46 a result is used for a second",
    arguments: [
      (ReadinessLimits.pauseMilliseconds - 1, 1), (ReadinessLimits.pauseMilliseconds, 2),
      (ReadinessLimits.pauseMilliseconds + 1, 2),
    ])
  func shared(afterMilliseconds: Int64, checks: Int) async throws {
    let world = try await world()
    let check = ReadinessCheck()

    for _ in 0..<100 { #expect(await check.readiness(in: world) == .ready) }
    clock.advance(milliseconds: afterMilliseconds)
    #expect(await check.readiness(in: world) == .ready)

    #expect(store.decisionCount == checks)
  }

  @Test("L-46 many callers at once cause one check")
  func together() async throws {
    let world = try await world()
    let check = ReadinessCheck()

    let answers = await withTaskGroup(of: Readiness.self) { group in
      for _ in 0..<100 { group.addTask { await check.readiness(in: world) } }
      return await group.reduce(into: []) { $0.append($1) }
    }

    #expect(answers == [Readiness](repeating: .ready, count: 100))
    #expect(store.decisionCount == 1)
  }

  @Test(
    "a server whose clock differs by more than a second from the database is not ready",
    arguments: zip(
      [1000, 1001, -1000, -1001] as [Int64],
      [.ready, .clockDiffers, .ready, .clockDiffers] as [Readiness]))
  func otherClock(lead: Int64, expected: Readiness) async throws {
    let clock = clock
    store.setDatabaseClock { clock.now().adding(milliseconds: lead) }

    #expect(await ReadinessCheck().readiness(in: try await world()) == expected)
  }

  @Test("a slow answer of the database is not mistaken for another clock")
  func slowDatabase() async throws {
    let clock = clock
    store.setDatabaseClock {
      clock.advance(seconds: 3)
      defer { clock.advance(seconds: 3) }
      return clock.now()
    }

    #expect(await ReadinessCheck().readiness(in: try await world()) == .ready)
  }
}
