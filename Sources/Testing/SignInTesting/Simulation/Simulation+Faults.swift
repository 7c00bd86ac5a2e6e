internal import ShellContract
internal import SignInEngine
internal import SignInFlow
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

// Faults of devices, and jumps of time.
extension Simulation {
  func setClock(of device: SimulatedDevice) {
    guard !haveConditionsEnded else { return }
    plan(.clockSet(chance.below(devices.count)), in: 30_000...600_000)
    device.clockErrorMilliseconds = chance.between(-4_000_000...4_000_000)
    device.clockSetAt = clock.now()
    note("a device's clock is set", device.number, device.clockErrorMilliseconds)
  }

  func faultOfDevice() {
    guard !haveConditionsEnded else { return }
    plan(.deviceFault, in: 5000...90_000)
    let device = chance.pick(devices)
    // A fault does not last long.
    if device.isOffline || device.isStorageLocked, !chance.isOne(in: 3) {
      return endFaults(of: device)
    }
    switch chance.below(12) {
    case 0...2: device.isOffline.toggle()
    case 3...5:
      device.isStorageLocked.toggle()
      note("storage is locked or open", device.number, device.isStorageLocked ? 1 : 0)
    case 6:
      device.shell.enrolment += 1
      note("another finger", device.number)
    case 7:
      guard server.isUp, let id = device.disk.session.flatMap(Self.sessionID), end(of: id) == nil,
        let account = server.store.tables.sessions[id]?.account
      else { return }
      note("ended at the server", device.number)
      decide(.endSessions, about: account)
    case 8: reinstall(device)
    case 9, 10: stop(device)
    default:
      for tab in tabs where tab.isOpen { happen(.device(.networkReturned), in: tab) }
    }
  }

  func endFaults(of device: SimulatedDevice) {
    device.isOffline = false
    if defect != .storageFailsForever { device.isStorageLocked = false }
  }

  private func reinstall(_ device: SimulatedDevice) {
    note("reinstalled", device.number)
    if let id = device.disk.session.flatMap(Self.sessionID) { device.ended.insert(id) }
    for tab in tabs where tab.device === device { kill(tab) }
    device.shell.disk = SimulatedShell.Contents()
    device.before = device.disk
    device.earlierTokens = []
  }

  /// Stops the whole device.
  private func stop(_ device: SimulatedDevice) {
    note("stopped", device.number)
    for tab in tabs where tab.device === device { kill(tab) }
    if defect == .acknowledgedWriteLost { device.shell.disk = device.before }
  }

  // MARK: Time

  /// Moves time forward at once, often to a moment near the limit of a rule.
  func jump() {
    guard !haveConditionsEnded else { return }
    plan(.jump, in: profile.has(.devices) ? 60_000...300_000 : 20_000...200_000)
    let now = clock.now()
    let due = edges().filter { $0 > now }
    let target: Instant
    if due.isEmpty || chance.isOne(in: 3) != profile.has(.devices) {
      let seconds: [Int64] = [20, 31, 61, 89, 91, 290, 299, 300, 301, 600, 901, 2339, 2341, 2399]
      let long: [Int64] = [1801, 2401, 7201, 9000, 90_000]
      let passed = chance.isOne(in: 4) ? chance.pick(long) : chance.pick(seconds)
      target = now.adding(milliseconds: passed * 1000 + chance.between(-900...900))
    } else {
      target = chance.pick(due).adding(milliseconds: chance.between(-1500...500))
    }
    guard target > now else { return }
    move(to: target)
    let passed = target.milliseconds - now.milliseconds
    note("time jumps", 0, passed)
    for device in devices {
      // No presence was stored during the jump, and a kill loses the current one.
      device.seenAsked = target
      if defect == .clocksDoNotAdvance { device.stoppedMilliseconds += passed }
    }
    // People who waited for this moment act quickly.
    for tab in tabs { planAct(at: tab, in: 1...900) }
    for number in rawClients.indices { planMove(of: number, in: 1...900) }
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
      edges += [session.expiresAt, session.lastUsedAt.adding(seconds: profile.idleSeconds)]
      // The moments when an access token is about to expire and tabs renew it.
      edges.append(session.lastUsedAt.adding(seconds: 30))
      edges.append(session.lastUsedAt.adding(seconds: 60))
    }
    return edges.sorted()
  }
}
