import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Repeated refusals in the log")
struct RefusalTests {
  private static let hour = RepeatedRefusals.windowSeconds

  /// Locks the account and causes `times` more refusals.
  private func lock(_ test: TestWorld, refused times: Int, from address: String? = nil) async {
    for _ in 0..<5 { _ = await test.begin("wrong", from: address ?? TestWorld.peer) }
    for _ in 0..<times { _ = await test.begin("wrong", from: address ?? TestWorld.peer) }
  }

  private func refusals(_ test: TestWorld) async throws -> [SecurityEvent] {
    try await test.events().filter { $0.code == .refusedLocked }
  }

  @Test("L-41 the first refusal is logged at once, the next hundred as one event after an hour")
  func folded() async throws {
    let client = TestWorld.technicians { $0.policy[.firstLock] = 3 * Self.hour }
    let test = try await TestWorld(client: client)
    await lock(test, refused: 101)

    #expect(try await refusals(test).map(\.count) == [nil])

    test.clock.advance(seconds: Self.hour)
    #expect(await test.begin("wrong").code == .accountLocked)
    let events = try await refusals(test)
    #expect(events.map(\.count) == [nil, 101])
    #expect(events.last?.account == AccountID("tara") && events.last?.peer == TestWorld.peer)
    #expect(events.last?.proofKeyThumbprint == nil)
    guard case .unbroken = try await verifyEvents(in: test.store) else {
      Issue.record("the chain is broken")
      return
    }
  }

  @Test("L-41 refusals from many networks of one IPv6 site are one event")
  func oneSite() async throws {
    let test = try await TestWorld()
    await lock(test, refused: 1)

    for number in 0..<40 { _ = await test.begin("wrong", from: "2001:db8:1:\(number)::1") }
    _ = await test.begin("wrong", from: "2001:db8:2::1")

    let peers = try await refusals(test).map(\.peer)
    #expect(peers == [TestWorld.peer, "2001:db8:1:0::1", "2001:db8:2::1"])
  }

  @Test("L-41 refusals that stop are reported after an hour, and their source is forgotten")
  func swept() async throws {
    let test = try await TestWorld()
    await lock(test, refused: 8)

    test.clock.advance(milliseconds: Self.hour * 1000 - 1)
    await removeExpiredRecords(in: test.world)
    #expect(try await refusals(test).map(\.count) == [nil])
    test.clock.advance(milliseconds: 1)
    await removeExpiredRecords(in: test.world)
    await removeExpiredRecords(in: test.world)

    #expect(try await refusals(test).map(\.count) == [nil, 7])
    let left = try await test.store.read { (transaction) throws(StoreFault) in
      try transaction.refusalTallies(reportedUntil: test.clock.now(), limit: 9)
    }
    #expect(left.isEmpty)
  }

  @Test("L-41 a single refusal causes one event")
  func alone() async throws {
    let test = try await TestWorld()
    await lock(test, refused: 1)

    test.clock.advance(seconds: Self.hour)
    await removeExpiredRecords(in: test.world)

    #expect(try await refusals(test).map(\.count) == [nil])
  }

  @Test("L-41 refusals from two networks are reported separately")
  func networks() async throws {
    let test = try await TestWorld()
    await lock(test, refused: 3)
    for _ in 0..<3 { _ = await test.begin("wrong", from: "198.51.100.1") }

    #expect(try await refusals(test).map(\.peer) == [TestWorld.peer, "198.51.100.1"])
    test.clock.advance(seconds: Self.hour)
    await removeExpiredRecords(in: test.world)
    let folded = try await refusals(test).suffix(2)
    #expect(folded.map(\.count) == [2, 2])
    #expect(Set(folded.map(\.peer)) == [TestWorld.peer, "198.51.100.1"])
  }

  @Test("R-03 every wrong answer up to a lockout has its own event")
  func wrongAnswers() async throws {
    let test = try await TestWorld()

    await lock(test, refused: 50)

    let wrong = try await test.events().filter { $0.code == .passwordRefused }
    #expect(wrong.count == 5)
    #expect(wrong.allSatisfy { $0.count == nil })
  }

  @Test("T-03 L-37 an unknown account is refused with as many writes as a known one")
  func unknown() async throws {
    let known = try await TestWorld()
    let unknown = try await TestWorld()
    for _ in 0..<20 {
      _ = await known.begin("wrong")
      _ = await unknown.begin("wrong", username: "unknown@example.com")
    }
    for name in 0..<40 {
      _ = await known.begin("wrong", username: "\(name)@x.org")
      _ = await unknown.begin("wrong", username: "\(name)@x.org")
    }

    #expect(try await known.events().map(\.code) == unknown.events().map(\.code))
    let tallies = try await [known, unknown].asyncMap { test in
      try await test.store.read { (transaction) throws(StoreFault) in
        try transaction.refusalTallies(reportedUntil: test.clock.now(), limit: 99)
      }
    }
    #expect(tallies[0].map(\.refusals) == tallies[1].map(\.refusals))
    #expect(tallies[1].allSatisfy { $0.account == nil })
  }
}

extension Array {
  fileprivate func asyncMap<Other>(
    _ change: (Element) async throws -> Other
  ) async throws -> [Other] {
    var changed: [Other] = []
    for element in self { changed.append(try await change(element)) }
    return changed
  }
}
