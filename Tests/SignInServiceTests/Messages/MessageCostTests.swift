import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Limits on the cost of messages")
struct MessageCostTests {
  private let prices = [
    Configuration.Price(country: "+1", millionths: 7000),
    Configuration.Price(country: "+15550", millionths: 10_000),
  ]

  @Test(
    "L-16 a day's messages have a cost limit: below, at and above it",
    arguments: [(19_999, 1), (20_000, 2), (29_999, 2), (30_000, 3)] as [(Int64, Int)])
  func ceiling(ceiling: Int64, sent: Int) async throws {
    let client = TestWorld.technicians { $0.policy[.priceDaily] = ceiling }
    let test = try await TestWorld(client: client, prices: prices)
    var codes: [ErrorCode] = []

    for number in 0..<3 {
      try await test.insert("person\(number)", phone: "+1555020000\(number)", organizations: [])
      codes.append(
        await test.begin(username: "person\(number)@example.com", key: "k\(number)").code)
    }

    #expect(codes.count { $0 == .insufficientAuthorization } == sent)
    // Refusals for one reason from one network become one event.
    let details = try await test.events().filter { $0.code == .refusedTooOften }.map(\.detail)
    #expect(details == (sent < 3 ? ["price"] : []))
  }

  @Test(
    "L-16 a block of numbers whose codes are not entered is stopped: below, at and above the limit",
    arguments: [4, 5, 6])
  func lowConversion(count: Int) async throws {
    let client = TestWorld.technicians { $0.policy[.conversionCheckedAfter] = 5 }
    let test = try await TestWorld(client: client)
    var codes: [ErrorCode] = []

    for number in 0..<count {
      try await test.insert("person\(number)", phone: "+1555020000\(number)", organizations: [])
      codes.append(
        await test.begin(username: "person\(number)@example.com", key: "k\(number)").code)
    }
    let elsewhere = await test.begin().code
    test.clock.advance(seconds: Throttle.Limit.daySeconds)
    let tomorrow = await test.begin(username: "person0@example.com", key: "k").code

    #expect(codes.count { $0 == .rateLimited } == max(0, count - 5))
    #expect(elsewhere == .insufficientAuthorization)
    #expect(tomorrow == .insufficientAuthorization)
    let details = try await test.events().filter { $0.code == .refusedTooOften }.map(\.detail)
    #expect(details == Array(repeating: "conversion", count: max(0, count - 5)))
  }

  @Test("L-16 entered codes keep a block open")
  func entered() async throws {
    let client = TestWorld.technicians {
      $0.policy[.conversionCheckedAfter] = 2
      $0.policy[.minimumConversion] = 50
    }
    let test = try await TestWorld(client: client)

    for _ in 0..<5 {
      _ = try await test.signIn()
      test.clock.advance(seconds: 61)
    }

    #expect(await test.begin().code == .insufficientAuthorization)
  }

  @Test(
    "L-16 premium lines get no messages unless an operator allows them",
    arguments: ["+19005550123", "+881612345678", "+979123456789", "+449012345678"])
  func lineTypes(phone: String) async throws {
    let usual = try await TestWorld()
    let open = try await TestWorld(
      client: TestWorld.technicians { $0.lineTypes = LineType.allCases })
    for test in [usual, open] { try await test.insert("p", phone: phone, organizations: []) }

    #expect(await usual.begin(username: "p@example.com").code == .rateLimited)
    #expect(await open.begin(username: "p@example.com").code == .insufficientAuthorization)
    #expect(try await usual.events().last?.detail == "line_type")
  }

  @Test("L-16 each message is recorded with its parts and its price")
  func written() async throws {
    let test = try await TestWorld(prices: prices)
    _ = await test.begin()

    let messages = try await test.store.read { (transaction) throws(StoreFault) in
      try transaction.messages(after: nil, limit: 1)
    }

    #expect(messages.first?.price == 10_000)
    #expect(messages.first?.segments == 1)
    #expect(messages.first?.client == test.client.id)
  }

  @Test("L-06 a code replaced while it waited is no longer sent")
  func replaced() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    test.clock.advance(seconds: 60)
    _ = await test.resend(session)

    _ = await test.code()

    #expect(test.messenger.messages.count == 1)
  }

  @Test("R-12 a failed message is replaced at once; one on its way must be waited for")
  func lost() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    test.messenger.failNext(.never("no such number"))
    let early = await test.resend(session)
    await deliverMessages(through: [test.messenger], in: test.world)

    let status = await test.status(session)
    let again = await test.resend(session)

    #expect(early.code == .resendTooSoon)
    #expect(status.challenge?.delivery == .failed)
    #expect(status.challenge?.resendAt == TestWorld.start)
    #expect(again.code == .insufficientAuthorization)
  }

  @Test("R-12 the code screen gets the state of the message")
  func deliveries() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    var deliveries: [CodePrompt.Delivery?] = [await test.status(session).challenge?.delivery]

    test.clock.advance(seconds: DeliveryLimits.sendingSeconds)
    deliveries.append(await test.status(session).challenge?.delivery)
    _ = await test.code()
    deliveries.append(await test.status(session).challenge?.delivery)
    let id = try #require(test.messenger.messages.first?.id)
    for outcome in [OutboxMessage.Receipt.delayed, .delivered] {
      _ = await recordReport(
        DeliveryReport(reference: "recording-\(id)", outcome: outcome), of: "recording",
        in: test.world)
      test.clock.advance(seconds: DeliveryLimits.arrivingSeconds)
      deliveries.append(await test.status(session).challenge?.delivery)
    }

    #expect(deliveries == [.sending, .delayed, .sent, .delayed, .delivered])
    #expect(await test.status(Secret("unknown")).code == .invalidSession)
  }
}
