public import SignInModel
public import SignInWire

/// A person signed in: their session, and the home screen it opens.
public struct SignedIn: Equatable, Sendable {
  /// What the person is asked before they go on, over everything else.
  public enum Sheet: Equatable, Sendable {
    case lockOffered
    /// The session ends at this moment unless they say that they are there (WCAG 2.2.1).
    case idleWarning(until: Instant)
  }

  public private(set) var keeping: SessionKeeping
  /// Nil in an app that draws its own screens.
  public private(set) var home: Home?
  public private(set) var account = Fetched<AccountAnswer>(Endpoint.me)
  public private(set) var notice: Notice?
  public private(set) var isMenuOpen = false
  public private(set) var sheet: Sheet?
  /// What happened to the account elsewhere, until the person has answered it.
  public private(set) var news = AccountNews()
  /// Open in place of the home screen.
  public private(set) var sessions: SessionsPage?
  /// What is stored is sealed under a key that only the device's owner can free.
  public private(set) var hasLock: Bool
  private(set) var presence: Presence
  /// Why nothing may be shown any more without the person's proof.
  private(set) var verdict: Verdict?

  private var watch = SessionWatch()
  private var isSettingLock = false
  private var isNew: Bool
  /// Ends the session that was left behind.
  private var tidying: RequestID?
  /// Cancels a password that waits, or says that a notice was read.
  private var replying: RequestID?

  /// Requests of the embedding app's own, by the number their answer will have.
  private var tickets: [Ticket] = []

  private struct Ticket: Equatable, Sendable {
    let id: RequestID
    let number: Int64
  }

  init(
    _ keeping: SessionKeeping, _ presence: Presence, for app: AppProfile, hasLock: Bool = false,
    isNew: Bool = false
  ) {
    self.keeping = keeping
    self.presence = presence
    self.hasLock = hasLock
    self.isNew = isNew
    home = app.name.map { Home(for: $0) }
  }

  mutating func open(_ context: inout FlowContext) -> [Effect] {
    context.serve(ShelfOwner(keeping.record, clientID: context.app.clientID))
    // A window in the background may be opened by another one, and stays out of sight.
    if let moment = context.hiddenAt {
      presence.beginHidden(since: moment)
    } else {
      presence.use(context)
    }
    context.name(session: keeping.record.terms.id.text)
    if context.invitation != nil { notice = .session(.invitationWaits) }
    let effects = home?.open(&context) ?? []
    account.load(&context)
    if !presence.isHidden { watch.hold(&context) }
    endLeftBehind(&context)
    return effects + keeping.send(&context) + storePresence(context, force: true)
      + offerLock(&context)
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    verdict = judge(event, context)
    if verdict != nil { return [] }
    let wasFleeting = keeping.isFleeting
    var effects = observe(event, context) + decide(event, &context)
    guard keeping.ending == nil else { return effects }
    if keeping.isFleeting, !wasFleeting { notice = .sessionNotKept }
    if let change = keeping.takeChangeOfSession() {
      return effects + startOver(change, &context)
    }
    switch keeping.takeNews() {
    case .switchFailed(let reason)?:
      notice = reason
      effects.append(.announce(.notice(reason)))
    case nil: break
    }
    effects += keeping.send(&context)
    return effects
  }

  private mutating func startOver(
    _ change: SessionKeeping.Change, _ context: inout FlowContext
  ) -> [Effect] {
    // Whoever began the other session was seen at another window, and not at this one since. What
    // this one knows of its own session says nothing of theirs.
    if change == .adopted { context.hideAnew() }
    if change == .adopted, presence.isHidden {
      if hasLock { presence.forgetUse() } else { presence.forget() }
    }
    home = context.app.name.map { Home(for: $0) }
    account = Fetched<AccountAnswer>(Endpoint.me)
    sheet = nil
    sessions = nil
    isMenuOpen = false
    watch = SessionWatch()
    tidying = nil
    news = AccountNews()
    replying = nil
    context.moveFocus(to: .heading)
    return [.forgetPlace] + (hasLock ? [.keepCard(card)] : []) + open(&context)
  }

  private mutating func decide(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .answered(let id, let answer): return answered(id, answer, &context)
    case .renewalClaimed(let reading): return keeping.renewalClaimed(reading, &context)
    case .buttonPressed(.accountMenu):
      isMenuOpen.toggle()
      return []
    case .buttonPressed(.signOut): return keeping.leave()
    case .buttonPressed(.setLock): return setLock(&context)
    case .buttonPressed(.removeLock): return removeLock()
    case .buttonPressed(.notNow): return declineLock(&context)
    case .buttonPressed(.cancelNewPassword), .buttonPressed(.dismissNews):
      reply(to: event, &context)
      return []
    case .buttonPressed(.whereSignedIn): openSessions(&context)
    case .buttonPressed(.back) where sessions?.passwordChange == nil && sessions != nil:
      sessions = nil
      context.moveFocus(to: .heading)
      return []
    case .home(.itemPressed(.switchOrganization, let organization)):
      return enter(OrganizationID(organization), &context)
    case .buttonPressed(.staySignedIn):
      if isWarning { context.moveFocus(to: .heading) }
      sheet = nil
      return []
    case .bannerDismissed where notice != nil:
      notice = nil
      return []
    case .sessionSaveRefused:
      keeping.remainUnkept()
      return []
    case .device(let event): return meet(event, &context)
    case .ticked:
      let effects = keeping.tick(context) + pass(event, &context)
      _ = account.tick(&context)
      // What is in sight elsewhere is not made older by a window that is not.
      guard !presence.isHidden else { return effects }
      watch.tick(&context)
      return effects + storePresence(context)
    case .networkReturned:
      let effects = pass(event, &context)
      account.networkReturned(&context)
      endLeftBehind(&context)
      if !presence.isHidden { watch.hold(&context) }
      return effects
    case .buttonPressed:
      isMenuOpen = false
      return pass(event, &context)
    case .fieldEdited, .bannerDismissed: return pass(event, &context)
    case .home(.placeRead), .home(.shelf): return home?.handle(event, &context) ?? []
    case .home(.requestMade(let apiRequest, let ticket)):
      tickets.append(Ticket(id: context.ask(apiRequest), number: ticket))
    case .home(.tokenAsked(let ticket)): keeping.askToken(ticket)
    case .home: return pass(event, &context)
    case .passwordRevealToggled: return sessions?.handle(event, &context) ?? []
    case .started, .storageRead, .verifierMade: break
    }
    return []
  }

  private mutating func meet(_ event: DeviceEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .sessionChanged(let reading): return keeping.stored(reading, &context)
    case .lockPossible: return offerLock(&context)
    case .lockSet where isSettingLock: return lockSet(context)
    case .lockRefused where isSettingLock: return lockRefused()
    case .hidden:
      if let request = watch.request { keeping.drop(request) }
      return watch.letGo(&context) + storePresence(context, force: true)
    case .shown:
      watch.hold(&context)
      endLeftBehind(&context)
      return pass(.device(event), &context)
    case .used, .usedElsewhere, .lockSet, .lockRefused, .unlocked, .unlockFailed, .storedOver,
      .invited:
      return []
    }
  }

  /// The session takes its own answers, and passes on what belongs to a screen.
  private mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    if home?.isFor(id) == true {
      return home?.handle(.answered(id, answer), &context) ?? []
    }
    var (effects, deliveries) = keeping.answered(id, answer, &context)
    guard keeping.ending == nil else { return effects }
    for delivery in deliveries {
      if watch.isFor(delivery.id) {
        if let news = watch.answered(delivery.answer, &context) {
          effects += keeping.learn(news.terms) + learn(news.account)
        }
        continue
      }
      if replying == delivery.id {
        effects += replied(delivery.answer, context)
        continue
      }
      if tidying == delivery.id {
        tidying = nil
        // No such session of this person's is as good; silence is asked again.
        let isOver = delivery.answer.status.map { $0 < 300 || $0 == 404 } ?? false
        if isOver { effects += keeping.forgetLeftBehind() }
        continue
      }
      if let index = tickets.firstIndex(where: { $0.id == delivery.id }) {
        let ticket = tickets.remove(at: index).number
        effects.append(.handOver(ticket: ticket, delivery.answer))
        continue
      }
      guard account.isFor(delivery.id) else {
        let event = Event.answered(delivery.id, delivery.answer)
        effects += home?.handle(event, &context) ?? []
        effects += sessions?.handle(event, &context) ?? []
        continue
      }
      if let body = delivery.answer.success, let known = AccountAnswer(json: body) {
        account.adopt(known, context)
        home?.meet(known)
        effects += learn(known.news)
        effects += keeping.learn(SessionRecord.Person(id: known.id, name: known.name))
        if hasLock { effects.append(.keepCard(card)) }
      } else {
        // Whose name is missing is seen; the home screen says why.
        _ = account.fail(delivery.answer, context)
      }
    }
    return effects
  }
}

// MARK: - News of the account

extension SignedIn {
  private mutating func learn(_ told: AccountNews) -> [Effect] {
    let earlier = shownNews
    news = told
    guard let item = shownNews, item != earlier else { return [] }
    return [.announce(.accountNews(item))]
  }

  private mutating func reply(to event: Event, _ context: inout FlowContext) {
    guard replying == nil, let item = shownNews else { return }
    switch (item, event) {
    case (.passwordWaits, .buttonPressed(.cancelNewPassword)),
      (.newDevice, .buttonPressed(.dismissNews)):
      replying = context.ask(item.reply)
    default: break
    }
  }

  /// What is gone already is as good.
  private mutating func replied(_ answer: Answer, _ context: FlowContext) -> [Effect] {
    replying = nil
    guard let status = answer.status, status < 300 || status == 404 else {
      let reason = answer.notice(at: context.now)
      notice = reason
      return [.announce(.notice(reason))]
    }
    switch shownNews {
    case .passwordWaits?:
      news.passwordReset = nil
      guard status < 300 else { return [] }
      notice = .session(.newPasswordCancelled)
      return [.announce(.notice(.session(.newPasswordCancelled)))]
    case .newDevice(let id, _)?:
      news.notices.removeAll { $0.id == id }
      return []
    case nil: return []
    }
  }
}

// MARK: - Pages over the home screen

extension SignedIn {
  /// To whatever is in sight.
  private mutating func pass(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    guard sessions != nil else { return home?.handle(event, &context) ?? [] }
    return sessions?.handle(event, &context) ?? []
  }

  /// Somebody signed in otherwise than by opening the lock: the session behind it would live on.
  private mutating func endLeftBehind(_ context: inout FlowContext) {
    guard tidying == nil, let session = keeping.record.leftBehind else { return }
    tidying = context.ask(.delete(Endpoint.sessions + "/" + session.text))
  }

  private mutating func openSessions(_ context: inout FlowContext) {
    isMenuOpen = false
    var page = SessionsPage()
    page.open(&context)
    sessions = page
    context.moveFocus(to: .heading)
  }

  /// Nothing of the one organization is shown while the way leads into the other (S-05).
  private mutating func enter(
    _ organization: OrganizationID, _ context: inout FlowContext
  ) -> [Effect] {
    isMenuOpen = false
    sessions = nil
    keeping.enter(organization)
    return keeping.wantedOrganization == nil ? [] : [.announce(.switchingOrganization)]
  }
}

// MARK: - Absence

extension SignedIn {
  /// The person is warned this long before the session ends for want of use.
  static let idleWarningSeconds: Int64 = 60

  enum Verdict: Equatable, Sendable {
    /// The device's owner can open the app again.
    case lock
    /// Only the device's clock says that it is over: the server is asked.
    case confirm
    case over(Notice)
  }

  /// Whether the person was away for too long, at every event and before anything is shown.
  private func judge(_ event: Event, _ context: FlowContext) -> Verdict? {
    let terms = keeping.record.terms
    let away = presence.sinceShown(context)
    // The prompt in which the person proves who they are covers the app as well (L-30).
    if !isSettingLock, away.isSuspected(seconds: terms.backgroundTimeout) {
      if hasLock { return .lock }
      // Somebody may be at work in another window: an end waits until this one is seen again.
      if terms.needsLock, isSeen(event) {
        return away.isCertain(seconds: terms.backgroundTimeout)
          ? .over(.session(.awayTooLong)) : .confirm
      }
    }
    let idle = presence.sinceUsed(context)
    guard idle.isSuspected(seconds: terms.idleTimeout), isSeen(event) else { return nil }
    let isCertain = !presence.isHidden && idle.isCertain(seconds: terms.idleTimeout)
    return isCertain ? .over(.session(.idleTooLong)) : .confirm
  }

  private func isSeen(_ event: Event) -> Bool {
    !presence.isHidden || event == .device(.shown)
  }

  private mutating func observe(_ event: Event, _ context: FlowContext) -> [Effect] {
    switch event {
    case .device(.hidden): presence.hide(context)
    case .device(.shown): presence.show(context)
    case .device(.usedElsewhere): presence.useElsewhere(context)
    // While they are asked whether they are there, only an answer counts.
    case .device(.used), .home(.itemPressed), .home(.rowsShown), .home(.requestMade),
      .home(.tokenAsked):
      if !isWarning { presence.use(context) }
    case .buttonPressed, .fieldEdited, .passwordRevealToggled, .bannerDismissed:
      presence.use(context)
    case .started, .storageRead, .verifierMade, .answered, .ticked, .renewalClaimed,
      .sessionSaveRefused, .networkReturned, .device, .home:
      if !presence.isHidden { presence.show(context) }
    }
    return warn(context)
  }

  private mutating func storePresence(_ context: FlowContext, force: Bool = false) -> [Effect] {
    presence.store(context, of: keeping.record.terms.id, force: force)
  }

  private var isWarning: Bool {
    if case .idleWarning? = sheet { true } else { false }
  }

  private mutating func warn(_ context: FlowContext) -> [Effect] {
    let timeout = keeping.record.terms.idleTimeout
    // A third of a short time-out, so that the warning is not there all the time.
    var notice = Self.idleWarningSeconds
    if timeout / 3 < notice { notice = timeout / 3 }
    let passed = presence.sinceUsed(context).suspectedMilliseconds
    guard presence.isKnown, passed >= (timeout - notice) * 1000 else {
      if isWarning { sheet = nil }
      return []
    }
    let until = context.now.adding(milliseconds: timeout * 1000 - passed)
    let isNews = !isWarning
    sheet = .idleWarning(until: until)
    return isNews ? [.announce(.idleWarning(until: until))] : []
  }
}

// MARK: - Lock

extension SignedIn {
  private var card: Secret {
    AppLock.Card(
      name: keeping.record.person?.name ?? "",
      organization: keeping.record.terms.organization?.text ?? "",
      session: keeping.record.terms.id
    ).text
  }

  /// Once after signing in: where the organization asks for a lock, and where the device has one.
  private mutating func offerLock(_ context: inout FlowContext) -> [Effect] {
    guard isNew, let isPossible = context.isLockPossible, !keeping.isFleeting else { return [] }
    isNew = false
    if isPossible {
      sheet = .lockOffered
      context.moveFocus(to: .sheet)
    } else if keeping.record.terms.needsLock {
      notice = .session(.lockImpossible)
    }
    return []
  }

  private mutating func setLock(_ context: inout FlowContext) -> [Effect] {
    guard !hasLock, !isSettingLock, context.isLockPossible == true else { return [] }
    sheet = nil
    isMenuOpen = false
    isSettingLock = true
    context.moveFocus(to: .heading)
    return [.setLock(session: keeping.record.text, card: card)]
  }

  private mutating func lockSet(_ context: FlowContext) -> [Effect] {
    isSettingLock = false
    hasLock = true
    notice = .session(.lockSet)
    // The prompt was answered, though the app may be out of sight again by now.
    presence.useElsewhere(context)
    return keeping.lockSet() + (home?.keepAnew() ?? []) + [.announce(.notice(.session(.lockSet)))]
  }

  private mutating func lockRefused() -> [Effect] {
    isSettingLock = false
    notice = .session(.lockNotSet)
    return [.announce(.notice(.session(.lockNotSet)))]
  }

  private mutating func declineLock(_ context: inout FlowContext) -> [Effect] {
    guard sheet == .lockOffered else { return [] }
    sheet = nil
    context.moveFocus(to: .heading)
    return []
  }

  /// What an organization asks for stays.
  private mutating func removeLock() -> [Effect] {
    guard hasLock, !keeping.record.terms.needsLock else { return [] }
    hasLock = false
    isMenuOpen = false
    notice = .session(.lockRemoved)
    return [.removeLock(session: keeping.record.text)] + (home?.keepAnew() ?? [])
      + [.announce(.notice(.session(.lockRemoved)))]
  }

  /// The server knows of the sign-out before.
  mutating func forget(owed token: Secret) -> [Effect] { keeping.forget(owed: token) }

  /// What this session was stored over is to end.
  mutating func owe(_ left: Farewell, _ context: inout FlowContext) -> [Effect] {
    let effects = keeping.owe(left)
    endLeftBehind(&context)
    return effects
  }

  /// What may be shown once the app is locked.
  var lockCard: Secret { card }
}

extension TokenAnswer.SessionTerms {
  static let biometric = "biometric"

  /// Whether the organization asks for a lock on the app.
  public var needsLock: Bool { unlock == Self.biometric }
}
