internal import Cryptography
internal import JSONText
internal import SignInFlow
internal import SignInModel
internal import SignInWire

// The shell of a window: does what the core asks for, one thing after the other, over storage that
// does as it likes.
extension SessionWorld {
  func happen(_ event: Event, in window: SessionWindow) async {
    let before = Standing(window, at: clock.now())
    let effects = window.handle(event, at: clock.now())
    // Whoever signs in has seen it, even if the app is closed in the same moment.
    if let id = window.signedIn?.keeping.record.terms.id, before.place == .out, !window.isHidden {
      window.device.lastShown[id] = window.device.lastShown[id] ?? clock.now()
    }
    for effect in effects {
      // A person may close the app between any two of its effects.
      if !isCalm, chance.isOne(in: 250) {
        kill(window)
        break
      }
      await perform(effect, in: window)
    }
    guard window.isOpen else { return }
    judge(window, before, after: event)
    if event == .device(.usedElsewhere) || event == .device(.lockSet) {
      window.lastUsed = clock.now()
    }
    // An answer nobody waits for any more passes the core by.
    if case .answered = event { return }
    if !window.isHidden { sawWindow(window) }
  }

  private func perform(_ effect: Effect, in window: SessionWindow) async {
    switch effect {
    case .call(let id, let call): enqueue(.send(id, call), in: window)
    case .cancelCall(let id): window.awaited.remove(id)
    case .makeVerifier:
      let verifier =
        "verifier-\(window.number)-\(report.steps)-" + String(repeating: "v", count: 40)
      let challenge = Base64URL.encode(SHA256Digest.of(verifier))
      plan(
        .event(
          window.number, run: window.run,
          .verifierMade(verifier: Secret(verifier), challenge: challenge)), in: 1...20)
    case .readSession: enqueue(.read, in: window)
    case .saveSession(let text): enqueue(.save(text.revealed), in: window)
    case .replaceSession(let old, let new):
      enqueue(.replace(old.revealed, with: new.revealed), in: window)
    case .leaveTombstone(let text): enqueue(.tombstone(text.revealed), in: window)
    case .eraseSession: enqueue(.erase, in: window)
    case .eraseIfStill(let text): enqueue(.eraseIfStill(text.revealed), in: window)
    case .keepSeen(let text):
      // A window out of sight can only tell of when it was in sight.
      let asked = window.isHidden ? window.lastSeen : clock.now()
      window.device.seenAsked = max(window.device.seenAsked, asked)
      enqueue(.keepSeen(text.revealed, asked: asked), in: window)
    case .setLock(let text, let card):
      enqueue(.setLock(text.revealed, card: card.revealed), in: window)
    case .removeLock(let text): enqueue(.removeLock(text.revealed), in: window)
    case .keepCard(let text): enqueue(.keepCard(text.revealed), in: window)
    case .keepPlace(let session, let text):
      enqueue(.keepPlace(session, text.revealed), in: window)
    case .readPlace(let session): enqueue(.readPlace(session), in: window)
    case .forgetPlace: enqueue(.forgetPlace, in: window)
    case .lock: window.freed = nil
    case .unlock: enqueue(.unlock, in: window)
    case .claimRenewal:
      window.device.waiting.append(window)
      grantRenewal(on: window.device)
    case .releaseRenewal: enqueue(.release, in: window)
    case .startTicking:
      window.isTicking = true
      plan(.tick(window.number, run: window.run), in: 1000...20_000)
    case .stopTicking: window.isTicking = false
    case .shelf(.read): await reply(.home(.shelf(.read(.absent))), to: window)
    case .shelf(.write): await reply(.home(.shelf(.written(.refused))), to: window)
    case .shelf, .announce, .keepLanguage, .handOver, .handOverToken: break
    }
  }

  private func reply(_ event: Event, to window: SessionWindow) async {
    plan(.event(window.number, run: window.run, event), in: 1...20)
  }

  func enqueue(_ task: SessionWindow.Task, in window: SessionWindow) {
    window.tasks.append(task)
    guard !window.isBusy else { return }
    window.isBusy = true
    plan(.work(window.number, run: window.run), in: storageDelay)
  }

  /// Now and then storage takes its time.
  private var storageDelay: ClosedRange<Int64> {
    !isCalm && chance.isOne(in: 40) ? 2000...20_000 : 1...15
  }

  func work(_ window: SessionWindow) async {
    guard !window.tasks.isEmpty else { return window.isBusy = false }
    let task = window.tasks.removeFirst()
    await perform(task, in: window)
    guard window.isOpen else { return }
    if window.tasks.isEmpty { return window.isBusy = false }
    plan(.work(window.number, run: window.run), in: storageDelay)
  }

  func grantRenewal(on device: SessionDevice) {
    guard device.renewing == nil, !device.waiting.isEmpty else { return }
    let window = device.waiting.removeFirst()
    device.renewing = window
    enqueue(.claimed, in: window)
  }

  /// Killed in the middle of a write: it is done, or not, or only in part.
  func interrupt(_ window: SessionWindow) {
    guard window.isBusy, let task = window.tasks.first, !window.device.isStorageLocked else {
      return
    }
    switch task {
    case .save(let text), .tombstone(let text):
      if chance.isOne(in: 2) {
        store(in: window, .init(session: text))
        noteStoredOver(window.device)
      }
    case .replace(let old, let new):
      guard window.device.disk.session == old else { return }
      if chance.isOne(in: 2) {
        var disk = window.device.disk
        disk.session = chance.isOne(in: 8) ? "{torn" : new
        store(in: window, disk)
      }
    default: return
    }
  }

  // MARK: Storage

  func reading(for window: SessionWindow) -> StorageReading {
    let device = window.device
    if device.isStorageLocked || (!isCalm && chance.isOne(in: 30)) {
      return defect == .cannotTellIsAbsent ? .absent : .cannotTell
    }
    guard let session = device.disk.session else { return .absent }
    if defect == .oldCopies, hasFarewell(device), let old = device.before.session {
      return .value(old)
    }
    guard let lock = device.disk.lock, window.freed != lock, defect != .openLock else {
      return .value(session)
    }
    return .locked(card: device.disk.card ?? "")
  }

  enum Written { case done, refused }

  /// Puts `disk` in place of what is there, unless storage refuses, or only says that it did.
  private func write(_ disk: SessionDevice.Disk, by window: SessionWindow) -> Written {
    let device = window.device
    if device.isStorageLocked || (!isCalm && chance.isOne(in: 50)) {
      if defect == .stuckStorage { device.isStorageLocked = true }
      note("refused", window.number)
      return .refused
    }
    if !isCalm, chance.isOne(in: 80) {
      note("written and not", window.number)
      return .done
    }
    store(in: window, disk)
    return .done
  }

  private func store(in window: SessionWindow, _ disk: SessionDevice.Disk) {
    let device = window.device
    device.before = device.disk
    device.disk = disk
    noteStored(device)
    for other in windows
    where other !== window && other.device === device && other.isOpen {
      plan(.changed(other.number, run: other.run), in: 1...2)
    }
  }

  private func perform(_ task: SessionWindow.Task, in window: SessionWindow) async {
    let device = window.device
    switch task {
    case .send(let id, let call): transmit(call, as: id, from: window)
    case .read:
      await happen(.storageRead(reading(for: window), seen: device.disk.seen), in: window)
    case .readChange:
      await happen(.device(.sessionChanged(reading(for: window))), in: window)
    case .claimed: await happen(.renewalClaimed(reading(for: window)), in: window)
    case .release:
      if device.renewing === window { device.renewing = nil }
      grantRenewal(on: device)
    case .save(let text):
      if await put(text, in: window) == .refused { await happen(.sessionSaveRefused, in: window) }
    case .replace(let old, let new): await replace(old, with: new, in: window)
    case .tombstone(let text): _ = await put(text, in: window)
    case .erase: _ = write(.init(), by: window)
    case .eraseIfStill(let text):
      if reading(for: window) == .value(text) { _ = write(.init(), by: window) }
    case .keepSeen, .keepCard, .keepPlace, .forgetPlace: keep(task, in: window)
    case .readPlace(let session):
      let isReadable = !device.isStorageLocked && (device.disk.lock ?? 0) == (window.freed ?? 0)
      let isOwn = device.disk.place?.session == session
      let text = isReadable && isOwn ? device.disk.place?.text : nil
      await happen(.home(.placeRead(text)), in: window)
    case .setLock(let session, let card): await setLock(session, card, in: window)
    case .removeLock(let session):
      var disk = device.disk
      (disk.session, disk.lock, disk.card) = (session, nil, nil)
      await swap(session, for: disk, in: window)
    case .unlock: await unlock(window)
    }
  }

  /// Writes whatever storage holds, and tells what that was.
  private func put(_ text: String, in window: SessionWindow) async -> Written {
    let device = window.device
    let replaced = reading(for: window)
    window.freed = nil
    guard write(.init(session: text), by: window) == .done else { return .refused }
    if device.disk.session == text { noteStoredOver(device) }
    await happen(.device(.storedOver(replaced)), in: window)
    return .done
  }

  private func replace(_ old: String, with new: String, in window: SessionWindow) async {
    var disk = window.device.disk
    disk.session = new
    await swap(old, for: disk, in: window)
  }

  /// Writes if storage still holds `old`.
  private func swap(
    _ old: String, for disk: SessionDevice.Disk, in window: SessionWindow
  ) async {
    let found = reading(for: window)
    guard found == .value(old) else {
      return await happen(.device(.sessionChanged(found)), in: window)
    }
    if write(disk, by: window) == .refused {
      await happen(.device(.sessionChanged(.cannotTell)), in: window)
    }
  }

  /// Small things, whose failure nobody is told of.
  private func keep(_ task: SessionWindow.Task, in window: SessionWindow) {
    let device = window.device
    guard !device.isStorageLocked, device.disk.session != nil else { return }
    switch task {
    case .keepSeen(let text, let asked):
      device.disk.seen = text
      if asked > device.seenKept { device.seenKept = asked }
    case .keepCard(let text): if device.disk.lock != nil { device.disk.card = text }
    case .keepPlace(let session, let text):
      if (device.disk.lock ?? 0) == (window.freed ?? 0) { device.disk.place = (session, text) }
    default: device.disk.place = nil
    }
  }

  // MARK: The lock

  private func setLock(_ session: String, _ card: String, in window: SessionWindow) async {
    let device = window.device
    guard !chance.isOne(in: 8), reading(for: window) == .value(session) else {
      return await happen(.device(.lockRefused(.busy)), in: window)
    }
    var disk = device.disk
    (disk.session, disk.card, disk.lock) = (session, card, device.enrolment)
    guard write(disk, by: window) == .done else {
      return await happen(.device(.lockRefused(.impossible)), in: window)
    }
    window.freed = device.enrolment
    await happen(.device(.lockSet), in: window)
  }

  private func unlock(_ window: SessionWindow) async {
    let device = window.device
    if !isCalm {
      if chance.isOne(in: 6) { return await happen(.device(.unlockFailed(.cancelled)), in: window) }
      if chance.isOne(in: 12) { return await happen(.device(.unlockFailed(.busy)), in: window) }
    }
    if let lock = device.disk.lock, lock != device.enrolment {
      return await happen(.device(.unlockFailed(.changed)), in: window)
    }
    // Whoever opens it is there, though the prompt may cover the app.
    if device.disk.lock != nil { window.lastUsed = clock.now() }
    window.freed = device.disk.lock
    await happen(.device(.unlocked(reading(for: window))), in: window)
  }
}
