import SignInModel
import SignInWire

/// A signed-in person: the session, and the home screen that it opens.
public struct SignedIn<Home: AppHome>: Equatable, Sendable {
  public typealias Event = AppEvent<Home.Page>
  public typealias FlowEffect = AppEffect<Home.Page>

  public private(set) var renewingSession: RenewingSession
  public internal(set) var home = Home()
  var sessionAccount = SessionAccount()
  var shown = ShownContent<Home.Sessions>()
  private(set) var absence: AbsenceGuard
  private var watch = SessionWatch()
  var requests = RequestTable()

  init(
    _ renewingSession: RenewingSession, _ lastActivity: LastActivity, hasLock: Bool = false,
    isNew: Bool = false
  ) {
    self.renewingSession = renewingSession
    absence = AbsenceGuard(lastActivity, lock: hasLock ? .present : isNew ? .notOffered : .absent)
  }

  private var terms: TokenAnswer.SessionTerms { renewingSession.record.terms }

  mutating func open(_ context: inout FlowContext) -> [FlowEffect] {
    context.open(renewingSession.record)
    // A hidden tab may get its session from another tab.
    if !context.isHidden { absence.use(&context) }
    if context.run.opened.invitation != nil { shown.notice = .session(.invitationWaits) }
    let effects = home.open(&context) + openPlace(&context)
    sessionAccount.fetched.load(&context)
    if !context.isHidden { watch.hold(&context) }
    endUnreadableSession(&context)
    return effects + renewingSession.send(&context).inApp()
      + storePresence(context, force: true) + offerLock(&context)
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [FlowEffect] {
    let wasFleeting = renewingSession.isMemoryOnly
    var effects = observe(event, &context) + dispatch(event, &context)
    guard renewingSession.ending == nil else { return effects }
    if renewingSession.isMemoryOnly, !wasFleeting { shown.notice = .sessionNotKept }
    switch renewingSession.takeUpdate() {
    case .replaced(let change)?: return effects + startOver(change, &context)
    case .switchFailed(let reason)?:
      shown.notice = reason
      effects.append(.report(.notice(reason)))
    case .ended?, nil: break
    }
    effects += renewingSession.send(&context).inApp()
    return effects
  }

  private mutating func startOver(
    _ change: RenewingSession.Change, _ context: inout FlowContext
  ) -> [FlowEffect] {
    // The person of the other session was active in another tab, and not in this one since. So the
    // times of this tab say nothing about that person.
    if change == .adopted {
      context.restartHiddenTime()
      if context.isHidden { absence.forget() }
    }
    home = Home()
    sessionAccount = SessionAccount()
    shown.close()
    watch = SessionWatch()
    requests = RequestTable()
    context.run.opened.open(place: "")
    context.show(.heading)
    return [.engine(.eraseScreenState)] + savedAccountSummary + open(&context)
  }
}

// MARK: - Events

extension SignedIn {
  private mutating func dispatch(_ event: Event, _ context: inout FlowContext) -> [FlowEffect] {
    switch event {
    case .page(let page): handle(page, &context)
    case .storage(let event): handle(event, &context)
    case .session(let event): handle(event, &context)
    case .device(let event): handle(event, &context)
    case .home(let event): handle(event, &context)
    case .intent(.session(let intent)): handle(intent, &context)
    case .answered(let id, let answer): answered(id, answer, &context)
    case .ticked: tick(&context)
    case .started, .signIn, .intent(.signIn): []
    }
  }

  private mutating func handle(_ page: Home.Page, _ context: inout FlowContext) -> [FlowEffect] {
    switch page.intent {
    case .toggleMenu?: shown.isMenuOpen.toggle()
    case .session(.signOut)?: return leave(.signOut, &context)
    case .cancel? where isAskingToLeave: stayHere(&context)
    case .session(.setLock)?: return handle(SessionIntent.setLock, &context)
    case .session(.removeLock)?: return handle(SessionIntent.removeLock, &context)
    case .declineLock?: return declineLock(&context)
    case .reply(let reply)?: self.reply(reply, &context)
    case .openSessions?: openSessions(&context)
    case .goBack? where shown.canCloseSessions:
      shown.sessions = nil
      context.show(.heading)
    case .goBack? where shown.unknownPlace != nil: return leaveUnknownPlace(&context)
    case .session(.staySignedIn)?: return handle(SessionIntent.staySignedIn, &context)
    case .dismissNotice? where shown.notice != nil: shown.notice = nil
    case .chooseLanguage, .signInAgain, .signInAtProvider, .cancel, .session, .goBack,
      .dismissNotice, nil:
      if page.closesMenu { shown.isMenuOpen = false }
      return pass(.page(page), &context)
    }
    return []
  }

  mutating func handle(_ intent: SessionIntent, _ context: inout FlowContext) -> [FlowEffect] {
    switch intent {
    case .signOut: renewingSession.leave()
    case .setLock: return setLock(&context)
    case .removeLock: return removeLock()
    case .switchOrganization(let organization): return enter(organization, &context)
    case .staySignedIn:
      if shown.isWarning { context.show(.heading) }
      shown.sheet = nil
    case .tryAgain, .unlock, .signInInstead: break
    }
    return []
  }

  mutating func handle(_ event: StorageEvent, _ context: inout FlowContext) -> [FlowEffect] {
    switch event {
    case .renewalClaimed(let reading):
      return renewingSession.renewalClaimed(reading, &context).inApp()
    case .saveFailed: renewingSession.markNotStored()
    case .sessionChanged(let reading): return renewingSession.stored(reading, &context).inApp()
    case .read, .storedSessionReplaced, .lockoutsRead, .pendingSignInSaved: break
    }
    return []
  }

  mutating func handle(_ event: SessionEvent, _ context: inout FlowContext) -> [FlowEffect] {
    switch event {
    case .lockSupportChecked: offerLock(&context)
    case .lockSet: absence.lock == .beingSet ? lockSet(&context) : []
    case .lockFailed: absence.lock == .beingSet ? lockFailed() : []
    case .unlocked, .unlockFailed: []
    }
  }

  mutating func handle(_ event: DeviceEvent, _ context: inout FlowContext) -> [FlowEffect] {
    switch event {
    case .hidden:
      if let request = watch.request { renewingSession.drop(request) }
      return watch.cancel(&context).inApp() + storePresence(context, force: true)
    case .shown:
      watch.hold(&context)
      endUnreadableSession(&context)
      return pass(.device(event), &context)
    case .networkReturned:
      let effects = pass(.device(event), &context)
      sessionAccount.fetched.networkReturned(&context)
      endUnreadableSession(&context)
      if !context.isHidden { watch.hold(&context) }
      return effects
    case .used, .userActiveInOtherTab: return []
    }
  }

  private mutating func handle(_ event: Event.Home, _ context: inout FlowContext) -> [FlowEffect] {
    switch event {
    case .itemPressed(let button, let item):
      let intent = Home.Page.intent(pressing: button, of: item)
      guard case .session(.switchOrganization(let organization))? = intent else {
        return pass(.home(event), &context)
      }
      return leave(.switchOrganization(organization), &context)
    case .screenStateRead, .offlineCopy: return home.handle(.home(event), &context)
    case .requestMade(let apiRequest, let ticket):
      requests.add(context.ask(apiRequest), for: .app(ticket: ticket))
    case .tokenAsked(let ticket): renewingSession.askToken(ticket)
    case .placeOpened: return openPlace(&context)
    case .rowsShown, .networkChanged: return pass(.home(event), &context)
    }
    return []
  }

  mutating func tick(_ context: inout FlowContext) -> [FlowEffect] {
    let effects = renewingSession.tick(context).inApp() + pass(.ticked, &context)
    _ = sessionAccount.fetched.tick(&context)
    // A hidden tab must not overwrite the newer times of a visible one.
    guard !context.isHidden else { return effects }
    watch.tick(&context)
    return effects + storePresence(context)
  }

  /// The session handles its own answers, and returns those that belong to a screen.
  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [FlowEffect] {
    if home.isFor(id) {
      return home.handle(.answered(id, answer), &context)
    }
    let (own, deliveries) = renewingSession.answered(id, answer, &context)
    var effects: [FlowEffect] = own.inApp()
    guard renewingSession.ending == nil else { return effects }
    for delivery in deliveries { effects += deliver(delivery.answer, to: delivery.id, &context) }
    return effects
  }

  private mutating func deliver(
    _ answer: Answer, to id: RequestID, _ context: inout FlowContext
  ) -> [FlowEffect] {
    if watch.isFor(id) {
      guard let update = watch.answered(answer, &context) else { return [] }
      let effects =
        renewingSession.learn(update.terms) + sessionAccount.learn(update.account)
      return effects.inApp()
    }
    if sessionAccount.fetched.isFor(id) { return accountAnswered(answer, &context) }
    switch requests.take(id) {
    case .reply(let isAccepting)?: return replied(answer, isAccepting: isAccepting, &context)
    case .endUnreadableSession?:
      // If there is no such session (404), it needs no end. Without an answer, the request is sent
      // again.
      let isOver = answer.status.map { $0 < 300 || $0 == 404 } ?? false
      return isOver ? renewingSession.clearUnreadableSession().inApp() : []
    case .app(let ticket)?:
      context.reply(.answer(answer), to: ticket)
      return []
    case nil:
      let event = Event.answered(id, answer)
      let effects =
        home.handle(event, &context) + (shown.sessions?.handle(event, &context) ?? [])
      if shown.sessions?.takeAccountChange() == true {
        // A running request may have been answered before the change.
        sessionAccount.fetched.restart(&context)
        sessionAccount.fetched.load(&context)
      }
      return effects
    }
  }

  private mutating func accountAnswered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> [FlowEffect] {
    guard let body = answer.success, let known = AccountAnswer(json: body) else {
      // The screen shows that the name is missing, and the home screen says why.
      _ = sessionAccount.fetched.fail(answer, context)
      return []
    }
    sessionAccount.fetched.adopt(known, context)
    home.setAccount(known, &context)
    shown.sessions?.setName(known.name)
    let effects =
      sessionAccount.learn(known.accountUpdate)
      + renewingSession.learn(
        SessionRecord.Person(
          id: known.id, name: known.name,
          organization: known.organizations.first { $0.id == terms.organization }))
    return effects.inApp() + savedAccountSummary
  }
}

// MARK: - Pages in place of the home screen

extension SignedIn {
  /// Passes the event to the page that is visible.
  mutating func pass(_ event: Event, _ context: inout FlowContext) -> [FlowEffect] {
    guard shown.sessions.isPresent else { return home.handle(event, &context) }
    return shown.sessions?.handle(event, &context) ?? []
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
    shown.isMenuOpen = false
    var page = Home.Sessions()
    page.open(personName, &context)
    shown.sessions = page
    context.show(.heading)
  }

  /// Switches to the organization.
  ///
  /// Nothing of the current one is shown during the switch (S-05).
  private mutating func enter(
    _ organization: OrganizationID, _ context: inout FlowContext
  ) -> [FlowEffect] {
    shown.isMenuOpen = false
    shown.closePages()
    renewingSession.enter(organization)
    return renewingSession.wantedOrganization == nil ? [] : [.report(.switchingOrganization)]
  }
}

// MARK: - Time-outs

extension SignedIn {
  /// Whether the person was away for too long; then nothing may be shown any more.
  func judge(_ event: Event, _ context: FlowContext) -> AbsenceGuard.Verdict? {
    absence.judge(event, terms, context)
  }

  private mutating func observe(_ event: Event, _ context: inout FlowContext) -> [FlowEffect] {
    absence.observe(event, isWarned: shown.isWarning, &context)
    return shown.warn(of: absence.idleEnd(terms, context)).inApp()
  }

  private mutating func storePresence(_ context: FlowContext, force: Bool = false) -> [FlowEffect] {
    absence.store(of: terms.id, force: force, context).inApp()
  }
}

// MARK: - App lock

extension SignedIn {
  /// Whether the stored session is sealed under a key that only the device's owner can unlock.
  public var hasLock: Bool { absence.hasLock }

  /// What the app may show while it is locked.
  ///
  /// The name of the organization is empty until the server has sent it.
  var lockCard: AppLock.LockedContent {
    let person = renewingSession.record.person
    let organization = person?.organization.flatMap { $0.id == terms.organization ? $0.name : nil }
    return AppLock.LockedContent(
      name: person?.name ?? "", organization: organization ?? "", session: terms.id)
  }

  private var savedAccountSummary: [FlowEffect] {
    hasLock ? [.engine(.saveAccountSummary(lockCard.text))] : []
  }

  /// Offers a lock once after sign-in, if the device has one.
  private mutating func offerLock(_ context: inout FlowContext) -> [FlowEffect] {
    guard absence.lock == .notOffered, let isPossible = context.isLockPossible,
      !renewingSession.isMemoryOnly
    else { return [] }
    absence.lock = .absent
    if isPossible {
      shown.sheet = .lockOffered
      context.show(.sheet)
    } else if terms.needsLock {
      shown.notice = .session(.lockImpossible)
    }
    return []
  }

  private mutating func setLock(_ context: inout FlowContext) -> [FlowEffect] {
    guard !hasLock, absence.lock != .beingSet, context.isLockPossible == true else { return [] }
    shown.sheet = nil
    shown.isMenuOpen = false
    absence.lock = .beingSet
    context.show(.heading)
    return [.engine(.setLock(session: renewingSession.storedText, card: lockCard.text))]
  }

  private mutating func lockSet(_ context: inout FlowContext) -> [FlowEffect] {
    absence.lockSet(&context)
    return renewingSession.lockSet().inApp() + home.storeAgain()
      + shown.say(.session(.lockSet)).inApp()
  }

  private mutating func lockFailed() -> [FlowEffect] {
    absence.lock = .absent
    return shown.say(.session(.lockNotSet)).inApp()
  }

  private mutating func declineLock(_ context: inout FlowContext) -> [FlowEffect] {
    guard shown.sheet == .lockOffered else { return [] }
    shown.sheet = nil
    context.show(.heading)
    return []
  }

  /// Removes the lock, unless the organization requires it.
  private mutating func removeLock() -> [FlowEffect] {
    guard hasLock, !terms.needsLock else { return [] }
    absence.lock = .absent
    shown.isMenuOpen = false
    return [.engine(.removeLock(session: renewingSession.storedText))] + home.storeAgain()
      + shown.say(.session(.lockRemoved)).inApp()
  }

  /// Removes an earlier token, because the server has answered its revocation.
  mutating func confirmRevocation(of token: Secret) -> [FlowEffect] {
    renewingSession.confirmRevocation(of: token).inApp()
  }

  /// Removes the revocations of sessions that remain.
  mutating func removeRevocations(of tokens: [Secret]) {
    renewingSession.removeRevocations(of: tokens)
  }

  /// Adds sessions that this one replaced in storage, so that they end.
  mutating func addRevocations(_ left: PendingRevocations, _ context: inout FlowContext)
    -> [FlowEffect]
  {
    let effects = renewingSession.addRevocations(left)
    endUnreadableSession(&context)
    return effects.inApp()
  }
}
