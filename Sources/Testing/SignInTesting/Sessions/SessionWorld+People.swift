internal import SignInFlow
internal import SignInModel
internal import SignInWire

// Who sits at the windows, and what befalls their devices.
extension SessionWorld {
  func act(at window: SessionWindow) async {
    plan(.person(window.number), in: isCalm ? 500...1500 : 1000...30_000)
    guard window.isOpen else { return }
    if window.isHidden {
      if isCalm || chance.isOne(in: 3) { await show(window) }
      return
    }
    if !isCalm {
      if chance.isOne(in: 25) { return kill(window) }
      if chance.isOne(in: 8) { return await hide(window) }
    }
    switch window.flow.stage {
    case .starting, .readingStorage, .riderSignedOut: return
    case .storageUnreadable:
      await press(chance.isOne(in: 12) && !isCalm ? .signInAgain : .tryAgain, at: window)
    case .signedOut(let form): await signIn(form, at: window)
    case .locked:
      await press(chance.isOne(in: 12) && !isCalm ? .useAnotherWay : .unlock, at: window)
    case .confirming:
      if !isCalm, chance.isOne(in: 20) { return await signOut(window) }
      await press(.tryAgain, at: window)
    case .signedIn(let signedIn): await useApp(signedIn, at: window)
    }
  }

  func press(_ button: ButtonName, at window: SessionWindow) async {
    await happen(.buttonPressed(button), in: window)
    use(window)
  }

  /// Whoever uses one window is there for all of them.
  private func use(_ window: SessionWindow) {
    guard window.isOpen, window.signedIn != nil else { return }
    window.device.lastUsed = clock.now()
    window.lastUsed = clock.now()
    for other in windows
    where other !== window && other.device === window.device && other.isOpen {
      plan(.event(other.number, run: other.run, .device(.usedElsewhere)), in: 1...2)
    }
  }

  private func signIn(_ form: TechnicianSignIn, at window: SessionWindow) async {
    switch form.step {
    case .enteringCredentials:
      note("signs in", window.number)
      await happen(.fieldEdited(.email, "person@example.com"), in: window)
      await happen(.fieldEdited(.password, "password"), in: window)
      if window.isOpen { await press(.login, at: window) }
    case .enteringCode(let code) where code.activity == .entering:
      await happen(.fieldEdited(.code, "123456"), in: window)
      if window.isOpen { await press(.verify, at: window) }
    case .submittingCredentials, .enteringCode, .finished: return
    case .locked, .resettingPassword, .acceptingInvitation: await press(.back, at: window)
    }
  }

  private func useApp(_ signedIn: SignedIn, at window: SessionWindow) async {
    if case .idleWarning? = signedIn.sheet { return await press(.staySignedIn, at: window) }
    if isCalm { return await press(.refresh, at: window) }
    switch chance.below(24) {
    case 0: await signOut(window)
    case 1, 2: if signedIn.hasLock { await press(.removeLock, at: window) }
    case 3...7: await press(.setLock, at: window)
    case 8...10:
      note("changes organization", window.number)
      let other = signedIn.keeping.record.terms.organization?.text == "north" ? "south" : "north"
      await happen(.home(.itemPressed(.switchOrganization, item: other)), in: window)
      use(window)
    case 11...14:
      let organization = signedIn.keeping.record.terms.organization?.text ?? ""
      let item = organization + "-1"
      await happen(.home(.itemPressed(.openActivity, item: item)), in: window)
      if window.isOpen {
        await happen(.fieldEdited(.notes, "words in \(organization)"), in: window)
      }
      use(window)
    case 15: await press(.saveNotes, at: window)
    case 16...19: return
    default: await press(.refresh, at: window)
    }
  }

  private func signOut(_ window: SessionWindow) async {
    note("signs out", window.number)
    // Of whatever session this device has by then: another window may have begun a new one.
    let stored = window.device.disk.session.flatMap(SessionWorld.sessionID)
    var own = window.signedIn?.keeping.record.terms.id
    if case .confirming(let confirming) = window.flow.stage {
      own = confirming.keeping.record.terms.id
    }
    for session in [own, window.lastSession, stored] {
      if let session { window.device.ended.insert(session) }
    }
    await press(.signOut, at: window)
  }

  // MARK: In sight and out of it

  private func hide(_ window: SessionWindow) async {
    note("hidden", window.number)
    await happen(.device(.hidden), in: window)
    guard window.isOpen else { return }
    window.isHidden = true
    window.hiddenAt = clock.now()
  }

  private func show(_ window: SessionWindow) async {
    let hasLock = window.signedIn?.hasLock ?? false
    let isAsked = hasLock || (window.signedIn?.keeping.record.terms.needsLock ?? false)
    let away = clock.now().milliseconds - max(window.lastSeen, window.lastUsed).milliseconds
    note("shown", window.number)
    window.isHidden = false
    await happen(.device(.shown), in: window)
    guard window.isOpen else { return }
    expect(
      !isAsked || away < Self.backgroundSeconds * 1000 || window.signedIn == nil,
      .awayIsLocked, "window \(window.number) was out of sight for \(away) ms and shows all"
    )
    sawWindow(window)
  }

  func sawWindow(_ window: SessionWindow) {
    window.lastSeen = clock.now()
    if let signedIn = window.signedIn {
      window.device.lastShown[signedIn.keeping.record.terms.id] = clock.now()
    }
  }

  // MARK: Weather

  func weather() async {
    guard !isCalm else { return }
    plan(.weather, in: 5000...90_000)
    let device = chance.pick(devices)
    // Nothing stays bad for long.
    if device.isOffline || device.isStorageLocked, !chance.isOne(in: 3) {
      device.isOffline = false
      if defect != .stuckStorage { device.isStorageLocked = false }
      return
    }
    switch chance.below(14) {
    case 0...2: device.isOffline.toggle()
    case 3...5:
      device.isStorageLocked.toggle()
      note(device.isStorageLocked ? "storage is locked" : "storage is open", device.number)
    case 6, 7:
      device.clockErrorMilliseconds = chance.between(-4_000_000...4_000_000)
      device.clockSetAt = clock.now()
      note("clock is set", device.number)
    case 8:
      device.enrolment += 1
      note("another finger", device.number)
    case 9:
      if let id = device.disk.session.flatMap(SessionWorld.sessionID) { endAtServer(id) }
    case 10: reinstall(device)
    case 11, 12: stop(device)
    default: for window in windows { await networkReturned(window) }
    }
  }

  private func networkReturned(_ window: SessionWindow) async {
    if window.isOpen { await happen(.networkReturned, in: window) }
  }

  private func reinstall(_ device: SessionDevice) {
    note("installed anew", device.number)
    if let id = device.disk.session.flatMap(SessionWorld.sessionID) { device.ended.insert(id) }
    for window in windows where window.device === device { kill(window) }
    device.disk = SessionDevice.Disk()
    device.before = device.disk
    device.owed = []
  }

  /// The whole device at once.
  private func stop(_ device: SessionDevice) {
    note("stopped", device.number)
    for window in windows where window.device === device { kill(window) }
    if defect == .forgottenWrites { device.disk = device.before }
  }

  /// Time passes at once, often just to around a moment that some rule looks at.
  func jump() {
    guard !isCalm else { return }
    plan(.jump, in: 60_000...300_000)
    let seconds = chance.pick([20, 61, 89, 91, 299, 300, 301, 600, 2339, 2341, 2399, 2401, 9000])
    let passed = Int64(seconds) * 1000 + chance.between(-900...900)
    clock.advance(milliseconds: passed)
    // Nothing was stored meanwhile; who is there now is not known after a kill.
    for device in devices { device.seenAsked = clock.now() }
    if defect == .stoppedClocks {
      for device in devices { device.stoodStillMilliseconds += passed }
    }
    note("time jumps", seconds)
  }
}
