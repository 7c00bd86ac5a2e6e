import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

/// The process ends during hand-overs.
@Suite("Stopping during hand-overs")
struct StoppingTests {
  /// A messenger that runs an action before it answers.
  private struct PausingMessenger: TextMessenger {
    let name = "carrier"
    let deduplicatesMessages: Bool
    let before: @Sendable () async -> TextMessengerFault?
    let recorder = RecordingMessenger(name: "carrier")

    func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance {
      if let fault = await before() { throw fault }
      return try await recorder.send(message)
    }
  }

  private func message(_ test: TestWorld) async throws -> OutboxMessage {
    let page = try await test.store.read { (transaction) throws(StoreFault) in
      try transaction.messages(after: nil, limit: 10)
    }
    return try #require(page.first)
  }

  /// Simulates the next process: it takes up all waiting messages after their leases expire.
  private func restart(_ test: TestWorld, _ messenger: RecordingMessenger) async {
    for _ in 0..<5 {
      test.clock.advance(seconds: OutboxLimits.leaseSeconds)
      await deliverMessages(over: MessengerRouter([.init(messenger)]), in: test.world)
    }
  }

  @Test(
    "L-06 a provider asked when the process ends is asked again only if it recognizes repetitions",
    arguments: [(false, 0), (true, 1)]
  )
  func killedWhileAsking(_ deduplicatesMessages: Bool, _ asked: Int) async throws {
    let test = try await TestWorld()
    _ = await test.begin()
    let active = ActiveHandOvers()
    let carrier = PausingMessenger(deduplicatesMessages: deduplicatesMessages) {
      await markUnfinished(active.stop(), in: test.world)
      return nil
    }
    let board = MessengerRouter([.init(carrier)])
    let taken = await leaseMessages(limit: 1, over: board, in: test.world)
    // A killed process cannot store the answer, so the answer goes to another world.
    let otherWorld = try await TestWorld()
    for message in taken {
      _ = await handOver(message, over: board, in: otherWorld.world, under: active)
    }
    #expect(carrier.recorder.messages.count == 1 && active.isEmpty)

    let next = RecordingMessenger(name: "carrier", deduplicatesMessages: deduplicatesMessages)
    await restart(test, next)

    #expect(next.tries == asked)
    #expect(try await message(test).state == (deduplicatesMessages ? .handedOver : .failed))
  }

  @Test("An answer within the grace period is recorded", arguments: [true, false])
  func answered(_ deduplicatesMessages: Bool) async throws {
    let test = try await TestWorld()
    _ = await test.begin()
    let active = ActiveHandOvers()
    let carrier = PausingMessenger(deduplicatesMessages: deduplicatesMessages) {
      await markUnfinished(active.stop(), in: test.world)
      return nil
    }
    let board = MessengerRouter([.init(carrier)])

    for message in await leaseMessages(limit: 1, over: board, in: test.world) {
      #expect(await handOver(message, over: board, in: test.world, under: active))
    }
    await active.finish(in: test.world)

    #expect(active.isEmpty)
    #expect(try await message(test).state == .handedOver)
    let next = RecordingMessenger(name: "carrier", deduplicatesMessages: deduplicatesMessages)
    await restart(test, next)
    #expect(next.tries == 0)
  }

  @Test("L-06 a provider that refuses while the process ends leaves the message to the next one")
  func refused() async throws {
    let test = try await TestWorld()
    _ = await test.begin()
    let active = ActiveHandOvers()
    let carrier = PausingMessenger(deduplicatesMessages: false) {
      await markUnfinished(active.stop(), in: test.world)
      return .retry(afterSeconds: 1)
    }
    let other = RecordingMessenger(name: "other", deduplicatesMessages: false)
    let board = MessengerRouter([.init(carrier), .init(other)])

    for message in await leaseMessages(limit: 1, over: board, in: test.world) {
      #expect(await !handOver(message, over: board, in: test.world, under: active))
    }

    #expect(other.tries == 0)
    await restart(test, other)
    #expect(other.messages.count == 1)
    #expect(try await message(test).unclearCount == 0)
  }

  @Test("A message that was not yet sent to a provider is sent by the next process, at once")
  func notAsked() async throws {
    let test = try await TestWorld()
    _ = await test.begin()
    let active = ActiveHandOvers()
    let carrier = RecordingMessenger(name: "carrier", deduplicatesMessages: false)
    let board = MessengerRouter([.init(carrier)])
    let taken = await leaseMessages(limit: 1, over: board, in: test.world)
    #expect(active.stop().isEmpty && active.isStopping)

    for message in taken {
      #expect(await !handOver(message, over: board, in: test.world, under: active))
    }
    #expect(carrier.tries == 0)
    await deliverMessages(over: board, in: test.world)

    #expect(carrier.messages.count == 1)
    #expect(try await message(test).unclearCount == 0)
  }
}
