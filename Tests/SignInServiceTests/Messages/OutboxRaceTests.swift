import Cryptography
import SignInModel
import SignInRules
import SignInService
import SignInTesting
import Testing

/// Two senders work on one outbox without knowing of each other.
@Suite("Two senders at one outbox")
struct OutboxRaceTests {
  /// A messenger that runs an action before it answers.
  struct SlowMessenger: TextMessenger {
    let name = "slow"
    let deduplicatesMessages = true
    let fault: TextMessengerFault?
    let action: @Sendable () async -> Void

    func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance {
      await action()
      if let fault { throw fault }
      return Acceptance()
    }
  }

  @Test("L-06 a message that another sender has handed over is not handed over again")
  func overtaken() async throws {
    let world = try await TestWorld()
    _ = await world.begin()
    let slow = SlowMessenger(fault: .retry(afterSeconds: 0)) {
      world.clock.advance(seconds: OutboxLimits.leaseSeconds)
      await deliverMessages(through: [world.messenger], in: world.world)
    }

    await deliverMessages(through: [slow], in: world.world)
    world.clock.advance(seconds: OutboxLimits.leaseSeconds)
    await deliverMessages(through: [world.messenger], in: world.world)

    #expect(world.messenger.messages.count == 1)
  }

  @Test("L-06 L-07 a sender that outlasts its lease leaves the message to others")
  func keptPastLease() async throws {
    let world = try await TestWorld()
    for person in ["b", "c"] { try await world.addWaitingMessage(person) }
    let slow = SlowMessenger(fault: nil) {
      world.clock.advance(seconds: OutboxLimits.leaseSeconds)
    }

    await deliverMessages(through: [slow, world.messenger], in: world.world)

    #expect(try await world.tries(of: "c") == 2)
  }
}

extension OutboxRaceTests {
  @Test("L-07 during a provider request the store accepts other decisions")
  func noTransactionAround() async throws {
    let world = try await TestWorld()
    _ = await world.begin()
    let slow = SlowMessenger(fault: nil) { _ = await world.begin("wrong") }

    await deliverMessages(through: [slow], in: world.world)

    let lockout = try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.lockout(LockoutKey(AccountID("tara")))
    }
    #expect(lockout.failures == 1)
  }
}

extension OutboxRaceTests {
  @Test("L-07 L-06 eight senders on eight nodes hand each of fifty messages over once")
  func manySenders() async throws {
    let world = try await TestWorld()
    for number in 0..<50 { try await world.addWaitingMessage("m\(number)") }
    let provider = RecordingMessenger(name: "provider")
    for number in 0..<30 {
      provider.failNext(number.isMultiple(of: 2) ? .retry(afterSeconds: 1) : .unclear("no answer"))
    }

    for _ in 0..<10 {
      await withTaskGroup { nodes in
        for _ in 0..<8 {
          // Nodes do not share what they know of their providers.
          nodes.addTask { await deliverMessages(through: [provider], in: world.world) }
        }
      }
      world.clock.advance(seconds: OutboxLimits.leaseSeconds)
    }

    let ids = provider.messages.map(\.id)
    #expect(ids.count == 50)
    #expect(Set(ids).count == 50)
  }
}

extension TestWorld {
  fileprivate func addWaitingMessage(_ id: String) async throws {
    let message = OutboxMessage(
      id: id, to: .phone(try PhoneNumber(parsing: "+15550101234")),
      sealedText: world.keyring.outbox.seal(Array("123456".utf8), context: id),
      createdAt: Self.start, expiresAt: Self.start.adding(seconds: 300), leasedUntil: Self.start,
      tries: 0, state: .waiting
    )
    try await store.transact { (transaction) throws(StoreFault) in try transaction.insert(message) }
  }

  fileprivate func tries(of id: String) async throws -> Int64? {
    try await store.read { (transaction) throws(StoreFault) in try transaction.message(id)?.tries }
  }
}
