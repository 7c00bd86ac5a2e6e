internal import Cryptography
internal import ShellContract
internal import SignInEngine
internal import SignInFlow
internal import SignInModel
internal import SignInWire

// The tabs of a device share a simulated shell. The world chooses when it works and what fails.
extension Simulation {
  func happen(_ event: Event, in tab: SimulatedTab) {
    let before = ScreenSnapshot(tab, at: clock.now())
    let effects = tab.handle(event, at: clock.now())
    // A person who signs in has seen the session, even if the app is closed in the same moment.
    if case .signedIn(let id) = tab.stage, before.place == .out, !tab.isHidden {
      tab.device.lastShown[id] = tab.device.lastShown[id] ?? clock.now()
    }
    for effect in effects {
      // A person may close the app between any two effects.
      if !haveConditionsEnded, chance.isOne(in: 200) {
        kill(tab)
        break
      }
      perform(effect, in: tab)
    }
    guard tab.isOpen else { return }
    judge(tab, before, after: event)
    if event == .device(.userActiveInOtherTab) || event == .session(.lockSet) {
      tab.use(at: clock.now())
    }
    // The engine ignores an answer that nothing waits for.
    if case .answered = event { return }
    if !tab.isHidden { sawTab(tab) }
  }

  private func perform(_ effect: Effect, in tab: SimulatedTab) {
    let device = tab.device
    if device.shell.accept(effect, from: tab.place) {
      if case .saveLastSeen = effect {
        // A hidden tab can only report when it was last visible.
        let asked = tab.isHidden ? tab.lastSeen : clock.now()
        device.seenAsked = max(device.seenAsked, asked)
        tab.seenTimes.append(asked)
      }
      return scheduleWork(on: device)
    }
    switch effect {
    case .makeVerifier:
      let verifier = Base64URL.encode(randomness.bytes(32))
      let challenge = Base64URL.encode(SHA256Digest.of(verifier))
      reply(.signIn(.verifierMade(verifier: Secret(verifier), challenge: challenge)), to: tab)
    case .startTicking:
      tab.isTicking = true
      plan(.tick(tab.number, run: tab.run), in: 1000...20_000)
    case .stopTicking: tab.isTicking = false
    case .offlineCopy(.read): reply(.home(.offlineCopy(.read(.absent))), to: tab)
    case .offlineCopy(.write): reply(.home(.offlineCopy(.written(.refused))), to: tab)
    default: break
    }
  }

  private func reply(_ event: Event, to tab: SimulatedTab) {
    plan(.event(tab.number, run: tab.run, event), in: 1...20)
  }

  // MARK: Runs

  func open(_ tab: SimulatedTab) {
    guard !tab.isOpen else { return }
    note("opened", tab.number)
    tab.open(at: clock.now())
    let page = "p\(tab.number)-\(tab.run)"
    happen(
      .started(utcOffsetSeconds: 0, app: AppProfile(tab.device.person.app), page: page), in: tab)
    happen(.session(.lockSupportChecked(tab.device.hasSensor)), in: tab)
  }

  func kill(_ tab: SimulatedTab) {
    guard tab.isOpen else { return }
    note("killed", tab.number)
    interrupt(tab)
    tab.close(at: clock.now())
    scheduleWork(on: tab.device)
    plan(.open(tab.number), in: 500...20_000)
  }

  func tick(_ tab: SimulatedTab) {
    guard tab.isTicking else { return }
    happen(.ticked, in: tab)
    guard tab.isOpen, tab.isTicking else { return }
    plan(.tick(tab.number, run: tab.run), in: haveConditionsEnded ? 2000...4000 : 1000...35_000)
  }

  // MARK: Storage

  func readChange(_ tab: SimulatedTab) {
    tab.device.shell.enqueue(.readChange, in: tab.place)
    scheduleWork(on: tab.device)
  }

  /// Plans the next task of each tab that has one.
  func scheduleWork(on device: SimulatedDevice) {
    for tab in tabs
    where tab.device === device && tab.isOpen && !tab.isBusy && !tab.tasks.isEmpty {
      tab.isBusy = true
      plan(.work(tab.number, run: tab.run), in: storageDelay)
    }
  }

  /// Storage is sometimes slow.
  private var storageDelay: ClosedRange<Int64> {
    may(.devices) && chance.isOne(in: 40) ? 2000...20_000 : 1...15
  }

  func work(_ tab: SimulatedTab) {
    guard let task = tab.tasks.first else { return tab.isBusy = false }
    let device = tab.device
    let faults = faults(of: task, in: tab)
    let wasStored = device.disk.session
    for outcome in device.shell.work(tab.place, faults) where tab.isOpen {
      carryOut(outcome, of: task, in: tab)
    }
    if case .effect(.saveLastSeen) = task, tab.isOpen {
      let asked = tab.seenTimes.removeFirst()
      let isStored = faults.write == .works && wasStored != nil
      if isStored { device.seenKept = max(device.seenKept, asked) }
    }
    if tab.isOpen { tab.isBusy = false }
    scheduleWork(on: device)
  }

  private func carryOut(
    _ outcome: SimulatedShell.Outcome, of task: SimulatedShell.Task, in tab: SimulatedTab
  ) {
    let device = tab.device
    switch outcome {
    case .send(let id, let call): send(call, as: id, from: tab)
    case .cancel(let id): tab.cancel(id)
    case .writeRefused: note("refused", tab.number)
    case .writeLost: note("acknowledged and lost", tab.number)
    case .stored(let before): stored(before, of: task, by: tab)
    case .event(let event):
      // A person who unlocks is present, although the prompt may cover the app.
      if case .session(.unlocked) = event, device.disk.lock != nil { tab.use(at: clock.now()) }
      happen(event, in: tab)
    }
  }

  private func stored(
    _ before: SimulatedShell.Contents, of task: SimulatedShell.Task, by tab: SimulatedTab
  ) {
    let device = tab.device
    device.before = before
    noteStored(device)
    for other in tabs where other !== tab && other.device === device && other.isOpen {
      plan(.changed(other.number, run: other.run), in: 1...2)
    }
    switch task {
    case .effect(.saveSession), .effect(.savePendingRevocation): noteStoredOver(device)
    default: break
    }
  }

  /// A kill during a write: the write is complete, missing, or partial.
  func interrupt(_ tab: SimulatedTab) {
    guard profile.has(.devices), tab.isBusy, let task = tab.tasks.first,
      !tab.device.isStorageLocked
    else { return }
    let before = tab.device.disk
    switch task {
    case .effect(.saveSession(let text)), .effect(.savePendingRevocation(let text)):
      guard chance.isOne(in: 2) else { return }
      tab.device.shell.disk = SimulatedShell.Contents(session: text.revealed)
    case .effect(.replaceSession(let old, let new)):
      guard before.session == old.revealed, chance.isOne(in: 2) else { return }
      let isTorn = chance.isOne(in: 8)
      tab.device.shell.disk.session = isTorn ? "{torn" : new.revealed
      // The revocations in it are lost.
      if isTorn {
        tab.device.earlierTokens = []
        laws.destroyedSessions(of: tab.device.key, server.store.tables)
      }
    default: return
    }
    stored(before, of: task, by: tab)
  }

  // MARK: Faults

  private func faults(
    of task: SimulatedShell.Task, in tab: SimulatedTab
  ) -> SimulatedShell.Faults {
    var faults = SimulatedShell.Faults()
    faults.reading = damagedReading(for: tab)
    faults.write = writeFault(of: task, on: tab.device)
    switch task {
    case .effect(.setLock): if chance.isOne(in: 8) { faults.prompt = .busy }
    case .effect(.unlock) where !haveConditionsEnded:
      if chance.isOne(in: 6) { faults.prompt = .cancelled }
      if chance.isOne(in: 12) { faults.prompt = .busy }
    default: break
    }
    return faults
  }

  /// What storage reports instead of its contents, if it is faulty or has a planted defect.
  private func damagedReading(for tab: SimulatedTab) -> StorageReading? {
    let device = tab.device
    if device.isStorageLocked || (!haveConditionsEnded && chance.isOne(in: 30)) {
      return defect == .unreadableStorageSaysAbsent ? .absent : .temporarilyUnreadable
    }
    guard let session = device.disk.session else { return nil }
    if defect == .storageRestoresOldSession, hasRevocation(device), let old = device.before.session
    {
      return .value(Secret(old))
    }
    return defect == .lockedSessionOpensItself ? .value(Secret(session)) : nil
  }

  private func writeFault(
    of task: SimulatedShell.Task, on device: SimulatedDevice
  ) -> SimulatedShell.Faults.WriteOutcome {
    if device.isStorageLocked { return .refused }
    guard may(.devices), task.changesSession else { return .works }
    if chance.isOne(in: 50) {
      if defect == .storageFailsForever { device.isStorageLocked = true }
      return .refused
    }
    return chance.isOne(in: 80) ? .lost : .works
  }
}
