internal import JSONText
internal import ShellContract
internal import SignInEngine
internal import SignInFlow
internal import SignInModel
internal import SignInService
internal import SignInWire

/// The state of a tab before an event.
struct ScreenSnapshot {
  enum Place: Equatable {
    case opening, unreadable, out, locked, confirming(SessionID), signedIn(SessionID)
  }

  let place: Place
  /// Milliseconds since the tab was last visible or the app was last used.
  let away: Int64
  let idle: Int64

  init(_ tab: SimulatedTab, at now: Instant) {
    away = now.milliseconds - tab.lastPresence.milliseconds
    idle = now.milliseconds - tab.lastUsed.milliseconds
    switch tab.stage {
    case .opening: place = .opening
    case .storageUnreadable: place = .unreadable
    case .signedOut, .riderSignedOut, .atProvider: place = .out
    case .locked: place = .locked
    case .confirming(let id): place = .confirming(id)
    case .signedIn(let id): place = .signedIn(id)
    }
  }
}

// The laws compare the disk, the server and the screens.
extension Simulation {
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

  func judge(_ tab: SimulatedTab, _ before: ScreenSnapshot, after event: Event) {
    let after = ScreenSnapshot(tab, at: clock.now())
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

  private func leftTheApp(_ tab: SimulatedTab, _ before: ScreenSnapshot, _ event: Event) {
    let (device, notice) = (tab.device, tab.notice)
    let stored = device.disk.session.flatMap(Self.sessionID)
    switch before.place {
    case .out, .unreadable: return
    case .opening:
      laws.expect(
        stored == nil, .signedOutWithCause,
        "window \(tab.number) opened at the login, and a session is stored")
    case .locked:
      if event == .page(.buttonPressed(.useAnotherWay)) { return }
      if notice == .session(.lockChanged) {
        return laws.expect(
          device.disk.lock != device.enrolment, .reasonIsTrue, "the finger has not changed")
      }
      laws.expect(stored == nil, .signedOutWithCause, "window \(tab.number) left its lock")
    case .signedIn(let id): expectCause(of: id, notice, before, isOpened: false, tab)
    case .confirming(let id): expectCause(of: id, notice, before, isOpened: true, tab)
    }
  }

  private func expectCause(
    of id: SessionID, _ notice: Notice?, _ before: ScreenSnapshot, isOpened: Bool,
    _ tab: SimulatedTab
  ) {
    let device = tab.device
    let end = end(of: id)
    func expectEnd(_ wanted: EndReason...) {
      laws.expect(
        wanted.contains(where: allEnds(of: id).contains),
        end == nil ? .signedOutWithCause : .reasonIsTrue,
        "window \(tab.number) said \(wanted[0].rawValue) of \(id.text), which was "
          + "\(end?.rawValue ?? "alive"), from \(before.place)")
    }
    switch notice {
    case .signedOut:
      laws.expect(
        end != nil || device.ended.contains(id) || hasRevocation(device), .signedOutWithCause,
        "window \(tab.number) reported a sign-out")
    case .sessionEnded: expectEnd(.expired)
    case .accountDeactivated: expectEnd(.accountDeactivated)
    case .session(.signedOutElsewhere): expectEnd(.signedOut, .replaced)
    case .session(.revoked): expectEnd(.revoked, .sessionLimit, .noRights)
    case .session(.unsafe): expectEnd(.reuseDetected)
    case .session(.passwordChangedElsewhere): expectEnd(.passwordChanged)
    case .session(.lockChanged):
      laws.expect(device.enrolment > 1, .reasonIsTrue, "the finger has not changed")
    case .session(.idleTooLong):
      laws.expect(
        before.idle >= profile.idleSeconds * 1000 - Self.slack || end == .expired
          || hasNoMeasure(tab),
        .signedOutWithCause,
        "window \(tab.number) was idle for \(before.idle) ms only")
    case .session(.awayTooLong):
      var shown = device.lastShown[id] ?? Instant(milliseconds: 0)
      if device.seenKept < device.seenAsked { shown = min(shown, device.seenKept) }
      let cold = clock.now().milliseconds - shown.milliseconds + Self.presenceSlack
      // A tab that entered the session while it was hidden has not shown it.
      let isFirst = isOpened || tab.enteredHidden == id
      laws.expect(
        (isFirst ? max(before.away, cold) : before.away)
          >= WorldProfile.backgroundSeconds * 1000 - Self.slack || hasNoMeasure(tab),
        .signedOutWithCause, "window \(tab.number) was away for \(before.away) ms only")
    default:
      laws.expect(
        false, .signedOutWithCause, "window \(tab.number) was signed out without a reason")
    }
    device.ended.insert(id)
  }

  /// Whether the clock was set while the tab measured an absence, and nothing else measures time.
  func hasNoMeasure(_ tab: SimulatedTab) -> Bool {
    let since = tab.measuredSince.adding(milliseconds: -Self.presenceSlack)
    return !tab.device.hasSteadyClock && tab.device.clockSetAt >= since
  }

  // MARK: Entering a session

  private func entered(_ tab: SimulatedTab, _ id: SessionID, _ before: ScreenSnapshot) {
    let device = tab.device
    tab.lastSession = id
    tab.enteredHidden = tab.isHidden ? id : nil
    if before.place == .out { setCodesUsed(of: device.person) }
    let lastShown = device.lastShown[id]
    if tab.isHidden, before.place != .out {
      // A hidden tab shows no presence. That of another tab counts here too.
      if let lastShown { tab.lastShownElsewhere = max(tab.lastShownElsewhere, lastShown) }
      if let used = device.lastUsed[id] { tab.lastUsed = max(tab.lastUsed, stored(used, device)) }
      // A tab that waited for the server while visible was in use until it was hidden.
      if before.place == .confirming(id) {
        device.lastShown[id] = max(lastShown ?? tab.lastSeen, tab.lastSeen)
      }
    } else {
      tab.use(at: clock.now())
      device.lastShown[id] = clock.now()
    }
    laws.expect(
      !device.givenUp.contains(id), .signedOutStaysOut,
      "window \(tab.number) shows a session that was ended here")
    let isFreed = device.disk.lock == nil || tab.unlocked == device.disk.lock
    if before.place != .out, Self.sessionID(of: device.disk.session ?? "") == id {
      laws.expect(isFreed, .ownerOnly, "window \(tab.number) shows locked data")
    }
    guard before.place == .opening || before.place == .out, profile.locks,
      device.disk.lock == nil, let lastShown, device.disk.seen != nil,
      // The absence is measured from the last presence that storage accepted.
      device.clockSetAt < min(lastShown, device.seenKept)
    else { return }
    let away = clock.now().milliseconds - lastShown.milliseconds
    laws.expect(
      away < WorldProfile.backgroundSeconds * 1000 + Self.slack, .lockedAfterBackground,
      "window \(tab.number) was opened after \(away) ms and shows its data at once; "
        + "seen \(device.disk.seen ?? "never")")
  }

  /// The earliest last use that storage can have, if `used` was the last one.
  ///
  /// A tab that enters a session while hidden knows its use only from storage.
  private func stored(_ used: Instant, _ device: SimulatedDevice) -> Instant {
    let kept = device.seenKept < device.seenAsked ? min(used, device.seenKept) : used
    return kept.adding(milliseconds: -Self.presenceSlack)
  }

  private func expectOneOrganization(_ tab: SimulatedTab) {
    guard tab.device.person.app == .mentor, let session = tab.session,
      let organization = session.organization, let home = session.activities
    else { return }
    for entry in home.activities.value?.activities ?? [] {
      let notes = home.notes(of: entry)
      let isOwn =
        entry.id.hasPrefix(organization)
        && (notes.isEmpty || notes.hasSuffix(" " + organization))
      laws.expect(
        isOwn, .organizationsApart, "window \(tab.number) shows \(entry.id) in \(organization)")
    }
    if let opened = home.opened {
      laws.expect(
        opened.hasPrefix(organization), .organizationsApart,
        "window \(tab.number) has \(opened) open in \(organization)")
    }
  }

  /// Whether storage has a sign-out, of any later session of this device.
  func hasRevocation(_ device: SimulatedDevice) -> Bool {
    guard let json = device.disk.session.flatMap(Self.json) else { return false }
    // A tab that could not open the lock has no token of the session, and stores its identifier.
    return json["revoke"] != nil || json["session"] == nil && json["left_behind"] != nil
  }

  /// Records the session that storage has now.
  func noteStored(_ device: SimulatedDevice) {
    guard let text = device.disk.session, let json = Self.json(text) else {
      return note("erased", device.number)
    }
    note(
      "stored", device.number, 0, "\(Self.sessionID(of: text)?.text.prefix(14) ?? "revocation")")
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
  func noteStoredOver(_ device: SimulatedDevice) {
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
}
