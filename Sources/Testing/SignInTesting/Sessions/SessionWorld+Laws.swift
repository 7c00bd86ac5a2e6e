internal import JSONText
internal import SignInFlow
internal import SignInModel
internal import SignInService
internal import SignInWire

/// Where a window stood before something happened.
struct Standing {
  enum Place: Equatable {
    case opening, unreadable, out, locked, confirming(SessionID), signedIn(SessionID)
  }

  let place: Place
  /// Milliseconds since the window was last in sight, or the app in use.
  let away: Int64
  let idle: Int64

  init(_ window: SessionWindow, at now: Instant) {
    away = now.milliseconds - max(window.lastSeen, window.lastUsed).milliseconds
    idle = now.milliseconds - window.lastUsed.milliseconds
    switch window.flow.stage {
    case .starting, .readingStorage: place = .opening
    case .storageUnreadable: place = .unreadable
    case .signedOut, .riderSignedOut: place = .out
    case .locked: place = .locked
    case .confirming(let confirming): place = .confirming(confirming.keeping.record.terms.id)
    case .signedIn(let signedIn): place = .signedIn(signedIn.keeping.record.terms.id)
    }
  }
}

// The laws, told from what is on disk, at the server, and on the screens.
extension SessionWorld {
  /// Storage may be late by so much, and presence is written every quarter of a minute.
  private static let presenceSlack: Int64 = 100_000
  private static let slack: Int64 = 3000

  static func sessionID(of text: String) -> SessionID? {
    json(text)?["session"]?["id"]?.text.map { SessionID($0) }
  }

  private static func json(_ text: String) -> JSON? {
    do throws(JSONMalformed) { return try JSONReader.read(Array(text.utf8)) } catch { return nil }
  }

  func judge(_ window: SessionWindow, _ before: Standing, after event: Event) {
    let after = Standing(window, at: clock.now())
    switch after.place {
    case .out: if before.place != .out { leftTheApp(window, before, event) }
    case .signedIn(let id):
      if before.place != after.place { entered(window, id, before) }
      expectOneOrganization(window)
    case .opening, .unreadable, .locked, .confirming: break
    }
    if case .signedIn(let id) = before.place, after.place != before.place {
      // What the app itself ends it may end everywhere on this device.
      if after.place == .out { window.device.ended.insert(id) }
    }
  }

  // MARK: Out

  private func leftTheApp(_ window: SessionWindow, _ before: Standing, _ event: Event) {
    let (device, notice) = (window.device, window.signIn?.notice)
    let stored = device.disk.session.flatMap(Self.sessionID)
    switch before.place {
    case .out, .unreadable: return
    case .opening:
      expect(
        stored == nil, .signedOutWithCause,
        "window \(window.number) opened at the login, and a session is stored")
    case .locked:
      if event == .buttonPressed(.useAnotherWay) { return }
      if notice == .session(.lockChanged) {
        return expect(
          device.disk.lock != device.enrolment, .reasonIsTrue, "the same finger was called another")
      }
      expect(stored == nil, .signedOutWithCause, "window \(window.number) left its lock")
    case .signedIn(let id): expectCause(of: id, notice, before, isOpened: false, window)
    case .confirming(let id): expectCause(of: id, notice, before, isOpened: true, window)
    }
  }

  private func expectCause(
    of id: SessionID, _ notice: Notice?, _ before: Standing, isOpened: Bool,
    _ window: SessionWindow
  ) {
    let device = window.device
    let end = end(of: id)
    func expectEnd(_ wanted: Session.End...) {
      expect(
        wanted.contains(where: ends(of: id).contains),
        end == nil ? .signedOutWithCause : .reasonIsTrue,
        "window \(window.number) said \(wanted[0].rawValue) of \(id.text), which was "
          + "\(end?.rawValue ?? "alive"), from \(before.place)")
    }
    switch notice {
    case .signedOut:
      expect(
        end != nil || device.ended.contains(id) || hasFarewell(device), .signedOutWithCause,
        "window \(window.number) said that somebody has signed out")
    case .sessionEnded: expectEnd(.expired)
    case .accountDeactivated: expectEnd(.accountDeactivated)
    case .session(.signedOutElsewhere): expectEnd(.signedOut, .replaced)
    case .session(.revoked): expectEnd(.revoked, .sessionLimit)
    case .session(.unsafe): expectEnd(.reuseDetected)
    case .session(.passwordChangedElsewhere): expectEnd(.passwordChanged)
    case .session(.lockChanged):
      expect(device.enrolment > 1, .reasonIsTrue, "the same finger was called another")
    case .session(.idleTooLong):
      expect(
        before.idle >= Self.idleSeconds * 1000 - Self.slack || end == .expired,
        .signedOutWithCause,
        "window \(window.number) was idle for \(before.idle) ms only")
    case .session(.awayTooLong):
      var shown = device.lastShown[id] ?? Instant(milliseconds: 0)
      if device.seenKept < device.seenAsked { shown = min(shown, device.seenKept) }
      let cold = clock.now().milliseconds - shown.milliseconds + Self.presenceSlack
      expect(
        (isOpened ? max(before.away, cold) : before.away)
          >= Self.backgroundSeconds * 1000 - Self.slack,
        .signedOutWithCause, "window \(window.number) was away for \(before.away) ms only")
    default:
      expect(false, .signedOutWithCause, "window \(window.number) was signed out, and not told why")
    }
    device.ended.insert(id)
  }

  // MARK: In

  private func entered(_ window: SessionWindow, _ id: SessionID, _ before: Standing) {
    let device = window.device
    window.lastSession = id
    let lastShown = device.lastShown[id]
    if window.isHidden, before.place != .out {
      // Nobody is there by that; whoever was there in another window counts here too.
      if let lastShown, lastShown > window.lastUsed { window.lastUsed = lastShown }
      // Who waited for the server in sight, and is let in, was there until then.
      if before.place == .confirming(id) {
        device.lastShown[id] = max(lastShown ?? window.lastSeen, window.lastSeen)
      }
    } else {
      window.lastUsed = clock.now()
      device.lastShown[id] = clock.now()
    }
    expect(
      !device.givenUp.contains(id), .signedOutStaysOut,
      "window \(window.number) shows a session that was given up")
    let isFreed = device.disk.lock == nil || window.freed == device.disk.lock
    if before.place != .out, Self.sessionID(of: device.disk.session ?? "") == id {
      expect(isFreed, .ownerOnly, "window \(window.number) shows what is locked")
    }
    guard before.place == .opening || before.place == .out, client.unlock == .biometric,
      device.disk.lock == nil, let lastShown, device.clockSetAt < lastShown, device.disk.seen != nil
    else { return }
    let away = clock.now().milliseconds - lastShown.milliseconds
    expect(
      away < Self.backgroundSeconds * 1000 + Self.slack, .awayIsLocked,
      "window \(window.number) was opened after \(away) ms, and shows all at once; "
        + "seen \(device.disk.seen ?? "never")")
  }

  private func expectOneOrganization(_ window: SessionWindow) {
    guard let signedIn = window.signedIn, case .activities(let home) = signedIn.home,
      let organization = signedIn.keeping.record.terms.organization?.text
    else { return }
    for entry in home.activities.value?.activities ?? [] {
      let notes = home.notes(of: entry)
      let isOwn =
        entry.id.hasPrefix(organization)
        && (notes.isEmpty || notes.hasSuffix(" " + organization))
      expect(
        isOwn, .organizationsApart, "window \(window.number) shows \(entry.id) in \(organization)")
    }
    if let opened = home.opened {
      expect(
        opened.hasPrefix(organization), .organizationsApart,
        "window \(window.number) has \(opened) open in \(organization)")
    }
  }

  /// Somebody has signed out, of whatever session this device has come to have since.
  func hasFarewell(_ device: SessionDevice) -> Bool {
    device.disk.session.flatMap(Self.json)?["revoke"] != nil
  }

  func expectNoTheft() {
    for session in store.tables.sessions.values where session.end == .reuseDetected {
      expect(false, .noFalseTheft, "\(session.id.text) was taken for stolen")
    }
  }

  /// What has just come to be on disk.
  func noteStored(_ device: SessionDevice) {
    guard let text = device.disk.session, let json = Self.json(text) else {
      return note("erased", device.number)
    }
    note("stored \(Self.sessionID(of: text)?.text.prefix(14) ?? "farewell")", device.number)
    if let id = Self.sessionID(of: text) { device.everStored.insert(id) }
    if json["revoke"] != nil, json["session"] == nil,
      let id = device.before.session.flatMap(Self.sessionID)
    {
      device.givenUp.insert(id)
      device.ended.insert(id)
    }
    device.owed.formUnion(Self.sessionsToEnd(json))
  }

  /// What was promised there before is handed back to whoever wrote over it, and promised anew; in
  /// between lies a moment in which the app may be closed.
  func noteStoredOver(_ device: SessionDevice) {
    let (before, after) = (device.before.session, device.disk.session)
    device.owed.subtract(before.flatMap(Self.json).map(Self.sessionsToEnd) ?? [])
    device.owed.formUnion(after.flatMap(Self.json).map(Self.sessionsToEnd) ?? [])
  }

  /// Those the server is still to learn of, by what is on disk.
  private static func sessionsToEnd(_ json: JSON) -> [SessionID] {
    let tokens = (json["owed"]?.elements ?? []).map { $0.text } + [json["revoke"]?.text]
    let named = tokens.compactMap { $0?.split(separator: ".").first.map { SessionID(String($0)) } }
    return named + [json["left_behind"]?.text].compactMap { $0.map { SessionID($0) } }
  }

  // MARK: Calm

  /// Nothing lies or is lost any more, and everybody is there: what was promised comes true.
  func calm() async {
    isCalm = true
    for device in devices {
      device.isOffline = false
      if defect != .stuckStorage { device.isStorageLocked = false }
    }
    for window in windows {
      kill(window)
      plan(.open(window.number), in: 1...2)
    }
    let end = clock.now().adding(seconds: 120)
    while report.broken == nil, clock.now() < end { await step() }
    for device in devices where report.broken == nil {
      for id in device.owed {
        // That a later sign-in has replaced it does not excuse a device that never told.
        let end = self.end(of: id)
        let isTold = end != nil && (end != .replaced || toldToEnd.contains(id))
        expect(isTold, .serverLearns, "\(id.text) lives on at the server, or was only replaced")
      }
      for window in windows where window.device === device {
        let isDamaged = device.disk.session.map { $0 == "{torn" } ?? false
        let isIn = window.signedIn != nil
        expect(
          isIn || isDamaged, .calmReturns,
          "window \(window.number) is not at work in the calm")
      }
    }
  }
}
