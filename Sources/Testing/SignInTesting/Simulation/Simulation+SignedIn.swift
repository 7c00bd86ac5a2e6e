internal import ShellContract
internal import SignInEngine
internal import SignInFlow
internal import SignInModel
internal import SignInWire

// Actions of signed-in people, and whether they see the tab.
extension Simulation {
  func press(_ button: ButtonName, at tab: SimulatedTab) {
    happen(.page(.buttonPressed(button)), in: tab)
    use(tab)
  }

  /// Use of one tab counts for all tabs.
  private func use(_ tab: SimulatedTab) {
    guard tab.isOpen, case .signedIn = tab.stage else { return }
    tab.use(at: clock.now())
    for other in tabs
    where other !== tab && other.device === tab.device && other.isOpen {
      plan(.event(other.number, run: other.run, .device(.userActiveInOtherTab)), in: 1...2)
    }
  }

  func useApp(at tab: SimulatedTab) {
    guard let session = tab.session else { return }
    if case .idleWarning? = session.sheet { return press(.staySignedIn, at: tab) }
    if case .unsentChanges(let departure)? = session.sheet {
      return answer(departure, at: tab)
    }
    if haveConditionsEnded { return refresh(tab) }
    switch chance.below(24) {
    case 0: signOut(tab)
    case 1, 2: if session.hasLock { press(.removeLock, at: tab) }
    case 3...7: press(.setLock, at: tab)
    case 8...15:
      if let organization = session.organization { work(in: organization, at: tab) }
    case 16...19: return
    default: refresh(tab)
    }
  }

  private func refresh(_ tab: SimulatedTab) {
    note("refreshes", tab.number)
    press(.refresh, at: tab)
  }

  /// A mentor reads an activity, writes notes, or changes to the other organization.
  private func work(in organization: String, at tab: SimulatedTab) {
    switch chance.below(8) {
    case 0...2:
      note("changes organization", tab.number)
      let other = SimulatedPeople.organizations.first { $0 != organization } ?? ""
      happen(.home(.itemPressed(.switchOrganization, item: other)), in: tab)
      use(tab)
    case 3...6:
      let item = SimulatedPeople.activity(1, of: tab.device.person, in: organization)
      happen(.home(.itemPressed(.openActivity, item: item)), in: tab)
      if tab.isOpen {
        happen(.page(.fieldEdited(.notes, Secret("words in \(organization)"))), in: tab)
      }
      use(tab)
    default: press(.saveNotes, at: tab)
    }
  }

  /// The person leaves and loses the changes that are not sent, or stays.
  private func answer(_ departure: Departure, at tab: SimulatedTab) {
    guard chance.isOne(in: 2) else { return press(.cancel, at: tab) }
    switch departure {
    case .signOut: signOut(tab)
    case .switchOrganization(let organization):
      happen(.home(.itemPressed(.switchOrganization, item: organization.text)), in: tab)
      use(tab)
    }
  }

  func signOut(_ tab: SimulatedTab) {
    if let session = tab.session, session.unsentCount > 0, session.sheet != .unsentChanges(.signOut)
    {
      // The app asks first.
      return press(.signOut, at: tab)
    }
    note("signs out", tab.number)
    // The sign-out applies to the session that the device has now. Another tab may have started a
    // new one.
    let stored = tab.device.disk.session.flatMap(Self.sessionID)
    var own: SessionID?
    switch tab.stage {
    case .confirming(let id), .signedIn(let id): own = id
    case .opening, .storageUnreadable, .atProvider, .signedOut, .riderSignedOut, .locked: break
    }
    for session in [own, tab.lastSession, stored] {
      if let session { tab.device.ended.insert(session) }
    }
    press(.signOut, at: tab)
  }

  // MARK: Visibility

  func hide(_ tab: SimulatedTab) {
    note("hidden", tab.number)
    happen(.device(.hidden), in: tab)
    if tab.isOpen { tab.isHidden = true }
  }

  func show(_ tab: SimulatedTab) {
    let session = tab.session
    let isAsked = session.map { $0.hasLock || $0.needsLock } ?? false
    let away = clock.now().milliseconds - tab.lastPresence.milliseconds
    note("shown", tab.number)
    tab.isHidden = false
    happen(.device(.shown), in: tab)
    guard tab.isOpen else { return }
    laws.expect(
      !isAsked || away < WorldProfile.backgroundSeconds * 1000 || tab.session == nil
        || hasNoMeasure(tab),
      .lockedAfterBackground, "window \(tab.number) was out of sight for \(away) ms and shows all"
    )
    sawTab(tab)
  }

  func sawTab(_ tab: SimulatedTab) {
    tab.lastSeen = clock.now()
    tab.enteredHidden = nil
    if case .signedIn(let id) = tab.stage { tab.device.lastShown[id] = clock.now() }
  }
}
