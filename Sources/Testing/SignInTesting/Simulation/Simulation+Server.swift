internal import SignInModel
internal import SignInRules
internal import SignInService

// The real server, its store and its ports.
extension Simulation {
  func makeServer() -> SimulatedServer {
    let reference = SimulationReference(world: self)
    let store = MemoryStore(committing: { before, after in
      reference.world.committed(before, &after)
    })
    store.tables = firstTables
    return SimulatedServer(store: store, executor: executor, clock: clock) { [unowned self] life in
      ports(of: life, over: store)
    }
  }

  private func committed(_ before: MemoryTables, _ after: inout MemoryTables) {
    damage(before, &after)
    delayEvents(before, &after)
    if trace.isNarrated { reportCounters(before, after) }
    for (id, session) in before.sessions where after.sessions[id] == nil {
      ends.removed[id] = session.end
    }
    laws.committed(before, after, at: clock.now())
  }

  private func ports(of life: ServerLife, over store: MemoryStore) -> ServerPorts {
    let reference = SimulationReference(world: self)
    var simulated = SimulatedStore(store: store, life: life, laws: laws)
    if defect == .endedSessionKeepsAccess {
      simulated.damageReading = { tables in
        for id in tables.sessions.keys { tables.sessions[id]?.end = nil }
      }
    }
    var ports = ServerPorts(
      clients: profile.clients, store: simulated,
      clock: SimulatedServerClock(
        clock: clock, timers: timers, life: life, isLate: defect == .clockOneSecondLate),
      randomness: randomness,
      passwords: SimulatedPasswords(passwords: passwords, life: life, simulation: reference),
      signatureScheme: signatureScheme,
      messenger: SimulatedMessenger(
        deduplicatesMessages: messengerDeduplicates, life: life, simulation: reference)
    )
    if defect == .proofsNotRemembered { ports.proofs = ForgetfulProofLedger() }
    return ports
  }

  private var firstTables: MemoryTables {
    var tables = MemoryTables()
    for person in profile.people {
      tables.accounts[person.account.id] = person.account
      for activity in SimulatedPeople.activities(of: person) {
        tables.activities[activity.key] = activity
      }
    }
    return tables
  }

  // MARK: Crashes

  func crash() {
    guard !haveConditionsEnded else { return }
    plan(.restart, in: 100...60_000)
    guard server.isUp else { return }
    if chance.isOne(in: 3) { return stop() }
    note("the server crashes", server.life.number)
    server.crash()
    damageByCrash()
  }

  /// Stops the server in order: it accepts no more requests and waits for its hand-overs.
  ///
  /// The next start kills it if it has not ended by then.
  private func stop() {
    let number = server.life.number
    note("the server stops", number)
    let reference = SimulationReference(world: self)
    server.stop { reference.world.note("the server has stopped", number) }
  }

  func restart() {
    guard !server.isUp else { return }
    if !server.life.isOver {
      server.crash()
      damageByCrash()
    }
    server.restart()
    note("the server starts", server.life.number)
    laws.checkAcknowledged(server.store.tables)
    if !haveConditionsEnded, !chance.isOne(in: 3) { plan(.crash, in: 2000...300_000) }
  }

  // MARK: The server's own tasks

  /// Wakes the server's own tasks whose pauses have ended.
  ///
  /// An idle server has nothing to do when it wakes. To save time, it wakes after only some events.
  func wakeTimers() {
    // Open requests may have to be answered after an event is written, and again after it is
    // linked. So each event counts twice.
    let tables = server.store.tables
    let events = tables.events.count + Int(tables.lastUnlinkedEvent)
    let hasNews = events > checkedEvents && server.hasOpenRequests
    let isWaiting = tables.messages.values.contains { $0.state == .waiting }
    // Three workers always pause between their rounds: those of the outbox, of the links between
    // events and of open requests. A further pause belongs to a task in progress.
    let isDue = isWaiting || timers.sleeperCount > 3
    guard hasNews || chance.isOne(in: isDue ? 3 : server.hasOpenRequests ? 4 : 20) else { return }
    checkedEvents = events
    timers.set(clock.now())
  }
}
