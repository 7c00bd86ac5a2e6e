internal import JSONText
internal import ShellContract
internal import SignInFlow
internal import SignInModel
internal import SignInService
internal import SignInWire

/// The state of a tab before an event.
struct SessionSnapshot {
  enum Place: Equatable {
    case opening, unreadable, out, locked, confirming(SessionID), signedIn(SessionID)
  }

  let place: Place
  /// Milliseconds since the tab was last visible or the app was last used.
  let away: Int64
  let idle: Int64

  init(_ tab: SessionTab, at now: Instant) {
    away = now.milliseconds - max(tab.lastSeen, tab.lastUsed).milliseconds
    idle = now.milliseconds - tab.lastUsed.milliseconds
    switch tab.flow.stage {
    case .starting, .readingStorage: place = .opening
    case .storageUnreadable: place = .unreadable
    case .signedOut, .riderSignedOut, .atProvider: place = .out
    case .locked: place = .locked
    case .confirming(let confirming):
      place = .confirming(confirming.renewingSession.record.terms.id)
    case .signedIn(let signedIn): place = .signedIn(signedIn.renewingSession.record.terms.id)
    }
  }
}

// The laws compare the disk, the server and the screens.
extension SessionWorld {
  /// The allowed delay of storage.
  ///
  /// Presence is written every 15 seconds.
  private static let presenceSlack: Int64 = 100_000
  private static let slack: Int64 = 3000

  static func sessionID(of text: String) -> SessionID? {
    json(text)?["session"]?["id"]?.text.map { SessionID($0) }
  }

  static func json(_ text: String) -> JSON? {
    do throws(JSONMalformed) { return try JSONReader.read(Array(text.utf8)) } catch { return nil }
  }

  func judge(_ tab: SessionTab, _ before: SessionSnapshot, after event: Event) {
    let after = SessionSnapshot(tab, at: clock.now())
    switch after.place {
    case .out: if before.place != .out { leftTheApp(tab, before, event) }
    case .signedIn(let id):
      if before.place != after.place { entered(tab, id, before) }
      expectOneOrganization(tab)
    case .opening, .unreadable, .locked, .confirming: break
    }
    if case .signedIn(let id) = before.place, after.place != before.place {
      // When the app ends a session itself, it may end everywhere on this device.
      if after.place == .out { tab.device.ended.insert(id) }
    }
  }

  // MARK: Leaving a session

  private func leftTheApp(_ tab: SessionTab, _ before: SessionSnapshot, _ event: Event) {
    let (device, notice) = (tab.device, tab.signIn?.notice)
    let stored = device.disk.session.flatMap(Self.sessionID)
    switch before.place {
    case .out, .unreadable: return
    case .opening:
      expect(
        stored == nil, .signedOutWithCause,
        "window \(tab.number) opened at the login, and a session is stored")
    case .locked:
      if event == .page(.buttonPressed(.useAnotherWay)) { return }
      if notice == .session(.lockChanged) {
        return expect(
          device.disk.lock != device.enrolment, .reasonIsTrue, "the finger has not changed")
      }
      expect(stored == nil, .signedOutWithCause, "window \(tab.number) left its lock")
    case .signedIn(let id): expectCause(of: id, notice, before, isOpened: false, tab)
    case .confirming(let id): expectCause(of: id, notice, before, isOpened: true, tab)
    }
  }

  private func expectCause(
    of id: SessionID, _ notice: Notice?, _ before: SessionSnapshot, isOpened: Bool,
    _ tab: SessionTab
  ) {
    let device = tab.device
    let end = end(of: id)
    func expectEnd(_ wanted: EndReason...) {
      expect(
        wanted.contains(where: ends(of: id).contains),
        end == nil ? .signedOutWithCause : .reasonIsTrue,
        "window \(tab.number) said \(wanted[0].rawValue) of \(id.text), which was "
          + "\(end?.rawValue ?? "alive"), from \(before.place)")
    }
    switch notice {
    case .signedOut:
      expect(
        end != nil || device.ended.contains(id) || hasRevocation(device), .signedOutWithCause,
        "window \(tab.number) reported a sign-out")
    case .sessionEnded: expectEnd(.expired)
    case .accountDeactivated: expectEnd(.accountDeactivated)
    case .session(.signedOutElsewhere): expectEnd(.signedOut, .replaced)
    case .session(.revoked): expectEnd(.revoked, .sessionLimit)
    case .session(.unsafe): expectEnd(.reuseDetected)
    case .session(.passwordChangedElsewhere): expectEnd(.passwordChanged)
    case .session(.lockChanged):
      expect(device.enrolment > 1, .reasonIsTrue, "the finger has not changed")
    case .session(.idleTooLong):
      expect(
        before.idle >= Self.idleSeconds * 1000 - Self.slack || end == .expired,
        .signedOutWithCause,
        "window \(tab.number) was idle for \(before.idle) ms only")
    case .session(.awayTooLong):
      var shown = device.lastShown[id] ?? Instant(milliseconds: 0)
      if device.seenKept < device.seenAsked { shown = min(shown, device.seenKept) }
      let cold = clock.now().milliseconds - shown.milliseconds + Self.presenceSlack
      // A tab that entered the session while it was hidden has not shown it.
      let isFirst = isOpened || tab.enteredHidden == id
      expect(
        (isFirst ? max(before.away, cold) : before.away)
          >= Self.backgroundSeconds * 1000 - Self.slack,
        .signedOutWithCause, "window \(tab.number) was away for \(before.away) ms only")
    default:
      expect(false, .signedOutWithCause, "window \(tab.number) was signed out without a reason")
    }
    device.ended.insert(id)
  }

  // MARK: Entering a session

  private func entered(_ tab: SessionTab, _ id: SessionID, _ before: SessionSnapshot) {
    let device = tab.device
    tab.lastSession = id
    tab.enteredHidden = tab.isHidden ? id : nil
    if before.place == .out { codes[device.person] = nil }
    let lastShown = device.lastShown[id]
    if tab.isHidden, before.place != .out {
      // A hidden tab shows no presence. Use of another tab counts here too.
      if let lastShown, lastShown > tab.lastUsed { tab.lastUsed = lastShown }
      // A tab that waited for the server while visible was in use until it was hidden.
      if before.place == .confirming(id) {
        device.lastShown[id] = max(lastShown ?? tab.lastSeen, tab.lastSeen)
      }
    } else {
      tab.lastUsed = clock.now()
      device.lastShown[id] = clock.now()
    }
    expect(
      !device.givenUp.contains(id), .signedOutStaysOut,
      "window \(tab.number) shows a session that was ended here")
    let isFreed = device.disk.lock == nil || tab.unlocked == device.disk.lock
    if before.place != .out, Self.sessionID(of: device.disk.session ?? "") == id {
      expect(isFreed, .ownerOnly, "window \(tab.number) shows locked data")
    }
    guard before.place == .opening || before.place == .out, client.policy.unlock == .biometric,
      device.disk.lock == nil, let lastShown, device.disk.seen != nil,
      // The absence is measured from the last presence that storage accepted.
      device.clockSetAt < min(lastShown, device.seenKept)
    else { return }
    let away = clock.now().milliseconds - lastShown.milliseconds
    expect(
      away < Self.backgroundSeconds * 1000 + Self.slack, .lockedAfterBackground,
      "window \(tab.number) was opened after \(away) ms and shows its data at once; "
        + "seen \(device.disk.seen ?? "never")")
  }

  private func expectOneOrganization(_ tab: SessionTab) {
    guard let signedIn = tab.signedIn,
      let organization = signedIn.renewingSession.record.terms.organization?.text
    else { return }
    let home = signedIn.home
    for entry in home.activities.value?.activities ?? [] {
      let notes = home.notes(of: entry)
      let isOwn =
        entry.id.hasPrefix(organization)
        && (notes.isEmpty || notes.hasSuffix(" " + organization))
      expect(
        isOwn, .organizationsApart, "window \(tab.number) shows \(entry.id) in \(organization)")
    }
    if let opened = home.opened {
      expect(
        opened.hasPrefix(organization), .organizationsApart,
        "window \(tab.number) has \(opened) open in \(organization)")
    }
  }

  /// Whether storage has a sign-out, of any later session of this device.
  func hasRevocation(_ device: SessionDevice) -> Bool {
    guard let json = device.disk.session.flatMap(Self.json) else { return false }
    // A tab that could not open the lock has no token of the session, and stores its identifier.
    return json["revoke"] != nil || json["session"] == nil && json["left_behind"] != nil
  }

  /// Records the session that storage has now.
  func noteStored(_ device: SessionDevice) {
    guard let text = device.disk.session, let json = Self.json(text) else {
      return note("erased", device.number)
    }
    note(
      "stored", device.number, "\(Self.sessionID(of: text)?.text.prefix(14) ?? "revocation")")
    if let id = Self.sessionID(of: text) { device.everStored.insert(id) }
    if json["revoke"] != nil, json["session"] == nil,
      let id = device.before.session.flatMap(Self.sessionID)
    {
      device.givenUp.insert(id)
      device.ended.insert(id)
    }
    device.earlierTokens.formUnion(Self.sessionsToEnd(json))
  }

  /// Updates the pending revocations after one record has replaced another.
  ///
  /// The replaced record is returned to the app, which stores its revocations again. The app may be
  /// closed between the two.
  func noteStoredOver(_ device: SessionDevice) {
    let (before, after) = (device.before.session, device.disk.session)
    device.earlierTokens.subtract(before.flatMap(Self.json).map(Self.sessionsToEnd) ?? [])
    device.earlierTokens.formUnion(after.flatMap(Self.json).map(Self.sessionsToEnd) ?? [])
  }

  /// The sessions on disk that the app must still report to the server.
  private static func sessionsToEnd(_ json: JSON) -> [SessionID] {
    let tokens = (json["owed"]?.elements ?? []).map { $0.text } + [json["revoke"]?.text]
    let named = tokens.compactMap { $0?.split(separator: ".").first.map { SessionID(String($0)) } }
    return named + [json["left_behind"]?.text].compactMap { $0.map { SessionID($0) } }
  }

  // MARK: The end of a world

  /// Long enough for the renewal of a token and a sign-in.
  static let recoverySeconds: Int64 = 180

  /// Ends all faults and opens every app, so that every pending task must complete.
  func endFaults() {
    areFaultsOver = true
    for device in devices {
      device.isOffline = false
      if defect != .storageFailsForever { device.isStorageLocked = false }
    }
    for tab in tabs { kill(tab) }
    settleThefts()
    for tab in tabs { plan(.open(tab.number), in: 1...2) }
    let end = clock.now().adding(seconds: Self.recoverySeconds)
    while laws.violation == nil, clock.now() < end { step() }
    expectThievesStopped()
    for device in devices where laws.violation == nil {
      for id in device.earlierTokens {
        // A later sign-in may have replaced the session. The device must still have reported the
        // end.
        let end = self.end(of: id)
        let isServerInformed = end != nil && (end != .replaced || toldToEnd.contains(id))
        expect(
          isServerInformed, .serverIsInformed, "\(id.text) did not end at the server by its device")
      }
      for tab in tabs where tab.device === device {
        let isDamaged = device.disk.session.map { $0 == "{torn" } ?? false
        let isIn = tab.signedIn != nil
        expect(
          isIn || isDamaged, .sessionsContinue,
          "window \(tab.number) is \(SessionSnapshot(tab, at: clock.now()).place) at the end")
      }
    }
  }
}
