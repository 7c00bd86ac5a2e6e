internal import SignInModel
internal import SignInService

/// The store of one run of the server.
///
/// Other tasks continue before and after each transaction, and a crashed server writes nothing.
struct SimulatedStore: Store {
  let store: MemoryStore
  let life: ServerLife
  let laws: LawBook
  /// Changes what a reading sees, for a planted defect.
  var damageReading: (@Sendable (inout MemoryTables) -> Void)?

  func transact<Answer: Sendable>(
    about subjects: [Subject],
    _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    await Task.yield()
    try checkLife()
    let answer = try await watched(subjects, decide)
    // The transaction is durable here. Its answer may still be lost.
    await Task.yield()
    try checkLife()
    return answer
  }

  func read<Answer: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    await Task.yield()
    try checkLife()
    guard let damageReading else { return try await store.read(body) }
    var tables = store.tables
    damageReading(&tables)
    return try body(MemoryTransaction(tables, mayWrite: false, eventKey: nil))
  }

  /// Marks the time of a decision, in which the server must not call another system.
  private func watched<Answer: Sendable>(
    _ subjects: [Subject],
    _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    defer { laws.isDeciding = false }
    return try await store.transact(about: subjects) { [laws] (transaction) throws(StoreFault) in
      laws.isDeciding = true
      return try decide(transaction)
    }
  }

  private func checkLife() throws(StoreFault) {
    if life.isOver { throw .unavailable("the process is gone") }
  }
}

/// The server's clock.
///
/// It records when each task reads it. The pauses of the server's own tasks are those of `timers`,
/// so that the world decides which of them end.
struct SimulatedServerClock: Clock {
  let clock: SimulatedClock
  let timers: SimulatedClock
  let life: ServerLife
  let isLate: Bool

  func now() -> Instant {
    let now = clock.now()
    guard let operation = SimulatedOperation.current else { return now }
    operation.readClock = now
    if isLate, case .verify = operation.kind { return now.adding(seconds: -1) }
    return now
  }

  func pause(milliseconds: Int64) async {
    if life.isOver { return }
    if case .background? = SimulatedOperation.current?.kind {
      await timers.pause(milliseconds: milliseconds)
    } else {
      await clock.pause(milliseconds: milliseconds)
    }
  }
}

/// Compares passwords slowly enough for other tasks to run, and reports each comparison to the
/// laws.
struct SimulatedPasswords: PasswordHashing {
  let passwords: FastPasswordHashing
  let life: ServerLife
  let simulation: SimulationReference

  func hash(_ password: Secret) async throws(PasswordHashingFault) -> String {
    await Task.yield()
    let world = simulation.world
    if life.isOver { throw .overloaded(retrySeconds: 1) }
    if world.may(.overload), world.chance.isOne(in: 40) { throw .overloaded(retrySeconds: 1) }
    return world.hash(password, for: SimulatedOperation.current)
  }

  func verify(
    _ password: Secret, against encoded: String
  ) async throws(PasswordHashingFault) -> Bool {
    await Task.yield()
    let world = simulation.world
    if life.isOver { throw .overloaded(retrySeconds: 1) }
    if world.may(.overload), world.chance.isOne(in: 40) { throw .overloaded(retrySeconds: 1) }
    world.laws.calledOtherSystem("the hashing of passwords")
    let isRight = try await passwords.verify(password, against: encoded)
    world.note(
      isRight ? "a right password" : "a wrong password", 0, 0,
      SimulatedOperation.current?.counterKey.map { "\($0)" } ?? "")
    if let operation = SimulatedOperation.current {
      world.laws.passwordCompared(encoded, isRight: isRight, operation)
    }
    await Task.yield()
    switch world.defect {
    case .everyPasswordAccepted: return true
    case .rightPasswordRefused:
      return isRight && (world.haveConditionsEnded || !world.chance.isOne(in: 10))
    default: return isRight
    }
  }
}

/// Accepts every proof again, for a planted defect.
struct ForgetfulProofLedger: ProofLedger {
  func record(
    _ identifier: String, from source: ProofSource?, until expiry: Instant, now: Instant
  ) -> ProofVerdict { .recorded }
}

/// A provider of text messages: slow, sometimes out of order, and sometimes without an answer.
struct SimulatedMessenger: TextMessenger {
  static let onlyName = "simulated"

  let name = onlyName
  let deduplicatesMessages: Bool
  let life: ServerLife
  let simulation: SimulationReference

  /// The provider's own name for a message.
  static func reference(of id: String) -> String { "provider-" + id }

  func carries(_ recipient: Recipient) -> Bool { true }

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance {
    await Task.yield()
    let world = simulation.world
    world.laws.calledOtherSystem("a provider")
    if world.may(.overload), world.chance.isOne(in: 8) {
      await world.timers.pause(milliseconds: world.chance.between(100...4000))
    }
    if life.isOver || world.may(.overload) && world.chance.isOne(in: 12) {
      throw .retry(afterSeconds: 2)
    }
    world.accept(of: message, isRepeatable: deduplicatesMessages)
    if world.defect == .messageHandedOverTwice {
      world.accept(of: message, isRepeatable: deduplicatesMessages)
    }
    // The provider has accepted the message. The answer may still be lost.
    await Task.yield()
    if life.isOver { throw .retry(afterSeconds: 2) }
    if !deduplicatesMessages, world.may(.overload), world.chance.isOne(in: 20) {
      throw .unclear("no answer")
    }
    return Acceptance(reference: Self.reference(of: message.id))
  }
}

/// A reference from a port to its world, which owns the port.
///
/// `@unchecked Sendable`: a world runs on one thread.
struct SimulationReference: @unchecked Sendable {
  unowned let world: Simulation
}
