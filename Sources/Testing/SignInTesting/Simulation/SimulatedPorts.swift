internal import SignInModel
internal import SignInService

/// The store as one life of the server sees it: other tasks go on before and after each
/// transaction, and a server that has crashed writes nothing any more.
struct LivingStore: Store {
  let store: MemoryStore
  let life: ServerLife
  let simulation: SimulationReference

  func transact<Answer: Sendable>(
    _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    await Task.yield()
    try checkLife()
    let answer = try await watched(decide)
    // Durable by now; whether anybody learns of it is another matter.
    await Task.yield()
    try checkLife()
    return answer
  }

  func read<Answer: Sendable>(
    _ look: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    await Task.yield()
    try checkLife()
    return try await store.read(look)
  }

  /// Nobody outside may be asked for anything until it is decided and durable.
  private func watched<Answer: Sendable>(
    _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    let laws = simulation.world.laws
    defer { laws.isDeciding = false }
    return try await store.transact { (transaction) throws(StoreFault) in
      laws.isDeciding = true
      return try decide(transaction)
    }
  }

  private func checkLife() throws(StoreFault) {
    if life.isOver { throw .unavailable("the process is gone") }
  }
}

/// The server's clock, which notes when each task looked at it.
struct LivingClock: Clock {
  let clock: SimulatedClock
  let life: ServerLife
  let isLate: Bool

  func now() -> Instant {
    let now = clock.now()
    guard let errand = Errand.current else { return now }
    errand.readClock = now
    if isLate, case .verify = errand.kind { return now.adding(seconds: -1) }
    return now
  }

  func pause(milliseconds: Int64) async {
    if life.isOver { return }
    await clock.pause(milliseconds: milliseconds)
  }
}

/// Compares passwords, slowly enough for others to come between, and tells the laws of each.
struct LivingPasswords: PasswordHashing {
  let passwords: FastPasswordHashing
  let life: ServerLife
  let simulation: SimulationReference

  func hash(_ password: Secret) async throws(PasswordHashingFault) -> String {
    await Task.yield()
    let world = simulation.world
    if life.isOver { throw .overloaded(retrySeconds: 1) }
    if !world.isCalm, world.chance.isOne(in: 40) { throw .overloaded(retrySeconds: 1) }
    return world.hash(password, for: Errand.current)
  }

  func verify(
    _ password: Secret, against encoded: String
  ) async throws(PasswordHashingFault) -> Bool {
    await Task.yield()
    let world = simulation.world
    if life.isOver { throw .overloaded(retrySeconds: 1) }
    if !world.isCalm, world.chance.isOne(in: 40) { throw .overloaded(retrySeconds: 1) }
    world.laws.askedOutside("the hashing of passwords")
    let isRight = try await passwords.verify(password, against: encoded)
    world.note(
      isRight ? "a right password" : "a wrong password", 0, 0, Errand.current?.counterKey ?? "")
    if let errand = Errand.current {
      world.laws.passwordCompared(encoded, isRight: isRight, errand)
    }
    await Task.yield()
    switch world.defect {
    case .anyPassword: return true
    case .deafness: return isRight && (world.isCalm || !world.chance.isOne(in: 10))
    default: return isRight
    }
  }
}

/// A provider of text messages: slow, at times out of order, and forgetful of whether it answered.
struct LivingMessenger: TextMessenger {
  let name = "simulated"
  let knowsRepetitions = true
  let life: ServerLife
  let simulation: SimulationReference

  func carries(_ recipient: Recipient) -> Bool { true }

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Charge {
    await Task.yield()
    let world = simulation.world
    world.laws.askedOutside("a provider")
    if life.isOver || !world.isCalm && world.chance.isOne(in: 12) { throw .retry(afterSeconds: 2) }
    world.takeCharge(of: message)
    if world.defect == .doubleHandOver { world.takeCharge(of: message) }
    // It has taken charge; the answer may still be lost with the server.
    await Task.yield()
    if life.isOver { throw .retry(afterSeconds: 2) }
    return Charge()
  }
}

/// Leads from a port back to its world, which owns the port.
///
/// `@unchecked Sendable`: a world lives on one thread.
struct SimulationReference: @unchecked Sendable {
  unowned let world: Simulation
}
