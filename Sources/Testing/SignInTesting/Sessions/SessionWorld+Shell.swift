internal import Cryptography
internal import JSONText
internal import SignInFlow
internal import SignInModel
internal import SignInWire

// The shell of a tab performs the engine's effects one after another, over unreliable storage.
extension SessionWorld {
  func happen(_ event: Event, in tab: SessionTab) {
    let before = SessionSnapshot(tab, at: clock.now())
    let effects = tab.handle(event, at: clock.now())
    // A person who signs in has seen the session, even if the app is closed in the same moment.
    if let id = tab.signedIn?.renewingSession.record.terms.id, before.place == .out, !tab.isHidden {
      tab.device.lastShown[id] = tab.device.lastShown[id] ?? clock.now()
    }
    for effect in effects {
      // A person may close the app between any two effects.
      if !areFaultsOver, chance.isOne(in: 250) {
        kill(tab)
        break
      }
      perform(effect, in: tab)
    }
    guard tab.isOpen else { return }
    judge(tab, before, after: event)
    if event == .device(.userActiveInOtherTab) || event == .session(.lockSet) {
      tab.lastUsed = clock.now()
    }
    // The engine ignores an answer that nothing waits for.
    if case .answered = event { return }
    if !tab.isHidden { sawTab(tab) }
  }

  private func perform(_ effect: Effect, in tab: SessionTab) {
    switch effect {
    case .call(let id, let call): enqueue(.send(id, call), in: tab)
    case .cancelCall(let id): tab.awaited.remove(id)
    case .makeVerifier:
      let verifier = Base64URL.encode(randomness.bytes(32))
      let challenge = Base64URL.encode(SHA256Digest.of(verifier))
      plan(
        .event(
          tab.number, run: tab.run,
          .signIn(.verifierMade(verifier: Secret(verifier), challenge: challenge))), in: 1...20)
    case .readSession: enqueue(.read, in: tab)
    case .saveSession(let text): enqueue(.save(text.revealed), in: tab)
    case .replaceSession(let old, let new):
      enqueue(.replace(old.revealed, with: new.revealed), in: tab)
    case .savePendingRevocation(let text): enqueue(.storedText(text.revealed), in: tab)
    case .eraseSession: enqueue(.erase, in: tab)
    case .eraseSessionIfUnchanged(let text):
      enqueue(.eraseSessionIfUnchanged(text.revealed), in: tab)
    case .saveLastSeen(let text):
      // A hidden tab can only report when it was last in sight.
      let asked = tab.isHidden ? tab.lastSeen : clock.now()
      tab.device.seenAsked = max(tab.device.seenAsked, asked)
      enqueue(.saveLastSeen(text.revealed, asked: asked), in: tab)
    case .setLock(let text, let card):
      enqueue(.setLock(text.revealed, card: card.revealed), in: tab)
    case .removeLock(let text): enqueue(.removeLock(text.revealed), in: tab)
    case .saveAccountSummary(let text): enqueue(.saveAccountSummary(text.revealed), in: tab)
    case .saveScreenState(let session, let text):
      enqueue(.saveScreenState(session, text.revealed), in: tab)
    case .readScreenState(let session): enqueue(.readScreenState(session), in: tab)
    case .eraseScreenState: enqueue(.eraseScreenState, in: tab)
    case .lock: tab.freed = nil
    case .unlock: enqueue(.unlock, in: tab)
    case .claimRenewal:
      tab.device.waiting.append(tab)
      grantRenewal(on: tab.device)
    case .releaseRenewal: enqueue(.release, in: tab)
    case .startTicking:
      tab.isTicking = true
      plan(.tick(tab.number, run: tab.run), in: 1000...20_000)
    case .stopTicking: tab.isTicking = false
    case .offlineCopy(.read): reply(.home(.offlineCopy(.read(.absent))), to: tab)
    case .offlineCopy(.write): reply(.home(.offlineCopy(.written(.refused))), to: tab)
    case .savePendingSignIn(let text): enqueue(.savePendingSignIn(text), in: tab)
    case .erasePendingSignIn: enqueue(.savePendingSignIn(nil), in: tab)
    case .offlineCopy, .announce, .saveLanguage, .saveProviderMenu, .openBrowser,
      .openSignOutPage:
      break
    }
  }

  private func reply(_ event: Event, to tab: SessionTab) {
    plan(.event(tab.number, run: tab.run, event), in: 1...20)
  }

  func enqueue(_ task: SessionTab.Task, in tab: SessionTab) {
    tab.tasks.append(task)
    guard !tab.isBusy else { return }
    tab.isBusy = true
    plan(.work(tab.number, run: tab.run), in: storageDelay)
  }

  /// Storage is sometimes slow.
  private var storageDelay: ClosedRange<Int64> {
    !areFaultsOver && chance.isOne(in: 40) ? 2000...20_000 : 1...15
  }

  func work(_ tab: SessionTab) {
    guard !tab.tasks.isEmpty else { return tab.isBusy = false }
    let task = tab.tasks.removeFirst()
    perform(task, in: tab)
    guard tab.isOpen else { return }
    if tab.tasks.isEmpty { return tab.isBusy = false }
    plan(.work(tab.number, run: tab.run), in: storageDelay)
  }

  func grantRenewal(on device: SessionDevice) {
    guard device.renewing == nil, !device.waiting.isEmpty else { return }
    let tab = device.waiting.removeFirst()
    device.renewing = tab
    enqueue(.claimed, in: tab)
  }

  /// A kill during a write: the write is complete, missing, or partial.
  func interrupt(_ tab: SessionTab) {
    guard tab.isBusy, let task = tab.tasks.first, !tab.device.isStorageLocked else {
      return
    }
    switch task {
    case .save(let text), .storedText(let text):
      if chance.isOne(in: 2) {
        store(in: tab, .init(session: text))
        noteStoredOver(tab.device)
      }
    case .replace(let old, let new):
      guard tab.device.disk.session == old else { return }
      if chance.isOne(in: 2) {
        var disk = tab.device.disk
        disk.session = chance.isOne(in: 8) ? "{torn" : new
        store(in: tab, disk)
      }
    default: return
    }
  }

  // MARK: Storage

  func reading(for tab: SessionTab) -> StorageReading {
    let device = tab.device
    if device.isStorageLocked || (!areFaultsOver && chance.isOne(in: 30)) {
      return defect == .unreadableStorageSaysAbsent ? .absent : .temporarilyUnreadable
    }
    guard let session = device.disk.session else { return .absent }
    if defect == .storageRestoresOldSession, hasRevocation(device), let old = device.before.session
    {
      return .value(Secret(old))
    }
    guard let lock = device.disk.lock, tab.freed != lock, defect != .lockedSessionOpensItself else {
      return .value(Secret(session))
    }
    return .locked(card: Secret(device.disk.card ?? ""))
  }

  enum StoredBy { case done, refused }

  /// Replaces the contents with `disk`, unless storage refuses or only pretends to write.
  private func write(_ disk: SessionDevice.Disk, by tab: SessionTab) -> StoredBy {
    let device = tab.device
    if device.isStorageLocked || (!areFaultsOver && chance.isOne(in: 50)) {
      if defect == .storageFailsForever { device.isStorageLocked = true }
      note("refused", tab.number)
      return .refused
    }
    if !areFaultsOver, chance.isOne(in: 80) {
      note("acknowledged and lost", tab.number)
      return .done
    }
    store(in: tab, disk)
    return .done
  }

  private func store(in tab: SessionTab, _ disk: SessionDevice.Disk) {
    let device = tab.device
    device.before = device.disk
    device.disk = disk
    noteStored(device)
    for other in tabs
    where other !== tab && other.device === device && other.isOpen {
      plan(.changed(other.number, run: other.run), in: 1...2)
    }
  }

  private func perform(_ task: SessionTab.Task, in tab: SessionTab) {
    let device = tab.device
    switch task {
    case .send(let id, let call): transmit(call, as: id, from: tab)
    case .read:
      happen(
        .storage(
          .read(
            reading(for: tab), seen: device.disk.seen.map { Secret($0) },
            pending: device.isStorageLocked ? nil : device.pendingSignIn)), in: tab)
    case .readChange:
      happen(.storage(.sessionChanged(reading(for: tab))), in: tab)
    case .claimed: happen(.storage(.renewalClaimed(reading(for: tab))), in: tab)
    case .release:
      if device.renewing === tab { device.renewing = nil }
      grantRenewal(on: device)
    case .save(let text):
      if put(text, in: tab) == .refused { happen(.storage(.saveFailed), in: tab) }
    case .replace(let old, let new): replace(old, with: new, in: tab)
    case .storedText(let text): _ = put(text, in: tab)
    case .erase: _ = write(.init(), by: tab)
    case .eraseSessionIfUnchanged(let text):
      if reading(for: tab) == .value(Secret(text)) { _ = write(.init(), by: tab) }
    case .saveLastSeen, .saveAccountSummary, .saveScreenState, .eraseScreenState:
      store(task, in: tab)
    case .savePendingSignIn(let text): if !device.isStorageLocked { device.pendingSignIn = text }
    case .readScreenState(let session):
      let isReadable = !device.isStorageLocked && (device.disk.lock ?? 0) == (tab.freed ?? 0)
      let isOwn = device.disk.place?.session == session
      let text = isReadable && isOwn ? device.disk.place?.text : nil
      happen(.home(.screenStateRead(text.map { Secret($0) })), in: tab)
    case .setLock(let session, let card): setLock(session, card, in: tab)
    case .removeLock(let session):
      var disk = device.disk
      (disk.session, disk.lock, disk.card) = (session, nil, nil)
      swap(session, for: disk, in: tab)
    case .unlock: unlock(tab)
    }
  }

  /// Writes over any contents and reports what they were.
  private func put(_ text: String, in tab: SessionTab) -> StoredBy {
    let device = tab.device
    let replaced = reading(for: tab)
    tab.freed = nil
    guard write(.init(session: text), by: tab) == .done else { return .refused }
    if device.disk.session == text { noteStoredOver(device) }
    happen(.storage(.storedSessionReplaced(replaced)), in: tab)
    return .done
  }

  private func replace(_ old: String, with new: String, in tab: SessionTab) {
    var disk = tab.device.disk
    disk.session = new
    swap(old, for: disk, in: tab)
  }

  /// Writes only if storage still has `old`.
  private func swap(
    _ old: String, for disk: SessionDevice.Disk, in tab: SessionTab
  ) {
    let found = reading(for: tab)
    guard found == .value(Secret(old)) else {
      return happen(.storage(.sessionChanged(found)), in: tab)
    }
    if write(disk, by: tab) == .refused {
      happen(.storage(.sessionChanged(.temporarilyUnreadable)), in: tab)
    }
  }

  /// Stores small records.
  ///
  /// Their failures are not reported.
  private func store(_ task: SessionTab.Task, in tab: SessionTab) {
    let device = tab.device
    guard !device.isStorageLocked, device.disk.session != nil else { return }
    switch task {
    case .saveLastSeen(let text, let asked):
      device.disk.seen = text
      if asked > device.seenKept { device.seenKept = asked }
    case .saveAccountSummary(let text): if device.disk.lock != nil { device.disk.card = text }
    case .saveScreenState(let session, let text):
      if (device.disk.lock ?? 0) == (tab.freed ?? 0) { device.disk.place = (session, text) }
    default: device.disk.place = nil
    }
  }

  // MARK: The lock

  private func setLock(_ session: String, _ card: String, in tab: SessionTab) {
    let device = tab.device
    guard !chance.isOne(in: 8), reading(for: tab) == .value(Secret(session)) else {
      return happen(.session(.lockFailed(.busy)), in: tab)
    }
    var disk = device.disk
    (disk.session, disk.card, disk.lock) = (session, card, device.enrolment)
    guard write(disk, by: tab) == .done else {
      return happen(.session(.lockFailed(.impossible)), in: tab)
    }
    tab.freed = device.enrolment
    happen(.session(.lockSet), in: tab)
  }

  private func unlock(_ tab: SessionTab) {
    let device = tab.device
    if !areFaultsOver {
      if chance.isOne(in: 6) { return happen(.session(.unlockFailed(.cancelled)), in: tab) }
      if chance.isOne(in: 12) { return happen(.session(.unlockFailed(.busy)), in: tab) }
    }
    if let lock = device.disk.lock, lock != device.enrolment {
      return happen(.session(.unlockFailed(.changed)), in: tab)
    }
    // A person who unlocks is present, although the prompt may cover the app.
    if device.disk.lock != nil { tab.lastUsed = clock.now() }
    tab.freed = device.disk.lock
    happen(.session(.unlocked(reading(for: tab))), in: tab)
  }
}
