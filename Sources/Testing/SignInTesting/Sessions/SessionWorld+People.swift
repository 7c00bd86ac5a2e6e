internal import ShellContract
internal import SignInFlow
internal import SignInModel
internal import SignInWire

// Actions of people at the tabs, and events of their devices.
extension SessionWorld {
  func act(at tab: SessionTab) {
    plan(.person(tab.number), in: pause(at: tab))
    guard tab.isOpen else { return }
    if tab.isHidden {
      if areFaultsOver || chance.isOne(in: 3) { show(tab) }
      return
    }
    if !areFaultsOver {
      if chance.isOne(in: 25) { return kill(tab) }
      if chance.isOne(in: 8) { return hide(tab) }
    }
    switch tab.flow.stage {
    case .starting, .readingStorage, .riderSignedOut, .atProvider: return
    case .storageUnreadable:
      press(chance.isOne(in: 12) && !areFaultsOver ? .signInAgain : .tryAgain, at: tab)
    case .signedOut(let form): signIn(form, at: tab)
    case .locked:
      press(chance.isOne(in: 12) && !areFaultsOver ? .useAnotherWay : .unlock, at: tab)
    case .confirming:
      if !areFaultsOver, chance.isOne(in: 20) { return signOut(tab) }
      press(.tryAgain, at: tab)
    case .signedIn(let signedIn): useApp(signedIn, at: tab)
    }
  }

  /// The time until the person acts again.
  private func pause(at tab: SessionTab) -> ClosedRange<Int64> {
    guard areFaultsOver else { return 1000...30_000 }
    return tab.signedIn == nil ? 500...1500 : 8000...20_000
  }

  func press(_ button: ButtonName, at tab: SessionTab) {
    happen(.page(.buttonPressed(button)), in: tab)
    use(tab)
  }

  /// Use of one tab counts for all tabs.
  private func use(_ tab: SessionTab) {
    guard tab.isOpen, tab.signedIn != nil else { return }
    tab.device.lastUsed = clock.now()
    tab.lastUsed = clock.now()
    for other in tabs
    where other !== tab && other.device === tab.device && other.isOpen {
      plan(.event(other.number, run: other.run, .device(.userActiveInOtherTab)), in: 1...2)
    }
  }

  private func signIn(_ form: TechnicianSignIn, at tab: SessionTab) {
    switch form.step {
    case .enteringCredentials:
      note("signs in", tab.number)
      let username = SessionPeople.username(tab.device.person)
      happen(.page(.fieldEdited(.email, Secret(username))), in: tab)
      happen(.page(.fieldEdited(.password, Secret(SessionPeople.password))), in: tab)
      if tab.isOpen { press(.login, at: tab) }
    case .enteringCode(let code) where code.verification.activity == .entering: enterCode(at: tab)
    case .submittingCredentials, .enteringCode, .finished: return
    case .locked, .resettingPassword, .acceptingInvitation: press(.back, at: tab)
    }
  }

  /// Enters the code that has arrived, or requests another one.
  private func enterCode(at tab: SessionTab) {
    let person = tab.device.person
    guard let code = codes[person], code.typings < 2 else {
      return press(chance.isOne(in: 6) ? .back : .resend, at: tab)
    }
    codes[person]?.typings += 1
    happen(.page(.fieldEdited(.code, Secret(code.text))), in: tab)
    if tab.isOpen { press(.verify, at: tab) }
  }

  private func useApp(_ signedIn: SignedIn<ActivitiesHome>, at tab: SessionTab) {
    if case .idleWarning? = signedIn.sheet { return press(.staySignedIn, at: tab) }
    if case .unsentChanges(let departure)? = signedIn.sheet {
      return answer(departure, at: tab)
    }
    if areFaultsOver { return press(.refresh, at: tab) }
    switch chance.below(24) {
    case 0: signOut(tab)
    case 1, 2: if signedIn.hasLock { press(.removeLock, at: tab) }
    case 3...7: press(.setLock, at: tab)
    case 8...10:
      note("changes organization", tab.number)
      let other =
        signedIn.renewingSession.record.terms.organization?.text == "north" ? "south" : "north"
      happen(.home(.itemPressed(.switchOrganization, item: other)), in: tab)
      use(tab)
    case 11...14:
      let organization = signedIn.renewingSession.record.terms.organization?.text ?? ""
      let item = SessionPeople.activity(1, of: tab.device.person, in: organization)
      happen(.home(.itemPressed(.openActivity, item: item)), in: tab)
      if tab.isOpen {
        happen(.page(.fieldEdited(.notes, Secret("words in \(organization)"))), in: tab)
      }
      use(tab)
    case 15: press(.saveNotes, at: tab)
    case 16...19: return
    default: press(.refresh, at: tab)
    }
  }

  /// The person leaves and loses the changes that are not sent, or stays.
  private func answer(_ departure: Departure, at tab: SessionTab) {
    guard chance.isOne(in: 2) else { return press(.cancel, at: tab) }
    switch departure {
    case .signOut: signOut(tab)
    case .switchOrganization(let organization):
      happen(.home(.itemPressed(.switchOrganization, item: organization.text)), in: tab)
      use(tab)
    }
  }

  private func signOut(_ tab: SessionTab) {
    if let signedIn = tab.signedIn, signedIn.home.unsentCount > 0,
      signedIn.sheet != .unsentChanges(.signOut)
    {
      // The app asks first.
      return press(.signOut, at: tab)
    }
    note("signs out", tab.number)
    // The sign-out applies to the session that the device has now. Another tab may have started a
    // new one.
    let stored = tab.device.disk.session.flatMap(SessionWorld.sessionID)
    var own = tab.signedIn?.renewingSession.record.terms.id
    if case .confirming(let confirming) = tab.flow.stage {
      own = confirming.renewingSession.record.terms.id
    }
    for session in [own, tab.lastSession, stored] {
      if let session { tab.device.ended.insert(session) }
    }
    press(.signOut, at: tab)
  }

  // MARK: Visibility

  private func hide(_ tab: SessionTab) {
    note("hidden", tab.number)
    happen(.device(.hidden), in: tab)
    guard tab.isOpen else { return }
    tab.isHidden = true
    tab.hiddenAt = clock.now()
  }

  private func show(_ tab: SessionTab) {
    let hasLock = tab.signedIn?.hasLock ?? false
    let isAsked = hasLock || (tab.signedIn?.renewingSession.record.terms.needsLock ?? false)
    let away = clock.now().milliseconds - max(tab.lastSeen, tab.lastUsed).milliseconds
    note("shown", tab.number)
    tab.isHidden = false
    happen(.device(.shown), in: tab)
    guard tab.isOpen else { return }
    expect(
      !isAsked || away < Self.backgroundSeconds * 1000 || tab.signedIn == nil,
      .lockedAfterBackground, "window \(tab.number) was out of sight for \(away) ms and shows all"
    )
    sawTab(tab)
  }

  func sawTab(_ tab: SessionTab) {
    tab.lastSeen = clock.now()
    tab.enteredHidden = nil
    if let signedIn = tab.signedIn {
      tab.device.lastShown[signedIn.renewingSession.record.terms.id] = clock.now()
    }
  }

  // MARK: Faults

  func faults() {
    guard !areFaultsOver else { return }
    plan(.faults, in: 5000...90_000)
    let device = chance.pick(devices)
    // A fault does not last long.
    if device.isOffline || device.isStorageLocked, !chance.isOne(in: 3) {
      device.isOffline = false
      if defect != .storageFailsForever { device.isStorageLocked = false }
      return
    }
    switch chance.below(15) {
    case 0...2: device.isOffline.toggle()
    case 3...5:
      device.isStorageLocked.toggle()
      note(device.isStorageLocked ? "storage is locked" : "storage is open", device.number)
    case 6, 7:
      device.clockErrorMilliseconds = chance.between(-4_000_000...4_000_000)
      device.clockSetAt = clock.now()
      note("clock is set", device.number)
    case 8:
      device.shell.enrolment += 1
      note("another finger", device.number)
    case 9:
      if let id = device.disk.session.flatMap(SessionWorld.sessionID) { endAtServer(id) }
    case 10: reinstall(device)
    case 11, 12: stop(device)
    case 13: restartServer()
    default: for tab in tabs { networkReturned(tab) }
    }
  }

  private func networkReturned(_ tab: SessionTab) {
    if tab.isOpen { happen(.device(.networkReturned), in: tab) }
  }

  private func reinstall(_ device: SessionDevice) {
    note("reinstalled", device.number)
    if let id = device.disk.session.flatMap(SessionWorld.sessionID) { device.ended.insert(id) }
    for tab in tabs where tab.device === device { kill(tab) }
    device.shell.disk = SimulatedShell.Contents()
    device.before = device.disk
    device.earlierTokens = []
  }

  /// Stops the whole device.
  private func stop(_ device: SessionDevice) {
    note("stopped", device.number)
    for tab in tabs where tab.device === device { kill(tab) }
    if defect == .acknowledgedWriteLost { device.shell.disk = device.before }
  }

  /// Moves time forward at once, often to a moment near the limit of a rule.
  func jump() {
    guard !areFaultsOver else { return }
    plan(.jump, in: 60_000...300_000)
    let seconds = chance.pick([20, 61, 89, 91, 299, 300, 301, 600, 2339, 2341, 2399, 2401, 9000])
    let passed = Int64(seconds) * 1000 + chance.between(-900...900)
    clock.advance(milliseconds: passed)
    // No presence was stored during the jump, and a kill loses the current one.
    for device in devices { device.seenAsked = clock.now() }
    if defect == .clocksDoNotAdvance {
      for device in devices { device.stoppedMilliseconds += passed }
    }
    note("time jumps", seconds)
  }
}
