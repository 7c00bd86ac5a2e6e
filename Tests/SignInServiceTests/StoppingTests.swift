import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

/// A process ends while messages are being handed over.
@Suite("Ending while messages are handed over")
struct StoppingTests {
  /// Does something before it answers.
  private struct PausingMessenger: TextMessenger {
    let name = "carrier"
    let knowsRepetitions: Bool
    let before: @Sendable () async -> TextMessengerFault?
    let recorder = RecordingMessenger(name: "carrier")

    func send(_ message: TextMessage) async throws(TextMessengerFault) -> Charge {
      if let fault = await before() { throw fault }
      return try await recorder.send(message)
    }
  }

  private func message(_ test: TestWorld) async throws -> OutboxMessage {
    let page = try await test.store.read { (look) throws(StoreFault) in
      try look.messages(after: nil, limit: 10)
    }
    return try #require(page.first)
  }

  /// The next process: everything that waits is taken up once its lease expires.
  private func restart(_ test: TestWorld, _ messenger: RecordingMessenger) async {
    for _ in 0..<5 {
      test.clock.advance(seconds: OutboxLimits.leaseSeconds)
      await deliverMessages(over: Switchboard([.init(messenger)]), in: test.world)
    }
  }

  @Test(
    "L-06 a provider asked when the process ends is not asked again, unless it knows repetitions",
    arguments: [(false, 0), (true, 1)]
  )
  func killedWhileAsking(_ knowsRepetitions: Bool, _ asked: Int) async throws {
    let test = try await TestWorld()
    _ = await test.begin()
    let underWay = HandOversUnderWay()
    let carrier = PausingMessenger(knowsRepetitions: knowsRepetitions) {
      await markUnfinished(underWay.stop(), in: test.world)
      return nil
    }
    let board = Switchboard([.init(carrier)])
    let taken = await takeUpMessages(limit: 1, over: board, in: test.world)
    // The store of a process that is killed hears no more of the answer.
    let gone = try await TestWorld()
    for message in taken {
      _ = await handOver(message, over: board, in: gone.world, under: underWay)
    }
    #expect(carrier.recorder.messages.count == 1 && underWay.isEmpty)

    let next = RecordingMessenger(name: "carrier", knowsRepetitions: knowsRepetitions)
    await restart(test, next)

    #expect(next.tries == asked)
    #expect(try await message(test).state == (knowsRepetitions ? .handedOver : .failed))
  }

  @Test("An answer that comes within the grace period is written down", arguments: [true, false])
  func answered(_ knowsRepetitions: Bool) async throws {
    let test = try await TestWorld()
    _ = await test.begin()
    let underWay = HandOversUnderWay()
    let carrier = PausingMessenger(knowsRepetitions: knowsRepetitions) {
      await markUnfinished(underWay.stop(), in: test.world)
      return nil
    }
    let board = Switchboard([.init(carrier)])

    for message in await takeUpMessages(limit: 1, over: board, in: test.world) {
      #expect(await handOver(message, over: board, in: test.world, under: underWay))
    }
    await underWay.finish(in: test.world)

    #expect(underWay.isEmpty)
    #expect(try await message(test).state == .handedOver)
    let next = RecordingMessenger(name: "carrier", knowsRepetitions: knowsRepetitions)
    await restart(test, next)
    #expect(next.tries == 0)
  }

  @Test("L-06 a provider that refuses while the process ends leaves the message to the next one")
  func refused() async throws {
    let test = try await TestWorld()
    _ = await test.begin()
    let underWay = HandOversUnderWay()
    let carrier = PausingMessenger(knowsRepetitions: false) {
      await markUnfinished(underWay.stop(), in: test.world)
      return .retry(afterSeconds: 1)
    }
    let other = RecordingMessenger(name: "other", knowsRepetitions: false)
    let board = Switchboard([.init(carrier), .init(other)])

    for message in await takeUpMessages(limit: 1, over: board, in: test.world) {
      #expect(await !handOver(message, over: board, in: test.world, under: underWay))
    }

    #expect(other.tries == 0)
    await restart(test, other)
    #expect(other.messages.count == 1)
    #expect(try await message(test).doubts == 0)
  }

  @Test("What was taken up but not asked for yet is the next process's, at once")
  func notAsked() async throws {
    let test = try await TestWorld()
    _ = await test.begin()
    let underWay = HandOversUnderWay()
    let carrier = RecordingMessenger(name: "carrier", knowsRepetitions: false)
    let board = Switchboard([.init(carrier)])
    let taken = await takeUpMessages(limit: 1, over: board, in: test.world)
    #expect(underWay.stop().isEmpty && underWay.isStopping)

    for message in taken {
      #expect(await !handOver(message, over: board, in: test.world, under: underWay))
    }
    #expect(carrier.tries == 0)
    await deliverMessages(over: board, in: test.world)

    #expect(carrier.messages.count == 1)
    #expect(try await message(test).doubts == 0)
  }
}
