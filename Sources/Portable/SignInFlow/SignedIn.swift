public import SignInModel
public import SignInWire

/// A signed-in person: the session, and the home screen that it opens.
public struct SignedIn<Home: AppHome>: Equatable, Sendable {
  /// A question over all other content, which the person must answer first.
  public enum Sheet: Equatable, Sendable {
    case lockOffered
    /// The session ends at this moment, unless the person says that they are there (WCAG 2.2.1).
    case idleWarning(until: Instant)
  }

  public private(set) var renewingSession: RenewingSession
  public internal(set) var home = Home()
  public internal(set) var account = FetchedValue<AccountAnswer>(.me)
  public internal(set) var notice: Notice?
  public internal(set) var isMenuOpen = false
  public private(set) var sheet: Sheet?
  /// What happened to the account on other devices, until the person has responded.
  public internal(set) var accountUpdate = AccountUpdate()
  /// The page with the sessions, which replaces the home screen while it is open.
  public internal(set) var sessions: SessionsPage?
  /// A place that the app does not have, while the page says so.
  public internal(set) var unknownPlace: String?
  private var lock: LockState
  private(set) var lastActivity: LastActivity

  private var watch = SessionWatch()
  var requests = RequestTable()

  init(
    _ renewingSession: RenewingSession, _ lastActivity: LastActivity, hasLock: Bool = false,
    isNew: Bool = false
  ) {
    self.renewingSession = renewingSession
    self.lastActivity = lastActivity
    lock = hasLock ? .present : isNew ? .notOffered : .absent
  }

  mutating func open(_ context: inout FlowContext) -> [Effect] {
    context.setOwner(OfflineCopyOwner(renewingSession.record, clientID: context.app.clientID))
    // A hidden tab may get its session from another tab.
    if !context.isHidden { lastActivity.use(context) }
    context.name(session: renewingSession.record.terms.id.text)
    if context.invitation != nil { notice = .session(.invitationWaits) }
    let effects = home.open(&context) + openPlace(&context)
    account.load(&context)
    if !context.isHidden { watch.hold(&context) }
    endUnreadableSession(&context)
    return effects + renewingSession.send(&context) + storePresence(context, force: true)
      + offerLock(&context)
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    let wasFleeting = renewingSession.isMemoryOnly
    var effects = observe(event, &context) + dispatch(event, &context)
    guard renewingSession.ending == nil else { return effects }
    if renewingSession.isMemoryOnly, !wasFleeting { notice = .sessionNotKept }
    switch renewingSession.takeUpdate() {
    case .replaced(let change)?: return effects + startOver(change, &context)
    case .switchFailed(let reason)?:
      notice = reason
      effects.append(.announce(.notice(reason)))
    case .ended?, nil: break
    }
    effects += renewingSession.send(&context)
    return effects
  }

  private mutating func startOver(
    _ change: RenewingSession.Change, _ context: inout FlowContext
  ) -> [Effect] {
    // The person of the other session was active in another tab, and not in this one since. So the
    // times of this tab say nothing about that person.
    if change == .adopted { context.restartHiddenTime() }
    if change == .adopted, context.isHidden {
      if hasLock { lastActivity.forgetUse() } else { lastActivity.forget() }
    }
    home = Home()
    account = FetchedValue<AccountAnswer>(.me)
    sheet = nil
    (sessions, unknownPlace) = (nil, nil)
    context.open(place: "")
    isMenuOpen = false
    watch = SessionWatch()
    requests = RequestTable()
    accountUpdate = AccountUpdate()
    context.moveFocus(to: .heading)
    return [.eraseScreenState] + (hasLock ? [.saveAccountSummary(lockCard.text)] : [])
      + open(&context)
  }
}

// MARK: - Events

extension SignedIn: EventHandler {
  mutating func handle(_ event: PageEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .buttonPressed(.accountMenu): isMenuOpen.toggle()
    case .buttonPressed(.signOut): return handle(SessionIntent.signOut, &context)
    case .buttonPressed(.setLock): return handle(SessionIntent.setLock, &context)
    case .buttonPressed(.removeLock): return handle(SessionIntent.removeLock, &context)
    case .buttonPressed(.notNow): return declineLock(&context)
    case .buttonPressed(let button) where button.isReply: reply(with: button, &context)
    case .buttonPressed(.whereSignedIn): openSessions(&context)
    case .buttonPressed(.back) where sessions.map { !$0.passwordChange.isPresent } ?? false:
      sessions = nil
      context.moveFocus(to: .heading)
    case .buttonPressed(.back) where unknownPlace != nil: return leaveUnknownPlace(&context)
    case .buttonPressed(.staySignedIn): return handle(SessionIntent.staySignedIn, &context)
    case .buttonPressed:
      isMenuOpen = false
      return pass(.page(event), &context)
    case .bannerDismissed where notice != nil: notice = nil
    case .fieldEdited, .bannerDismissed: return pass(.page(event), &context)
    case .passwordRevealToggled: return sessions?.handle(Event.page(event), &context) ?? []
    }
    return []
  }

  mutating func handle(_ intent: SessionIntent, _ context: inout FlowContext) -> [Effect] {
    switch intent {
    case .signOut: return renewingSession.leave()
    case .setLock: return setLock(&context)
    case .removeLock: return removeLock()
    case .switchOrganization(let organization): return enter(organization, &context)
    case .staySignedIn:
      if isWarning { context.moveFocus(to: .heading) }
      sheet = nil
    case .tryAgain, .unlock, .signInInstead: break
    }
    return []
  }

  mutating func handle(_ event: StorageEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .renewalClaimed(let reading): return renewingSession.renewalClaimed(reading, &context)
    case .saveFailed: renewingSession.markNotStored()
    case .sessionChanged(let reading): return renewingSession.stored(reading, &context)
    case .read, .storedSessionReplaced, .pendingSignInSaved: break
    }
    return []
  }

  mutating func handle(_ event: SessionEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .lockSupportChecked: offerLock(&context)
    case .lockSet: lock == .beingSet ? lockSet(&context) : []
    case .lockFailed: lock == .beingSet ? lockFailed() : []
    case .unlocked, .unlockFailed: []
    }
  }

  mutating func handle(_ event: DeviceEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .hidden:
      if let request = watch.request { renewingSession.drop(request) }
      return watch.cancel(&context) + storePresence(context, force: true)
    case .shown:
      watch.hold(&context)
      endUnreadableSession(&context)
      return pass(.device(event), &context)
    case .networkReturned:
      let effects = pass(.device(event), &context)
      account.networkReturned(&context)
      endUnreadableSession(&context)
      if !context.isHidden { watch.hold(&context) }
      return effects
    case .used, .userActiveInOtherTab: return []
    }
  }

  mutating func handle(_ event: HomeEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .itemPressed(.switchOrganization, let organization):
      return handle(SessionIntent.switchOrganization(OrganizationID(organization)), &context)
    case .screenStateRead, .offlineCopy: return home.handle(.home(event), &context)
    case .requestMade(let apiRequest, let ticket):
      requests.add(context.ask(apiRequest), for: .app(ticket: ticket))
    case .tokenAsked(let ticket): renewingSession.askToken(ticket)
    case .placeOpened: return openPlace(&context)
    case .itemPressed, .rowsShown, .networkChanged: return pass(.home(event), &context)
    }
    return []
  }

  mutating func tick(_ context: inout FlowContext) -> [Effect] {
    let effects = renewingSession.tick(context) + pass(.ticked, &context)
    _ = account.tick(&context)
    // A hidden tab must not overwrite the newer times of a visible one.
    guard !context.isHidden else { return effects }
    watch.tick(&context)
    return effects + storePresence(context)
  }

  /// The session handles its own answers, and returns those that belong to a screen.
  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    if home.isFor(id) {
      return home.handle(.answered(id, answer), &context)
    }
    var (effects, deliveries) = renewingSession.answered(id, answer, &context)
    guard renewingSession.ending == nil else { return effects }
    for delivery in deliveries { effects += deliver(delivery.answer, to: delivery.id, &context) }
    return effects
  }

  private mutating func deliver(
    _ answer: Answer, to id: RequestID, _ context: inout FlowContext
  ) -> [Effect] {
    if watch.isFor(id) {
      guard let update = watch.answered(answer, &context) else { return [] }
      return renewingSession.learn(update.terms) + learn(update.account)
    }
    if account.isFor(id) { return accountAnswered(answer, context) }
    switch requests.take(id) {
    case .reply(let isAccepting)?: return replied(answer, isAccepting: isAccepting, &context)
    case .endUnreadableSession?:
      // If there is no such session (404), it needs no end. Without an answer, the request is sent
      // again.
      let isOver = answer.status.map { $0 < 300 || $0 == 404 } ?? false
      return isOver ? renewingSession.clearUnreadableSession() : []
    case .app(let ticket)?:
      context.reply(.answer(answer), to: ticket)
      return []
    case nil:
      let event = Event.answered(id, answer)
      return home.handle(event, &context) + (sessions?.handle(event, &context) ?? [])
    }
  }

  private mutating func accountAnswered(_ answer: Answer, _ context: FlowContext) -> [Effect] {
    guard let body = answer.success, let known = AccountAnswer(json: body) else {
      // The screen shows that the name is missing, and the home screen says why.
      _ = account.fail(answer, context)
      return []
    }
    account.adopt(known, context)
    home.setAccount(known)
    return learn(known.accountUpdate)
      + renewingSession.learn(SessionRecord.Person(id: known.id, name: known.name))
      + (hasLock ? [.saveAccountSummary(lockCard.text)] : [])
  }
}

// MARK: - Pages in place of the home screen

extension SignedIn {
  /// Passes the event to the page that is visible.
  mutating func pass(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    guard sessions.isPresent else { return home.handle(event, &context) }
    return sessions?.handle(event, &context) ?? []
  }

  /// Ends the session that is still sealed, because the person signed in instead of unlocking it.
  private mutating func endUnreadableSession(_ context: inout FlowContext) {
    guard !requests.isEndingUnreadableSession,
      let session = renewingSession.record.revocations.unreadableSession
    else { return }
    let request = APIRequest.delete(.session(Endpoint.Segment(session.text)))
    requests.add(context.ask(request), for: .endUnreadableSession)
  }

  mutating func openSessions(_ context: inout FlowContext) {
    isMenuOpen = false
    var page = SessionsPage()
    page.open(&context)
    sessions = page
    context.moveFocus(to: .heading)
  }

  /// Switches to the organization.
  ///
  /// Nothing of the current one is shown during the switch (S-05).
  private mutating func enter(
    _ organization: OrganizationID, _ context: inout FlowContext
  ) -> [Effect] {
    isMenuOpen = false
    (sessions, unknownPlace) = (nil, nil)
    renewingSession.enter(organization)
    return renewingSession.wantedOrganization == nil ? [] : [.announce(.switchingOrganization)]
  }
}

// MARK: - Time-outs

extension SignedIn {
  /// The person is warned this long before the session ends because it is idle.
  static var idleWarningSeconds: Int64 { 60 }

  enum Verdict: Equatable, Sendable {
    /// The device's owner can unlock the app.
    case lock
    /// The time-out has passed by the device's clock only, so the server must confirm it.
    case confirm
    case ended(Notice)
  }

  /// Whether the person was away for too long; then nothing may be shown any more.
  ///
  /// This is checked before each event, and before the event shows or hides the app.
  func judge(_ event: Event, _ context: FlowContext) -> Verdict? {
    let terms = renewingSession.record.terms
    let away = lastActivity.away(context)
    // The prompt in which the device verifies its owner also hides the app, and is no absence
    // (L-30).
    if lock != .beingSet, away.isSuspected(seconds: terms.backgroundTimeout) {
      if hasLock { return .lock }
      // The person may be active in another tab, so an end waits until this tab is visible.
      if terms.needsLock, isSeen(event, context) {
        return away.isCertain(seconds: terms.backgroundTimeout)
          ? .ended(.session(.awayTooLong)) : .confirm
      }
    }
    let idle = lastActivity.sinceUsed(context)
    guard idle.isSuspected(seconds: terms.idleTimeout), isSeen(event, context) else {
      return nil
    }
    let isCertain = !context.isHidden && idle.isCertain(seconds: terms.idleTimeout)
    return isCertain ? .ended(.session(.idleTooLong)) : .confirm
  }

  private func isSeen(_ event: Event, _ context: FlowContext) -> Bool {
    !context.isHidden || event == .device(.shown)
  }

  private mutating func observe(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    if case .device(let event) = event {
      observe(event, &context)
    } else if event.isUse {
      use(&context)
    } else if case .home(let event) = event, event.isUse {
      observe(.used, &context)
    } else {
      stay(context)
    }
    return warn(context)
  }

  private mutating func observe(_ event: DeviceEvent, _ context: inout FlowContext) {
    switch event {
    case .hidden: lastActivity.hide(context)
    case .shown: lastActivity.show(context)
    case .userActiveInOtherTab: lastActivity.use(context)
    // While the idle warning is shown, only a press or typed text counts as use.
    case .used: if !isWarning { use(&context) }
    case .networkReturned: stay(context)
    }
  }

  private mutating func use(_ context: inout FlowContext) {
    context.use()
    lastActivity.use(context)
  }

  private mutating func stay(_ context: FlowContext) {
    if !context.isHidden { lastActivity.show(context) }
  }

  private mutating func storePresence(_ context: FlowContext, force: Bool = false) -> [Effect] {
    lastActivity.store(context, of: renewingSession.record.terms.id, force: force)
  }

  private var isWarning: Bool {
    if case .idleWarning? = sheet { true } else { false }
  }

  private mutating func warn(_ context: FlowContext) -> [Effect] {
    let timeout = renewingSession.record.terms.idleTimeout
    // A third of a short time-out, so that the warning is not always visible.
    var notice = Self.idleWarningSeconds
    if timeout / 3 < notice { notice = timeout / 3 }
    let passed = lastActivity.sinceUsed(context).suspectedMilliseconds
    guard lastActivity.isKnown, passed >= (timeout - notice) * 1000 else {
      if isWarning { sheet = nil }
      return []
    }
    let until = context.now.adding(milliseconds: timeout * 1000 - passed)
    let isNew = !isWarning
    sheet = .idleWarning(until: until)
    return isNew ? [.announce(.idleWarning(until: until))] : []
  }
}

// MARK: - App lock

extension SignedIn {
  private enum LockState: Equatable, Sendable {
    /// The session has just begun, and no lock was offered yet.
    case notOffered
    case absent
    case beingSet
    case present
  }

  /// Whether the stored session is sealed under a key that only the device's owner can unlock.
  public var hasLock: Bool { lock == .present }

  /// What the app may show while it is locked.
  var lockCard: AppLock.LockedContent {
    AppLock.LockedContent(
      name: renewingSession.record.person?.name ?? "",
      organization: renewingSession.record.terms.organization?.text ?? "",
      session: renewingSession.record.terms.id
    )
  }

  /// Offers a lock once after sign-in, if the device has one.
  private mutating func offerLock(_ context: inout FlowContext) -> [Effect] {
    guard lock == .notOffered, let isPossible = context.isLockPossible,
      !renewingSession.isMemoryOnly
    else { return [] }
    lock = .absent
    if isPossible {
      sheet = .lockOffered
      context.moveFocus(to: .sheet)
    } else if renewingSession.record.terms.needsLock {
      notice = .session(.lockImpossible)
    }
    return []
  }

  private mutating func setLock(_ context: inout FlowContext) -> [Effect] {
    guard !hasLock, lock != .beingSet, context.isLockPossible == true else { return [] }
    sheet = nil
    isMenuOpen = false
    lock = .beingSet
    context.moveFocus(to: .heading)
    return [.setLock(session: renewingSession.storedText, card: lockCard.text)]
  }

  private mutating func lockSet(_ context: inout FlowContext) -> [Effect] {
    lock = .present
    notice = .session(.lockSet)
    // The person has answered the prompt, although the app may be hidden again by now.
    context.restartHiddenTime()
    lastActivity.use(context)
    return renewingSession.lockSet() + home.storeAgain() + [
      .announce(.notice(.session(.lockSet)))
    ]
  }

  private mutating func lockFailed() -> [Effect] {
    lock = .absent
    notice = .session(.lockNotSet)
    return [.announce(.notice(.session(.lockNotSet)))]
  }

  private mutating func declineLock(_ context: inout FlowContext) -> [Effect] {
    guard sheet == .lockOffered else { return [] }
    sheet = nil
    context.moveFocus(to: .heading)
    return []
  }

  /// Removes the lock, unless the organization requires it.
  private mutating func removeLock() -> [Effect] {
    guard hasLock, !renewingSession.record.terms.needsLock else { return [] }
    lock = .absent
    isMenuOpen = false
    notice = .session(.lockRemoved)
    return [.removeLock(session: renewingSession.storedText)] + home.storeAgain()
      + [.announce(.notice(.session(.lockRemoved)))]
  }

  /// Removes an earlier token, because the server has answered its revocation.
  mutating func confirmRevocation(of token: Secret) -> [Effect] {
    renewingSession.confirmRevocation(of: token)
  }

  /// Adds sessions that this one replaced in storage, so that they end.
  mutating func addRevocations(_ left: PendingRevocations, _ context: inout FlowContext) -> [Effect]
  {
    let effects = renewingSession.addRevocations(left)
    endUnreadableSession(&context)
    return effects
  }
}
