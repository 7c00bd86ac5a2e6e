internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

// Events of the server: crashes, stalls, jumps of time, administrators.
extension Simulation {
  func crash() {
    plan(.restart, in: 100...60_000)
    guard server.isUp else { return }
    if chance.isOne(in: 3) { return stop() }
    note("the server crashes", server.life.number, Int64(openRequests))
    server.crash()
    damageByCrash()
  }

  /// Stops the server in order: it accepts no more requests and waits for its hand-overs.
  ///
  /// The next start kills it if it has not ended by then.
  private func stop() {
    let number = server.life.number
    note("the server stops", number, Int64(openRequests))
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
    if !chance.isOne(in: 3) { plan(.crash, in: 2000...300_000) }
  }

  func setClock(of device: SimulatedDevice) {
    plan(.clockSet(chance.below(tabs.count)), in: 30_000...600_000)
    device.clockErrorMilliseconds = chance.between(-4_000_000...4_000_000)
    note("a device's clock is set", device.key.number, device.clockErrorMilliseconds)
  }

  /// Moves time forward at once, usually to a moment near the limit of a rule.
  func jump() {
    plan(.jump, in: 20_000...200_000)
    let now = clock.now()
    let due = edges().filter { $0 > now }
    let target: Instant
    if due.isEmpty || chance.isOne(in: 3) {
      target = now.adding(seconds: chance.pick([31, 61, 290, 301, 901, 1801, 7201, 90_000]))
    } else {
      target = chance.pick(due).adding(milliseconds: chance.between(-1500...500))
    }
    guard target > now else { return }
    clock.set(target)
    note("time jumps", 0, target.milliseconds - now.milliseconds)
    // People who waited for this moment act quickly.
    for tab in tabs { plan(.person(tab.number), in: 1...900) }
    for number in rawClients.indices { plan(.rawClient(number), in: 1...900) }
  }

  private func edges() -> [Instant] {
    let tables = server.store.tables
    var edges: [Instant] = []
    for challenge in tables.challenges.values {
      edges += [challenge.expiresAt, challenge.resendAt]
    }
    for lockout in tables.lockouts.values {
      if let until = lockout.lockedUntil { edges.append(until) }
      if lockout.reserved > 0 { edges.append(lockout.reservedAt.adding(seconds: 30)) }
    }
    for session in tables.sessions.values where session.end == nil {
      edges += [session.expiresAt, session.lastUsedAt.adding(seconds: SimulatedPeople.idleSeconds)]
      // The moments when an access token is about to expire and tabs renew it.
      edges.append(session.lastUsedAt.adding(seconds: 30))
      edges.append(session.lastUsedAt.adding(seconds: 60))
    }
    return edges.sorted()
  }

  // MARK: The server's own tasks

  /// Ends the pauses of the server's own tasks that are due.
  ///
  /// Most wakes of an idle server change nothing, so most of them are left out.
  func wakeTimers() {
    plan(.timers, in: 1000...5000)
    let isWaiting = server.store.tables.messages.values.contains { $0.state == .waiting }
    // The outbox worker, the linker of events and the worker for open requests always have one
    // pause each.
    let isDue = isWaiting || timers.sleeperCount > 3
    let mayBeDue = chance.isOne(in: server.hasOpenRequests ? 5 : 30)
    if isDue || mayBeDue { timers.set(clock.now()) }
  }
}
