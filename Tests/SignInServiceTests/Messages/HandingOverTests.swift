import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

/// Two messengers, and the result for one code when they fail.
@Suite("Handing messages over")
struct HandingOverTests {
  private let first = RecordingMessenger(name: "first")
  private let second = RecordingMessenger(name: "second")

  private func begun() async throws -> TestWorld {
    let test = try await TestWorld()
    _ = await test.begin()
    return test
  }

  private func message(_ test: TestWorld) async throws -> OutboxMessage {
    let page = try await test.store.read { (transaction) throws(StoreFault) in
      try transaction.messages(after: nil, limit: 10)
    }
    return try #require(page.first)
  }

  @Test("R-12 an unavailable provider is skipped, and the one that accepted is recorded")
  func failsOver() async throws {
    let test = try await begun()
    first.failNext(.retry(afterSeconds: 1))

    await deliverMessages(through: [first, second], in: test.world)

    let message = try await message(test)
    #expect(first.messages.isEmpty)
    #expect(second.messages.count == 1)
    #expect(message.state == .handedOver)
    #expect(message.messenger == "second")
    #expect(message.reference == "second-\(message.id)")
    #expect(message.handedOverAt == TestWorld.start)
    #expect(message.sealedText.isEmpty)
  }

  @Test("L-06 after a lost answer the same message is sent to the same provider again")
  func asksAgain() async throws {
    let test = try await begun()
    first.failNext(.unclear("no answer in time"))

    await deliverMessages(through: [first, second], in: test.world)

    #expect(first.tries == 2)
    #expect(second.tries == 0)
    #expect(try await message(test).messenger == "first")
  }

  @Test("L-06 an unreachable number is tried once and given up")
  func never() async throws {
    let test = try await begun()
    first.failNext(.never("no such number"))

    await deliverMessages(through: [first, second], in: test.world)
    test.clock.advance(seconds: 30)
    await deliverMessages(through: [first, second], in: test.world)

    #expect(first.tries + second.tries == 1)
    #expect(try await message(test).state == .failed)
  }

  @Test("R-12 if all providers are unavailable, the same code is sent later and no other")
  func sameCodeLater() async throws {
    let test = try await begun()
    let board = MessengerRouter([.init(first), .init(second)])
    first.failNext(.retry(afterSeconds: 1))
    second.failNext(.retry(afterSeconds: 1))

    await deliverMessages(over: board, in: test.world)
    let waiting = try await message(test)
    test.clock.advance(seconds: 1)
    await deliverMessages(over: board, in: test.world)

    #expect(waiting.state == .waiting)
    #expect(first.messages.map(\.id) == [waiting.id])
    #expect(try await message(test).tries == 2)
  }

  @Test(
    "L-06 an expired code is not sent: at the last moment, and one after", arguments: [299, 300])
  func deadline(seconds: Int64) async throws {
    let test = try await begun()
    test.clock.advance(seconds: seconds)

    await deliverMessages(through: [first], in: test.world)

    #expect(first.messages.count == (seconds < 300 ? 1 : 0))
    #expect(try await message(test).state == (seconds < 300 ? .handedOver : .failed))
  }

  @Test("R-12 each country has its own order")
  func countries() async throws {
    let test = try await begun()
    let board = MessengerRouter([.init(first, countries: ["+47", "+91"]), .init(second)])

    await deliverMessages(over: board, in: test.world)

    #expect(first.tries == 0)
    #expect(second.messages.count == 1)
  }

  @Test("L-06 after a crash during a request, the same provider is asked again")
  func crashed() async throws {
    let test = try await begun()
    let board = MessengerRouter([.init(first), .init(second)])
    let taken = await leaseMessages(limit: 10, over: board, in: test.world)
    // Without the record, another provider would be tried first after a restart.
    let afterRestart = MessengerRouter([.init(second), .init(first)])

    test.clock.advance(seconds: OutboxLimits.leaseSeconds - 1)
    await deliverMessages(over: afterRestart, in: test.world)
    let early = first.tries + second.tries
    test.clock.advance(seconds: 1)
    await deliverMessages(over: afterRestart, in: test.world)

    #expect(taken.count == 1)
    #expect(early == 0)
    #expect(first.messages.count == 1)
    #expect(second.tries == 0)
  }

  @Test("L-06 a provider without repetition checks gets at most one more try after no answer")
  func forgetful() async throws {
    let test = try await begun()
    let forgetful = RecordingMessenger(name: "forgetful", deduplicatesMessages: false)
    let board = MessengerRouter([.init(forgetful)])
    forgetful.failNext(.unclear("no answer"), .unclear("no answer"), .unclear("no answer"))

    for _ in 0..<10 {
      await deliverMessages(over: board, in: test.world)
      test.clock.advance(seconds: 10)
    }

    #expect(forgetful.tries == 2)
    #expect(try await message(test).state == .failed)
  }

  @Test("L-06 a request that no provider can accept now is refused at once, and nothing is counted")
  func knownAtOnce() async throws {
    let first = first
    let board = MessengerRouter([.init(first, countries: ["+1"])])
    let test = try await TestWorld(router: board)
    first.failNext(
      .retry(afterSeconds: 1), .retry(afterSeconds: 1), .retry(afterSeconds: 1))
    _ = await test.begin()
    for _ in 0..<3 {
      await deliverMessages(over: board, in: test.world)
      test.clock.advance(seconds: 2)
    }
    test.clock.advance(seconds: 60 - 6)
    first.failNext(.retry(afterSeconds: 1))
    await deliverMessages(over: board, in: test.world)

    let refused = await test.begin()
    let messages = try await test.store.read { (transaction) throws(StoreFault) in
      try transaction.messages(after: nil, limit: 10)
    }
    test.clock.advance(seconds: 10)
    let admitted = await test.begin()

    #expect(refused.code == .deliveryFailed)
    #expect(refused.retryIn == 10)
    #expect(messages.count == 1)
    #expect(admitted.code == .insufficientAuthorization)
    #expect(try await test.events().map(\.code).contains(.refusedUndeliverable))
  }

  @Test("L-16 a country without a messenger is refused at once")
  func noMessengerThere() async throws {
    let board = MessengerRouter([.init(first, countries: ["+47"])])
    let test = try await TestWorld(router: board)

    #expect(await test.begin().code == .deliveryFailed)
  }
}
