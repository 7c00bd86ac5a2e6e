import SignInModel
import SignInRules
import SignInTesting
import Testing

@testable import SignInService

@Suite("Cutting the security log")
struct LogCutTests {
  private static let day = Throttle.Limit.daySeconds
  private static let kept = Configuration.standardEventDays * day

  /// Writes one event on each of `days` days.
  private func write(_ days: Int64, in test: TestWorld) async throws {
    let caller = Caller(client: test.client.id, peer: nil, proofKeyThumbprint: nil)
    for number in 0..<days {
      try await test.store.transact { (transaction) throws(StoreFault) in
        try transaction.record(
          .codeExpired, about: nil, by: caller,
          at: TestWorld.start.adding(seconds: number * Self.day)
        )
      }
    }
    await test.world.linkEvents()
  }

  @Test(
    "Whole days are removed at the end of their retention, to the second",
    arguments: [(-1, 0), (0, 1), (1, 1), (86_399, 1), (86_400, 2)] as [(Int64, Int)]
  )
  func whole(_ seconds: Int64, _ removedCount: Int) async throws {
    let test = try await TestWorld()
    try await write(3, in: test)
    let nextDay = (TestWorld.start.seconds / Self.day + 1) * Self.day
    test.clock.advance(seconds: nextDay - TestWorld.start.seconds + Self.kept + seconds)

    await removeExpiredRecords(in: test.world)

    let events = try await test.events()
    #expect(events.first?.sequence == Int64(removedCount) + 1)
    #expect(events.last?.code == (removedCount == 0 ? .codeExpired : .logCut))
  }

  @Test("L-52 a former contact is stored as long as the reasons of its time")
  func formerContacts() async throws {
    let test = try await TestWorld()
    let tara = AccountID("tara")
    func former() async throws -> [FormerContact] {
      try await test.store.read { (transaction) throws(StoreFault) in
        try transaction.formerContacts(of: tara)
      }
    }
    try await write(3, in: test)
    try await test.store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(tara) else { return }
      account.email = nil
      try transaction.update(account)
    }
    await removeExpiredRecords(in: test.world)
    #expect(try await former().map(\.replacedAt) == [TestWorld.start])
    test.clock.advance(seconds: Self.kept)
    await removeExpiredRecords(in: test.world)
    #expect(try await former().count == 1)
    test.clock.advance(seconds: 3 * Self.day)
    await removeExpiredRecords(in: test.world)
    #expect(try await former() == [])
  }

  @Test("The rest of the log is still verified from its start, cut after cut")
  func followed() async throws {
    let test = try await TestWorld()
    try await write(5, in: test)
    test.clock.advance(seconds: Self.kept + 3 * Self.day)
    for _ in 0..<3 {
      await removeExpiredRecords(in: test.world)
      test.clock.advance(seconds: Self.day)
    }

    guard case .unbroken(let count, _) = try await verifyEvents(in: test.store) else {
      Issue.record("the chain is broken")
      return
    }
    #expect(count == Int64(try await test.events().count))
    #expect(
      try await test.store.read { (transaction) throws(StoreFault) in
        try transaction.logStart().sequence
      } >= 3)
  }

  @Test("A beginning removed from outside is found, even with a changed start")
  func tampering() async throws {
    let test = try await TestWorld()
    try await write(5, in: test)
    test.clock.advance(seconds: Self.kept + 2 * Self.day)
    await removeExpiredRecords(in: test.world)
    let events = try await test.events()
    let start = try await test.store.read { (transaction) throws(StoreFault) in
      try transaction.logStart()
    }
    let second = try #require(events.first)

    let moved = MemoryStore()
    try await moved.transact { (transaction) throws(StoreFault) in
      try transaction.append(events)
      try transaction.removeEvents(at: LogStart(sequence: second.sequence, hash: second.hash))
    }
    #expect(try await verifyEvents(in: moved) == .broken(at: second.sequence + 1))
    let unmoved = MemoryStore()
    try await unmoved.transact { (transaction) throws(StoreFault) in
      try transaction.removeEvents(at: start)
      try transaction.append(Array(events.dropFirst()))
    }
    #expect(try await verifyEvents(in: unmoved) == .broken(at: second.sequence))
  }
}
