import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

/// The sums of `fieldpass messages cost` (L-16).
@Suite("The cost report")
struct CostReportTests {
  private static let today = CalendarDay(TestWorld.start)
  private let first = RecordingMessenger(name: "first")
  private let second = RecordingMessenger(name: "second")

  private func world() async throws -> TestWorld {
    let test = try await TestWorld(prices: [
      Configuration.Price(country: "+1", millionths: 7000),
      Configuration.Price(country: "+47", millionths: 40_000),
    ])
    try await test.insert("nora", phone: "+4790000001", organizations: ["north"])
    try await test.insert("indi", phone: "+919812345678", organizations: ["south"])
    return test
  }

  private func send(
    _ test: TestWorld, to username: String, through messengers: RecordingMessenger...
  ) async {
    let asked = await test.begin(username: "\(username)@example.com", key: "key of \(username)")
    #expect(asked.code == .insufficientAuthorization)
    await deliverMessages(through: messengers, in: test.world)
  }

  private func report(
    _ test: TestWorld, by columns: [CostColumn] = [.messenger, .country],
    from first: Int64 = 0, through last: Int64 = 0
  ) async throws -> [CostLine] {
    try await reportCosts(
      from: Self.today.adding(days: first), through: Self.today.adding(days: last), by: columns,
      in: test.store
    )
  }

  @Test("L-16 costs are listed by messenger and country, the highest first")
  func byMessengerAndCountry() async throws {
    let test = try await world()
    await send(test, to: "tara", through: first)
    await send(test, to: "nora", through: second)
    await send(test, to: "indi", through: first)

    let lines = try await report(test)

    #expect(lines.map(\.words) == [["second", "+47"], ["first", "+1"], ["first", "+91"]])
    #expect(lines.map(\.cost.price) == [40_000, 7000, 0])
    #expect(lines.map(\.cost.unpriced) == [0, 0, 1])
    #expect(lines.map(\.cost.messages) == [1, 1, 1])
  }

  @Test("L-16 costs are listed by organization or by day, as requested")
  func byOrganizationAndDay() async throws {
    let test = try await world()
    await send(test, to: "nora", through: first)
    test.clock.advance(seconds: CalendarDay.daySeconds)
    await send(test, to: "nora", through: second)
    await send(test, to: "tara", through: first)

    let organizations = try await report(test, by: [.organization], through: 1)
    let days = try await report(test, by: [.day], through: 1)
    let everything = try await report(test, by: [], through: 1)

    #expect(organizations.map(\.words) == [["north"], ["-"]])
    #expect(organizations.map(\.cost.price) == [80_000, 7000])
    #expect(days.map(\.words) == [[Self.today.text], [Self.today.adding(days: 1).text]])
    #expect(days.map(\.cost.messages) == [1, 2])
    #expect(everything.map(\.cost.price) == [87_000])
  }

  @Test("L-16 only the requested days count, including the first and the last")
  func days() async throws {
    let test = try await world()
    for _ in 0..<3 {
      await send(test, to: "tara", through: first)
      test.clock.advance(seconds: CalendarDay.daySeconds)
    }

    for (from, through, messages) in [
      (0, 0, [1]), (0, 1, [2]), (1, 2, [2]), (0, 2, [3]), (-9, 9, [3]), (3, 9, []), (-9, -1, []),
    ] as [(Int64, Int64, [Int64])] {
      let lines = try await report(test, from: from, through: through)
      #expect(lines.map(\.cost.messages) == messages, "\(from) to \(through)")
    }
  }

  @Test("L-16 delivery and the provider's own price are included once they are known")
  func receipts() async throws {
    let test = try await world()
    await send(test, to: "tara", through: first)
    let reference = "first-\(try #require(first.messages.first?.id))"
    func hear(_ outcome: OutboxMessage.Receipt, price: Int64? = nil) async throws -> MessageCost {
      _ = await recordReport(
        DeliveryReport(reference: reference, outcome: outcome, price: price), of: "first",
        in: test.world)
      return try #require(try await report(test).first).cost
    }

    let lost = try await hear(.undelivered)
    let arrived = try await hear(.delivered, price: 9000)
    // A receipt that arrives days later, and twice, counts once and on the day of sending.
    test.clock.advance(seconds: 3600)
    let again = try await hear(.delivered, price: 9000)

    #expect([lost.delivered, lost.undelivered, lost.price] == [0, 1, 7000])
    #expect([arrived.delivered, arrived.undelivered, arrived.price] == [1, 0, 9000])
    #expect(again == arrived)
    #expect(again.messages == 1)
  }

  @Test("L-16 a message that no provider accepted costs nothing")
  func notCarried() async throws {
    let test = try await world()
    first.failNext(.never("no such number"))
    await send(test, to: "tara", through: first)

    #expect(try await report(test) == [])
  }

  @Test("L-06 L-16 a message that two providers may have accepted is paid where it was accepted")
  func failover() async throws {
    let test = try await world()
    first.failNext(.unclear("no answer"), .unclear("no answer"))
    await send(test, to: "tara", through: first, second)

    #expect(try await report(test).map(\.words) == [["second", "+1"]])
  }

  @Test("L-16 costs stay 400 days after the delivery log: on the last day, and after it")
  func kept() async throws {
    let test = try await world()
    await send(test, to: "tara", through: first)

    for (days, lines) in [(MessageCost.retentionDays, 1), (1, 0)] as [(Int64, Int)] {
      test.clock.advance(seconds: days * CalendarDay.daySeconds)
      await removeExpiredRecords(in: test.world)
      #expect(try await report(test).count == lines)
      let messages = try await test.store.read { (transaction) throws(StoreFault) in
        try transaction.messages(after: nil, limit: 10)
      }
      #expect(messages.isEmpty)
    }
  }
}
