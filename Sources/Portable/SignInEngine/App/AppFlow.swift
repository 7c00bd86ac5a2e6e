public import SignInModel
import SignInWire

/// The state machine of a whole app: it takes events and returns effects.
///
///     starting ──▶ reading storage ──value──▶ signed in ──ended, signed out──▶ signed out
///                     │   ▲   ├──absent──▶ signed out ──tokens──▶ signed in
///                     │   │   ├──sealed──▶ locked ◀──away, unlocked──▶ signed in
///                     │   │   ├──damaged──▶ signed out
///                     ▼   │   └──expired by the device's clock──▶ confirming ──▶ signed in
///          storage unreadable ──sign in again──▶ signed out ⇄ at provider ──tokens──▶ signed in
///
/// `riderSignedOut` is the signed-out stage of an app that people sign in to with their number.
///
/// `Home` is the home screen of the app, so that each app contains the code of its own home only.
public struct AppFlow<Home: AppHome>: Equatable, Sendable {
  public typealias Event = AppEvent<Home.Page>
  public typealias FlowEffect = AppEffect<Home.Page>

  public indirect enum Stage: Equatable, Sendable {
    case starting
    case readingStorage(since: Instant)
    case storageUnreadable
    case signedOut(Home.PasswordSignIn)
    case signedIn(SignedIn<Home>)
    case riderSignedOut(Home.PhoneSignIn)
    case atProvider(ProviderSignIn<Home.Code>)
    case locked(AppLock)
    case confirming(SessionConfirmation)
  }

  public internal(set) var stage: Stage = .starting
  public internal(set) var context = FlowContext()

  /// A sign-in at a provider that can still be completed.
  ///
  /// It is the text of a `PendingProviderSignIn`.
  var pendingSignIn: Secret?
  /// The sign-in that waits for a code, as it is stored.
  var pendingCode: PendingCodeSignIn?
  var revocations = RevocationQueue()
  /// Whether the person signed out, and the server has not answered yet.
  var isSigningOut = false
  /// The number of the intent in progress, if the embedding app waits for its result.
  var ticket: Int64?

  public init() {}

  /// Handles one event at the device's time, which may be wrong and may jump.
  ///
  /// `steady` is the time of a monotonic clock in milliseconds. It can start anywhere, a person
  /// cannot set it, and it runs as long as the app is open. It is `nil` if the platform has no such
  /// clock.
  public mutating func handle(
    _ event: Event, at device: Instant, steady: Int64? = nil
  ) -> [FlowEffect] {
    context.setTime(at: device, steady: steady)
    if case .answered(let id, let answer) = event {
      switch context.receive(id, answer) {
      case .late: return context.releaseClaim(of: id).inApp()
      case .repeated(let effect): return [.engine(effect)]
      case .counts: break
      }
    }
    if case .chooseLanguage(let language)? = event.pageIntent { return speak(language) }
    let wasTicking = needsTicks
    var effects = context.delayClaim(in: decide(event) + storeLockouts() + askAboutApp())
    settleIntent()
    if needsTicks != wasTicking {
      effects.append(.engine(needsTicks ? .startTicking : .stopTicking))
    }
    return effects
  }

  /// Returns each reply to the embedding app once, after the effects of the same event have run.
  public mutating func takeReplies() -> [TicketReply] { context.takeReplies() }

  private var needsTicks: Bool {
    if revocations.isWaiting { return true }
    return switch stage {
    case .starting, .storageUnreadable, .locked: false
    case .readingStorage, .signedIn, .confirming: true
    case .signedOut(let signIn): signIn.needsTicks
    case .riderSignedOut(let signIn): signIn.needsTicks
    case .atProvider(let signIn): signIn.needsTicks
    }
  }

  private mutating func decide(_ event: Event) -> [FlowEffect] {
    if case .answered(let id, let answer) = event, revocations.isFor(id) {
      return revocationAnswered(id, answer)
    }
    if case .answered(let id, let answer) = event,
      let effects = context.hints.information.take(id, answer)
    {
      fillInCountry()
      return effects.inApp()
    }
    if case .session(.lockSupportChecked(let isPossible)) = event {
      context.run.isLockPossible = isPossible
    }
    if case .signIn(let event) = event { context.run.opened.watch(event) }
    if case .storage(.lockoutsRead(let text)) = event { context.adoptLockouts(text) }
    if case .home(.placeOpened(let place)) = event { context.run.opened.open(place: place) }
    var told: [FlowEffect] = []
    let isRetryDue = event.isTick && revocations.isDue(at: context.now)
    if event.isDevice(.networkReturned) || isRetryDue { told = sendRevocations() }
    if case .storage(.storedSessionReplaced(let replaced)) = event {
      told = addRevocations(replaced)
    }
    if case .storage(.saveFailed) = event { dropReplaceableRevocations() }
    // No step needs this claim any more. If it were not released, the other tabs would wait for it.
    if case .storage(.renewalClaimed) = event, !isClaiming { return [.engine(.releaseRenewal)] }
    var decided: [FlowEffect]
    if case .intent(.signIn(let intent, let ticket)) = event {
      decided = begin(intent, ticket: ticket)
    } else {
      decided = decideStage(event)
    }
    decided += storeRevocations() + completeAtProvider()
    let effects = told + decided
    return keepPendingCode(around: effects)
  }

  /// Changes the language.
  ///
  /// Typed text and running requests stay as they are.
  private mutating func speak(_ language: Language?) -> [FlowEffect] {
    guard let language else { return [] }
    context.setLanguage(language)
    return [.engine(.saveLanguage(language))]
  }

  private var isClaiming: Bool { openSession?.isClaiming ?? false }

  mutating func decideStage(_ event: Event) -> [FlowEffect] {
    var verdict: AbsenceGuard.Verdict?
    if case .signedIn(let signedIn) = stage { verdict = signedIn.judge(event, context) }
    if case .device(let event) = event { context.watch(event) }
    switch stage {
    case .starting: return start(event)
    case .readingStorage: return readStorage(event)
    case .storageUnreadable: return explainStorage(event)
    case .signedOut(var signIn):
      if case .storage(.sessionChanged(let reading)) = event {
        return follow(reading, isAtRest: signIn.isAtRest)
      }
      if signIn.findsProvider(event, context) {
        return beginAtProvider(nil, email: signIn.email)
      }
      if signIn.isAtStart, let provider = context.chosenProvider(event) {
        return beginAtProvider(provider, email: signIn.email)
      }
      let effects = signIn.handle(event, &context)
      if let tokens = signIn.tokens { return effects + enter(tokens, email: signIn.email) }
      stage = .signedOut(signIn)
      return effects
    case .signedIn(var signedIn):
      if let verdict { return withdraw(signedIn, verdict, at: event) }
      let effects = signedIn.handle(event, &context)
      if let ending = signedIn.renewingSession.ending {
        return leave(ending, after: effects)
      }
      stage = .signedIn(signedIn)
      return effects
    case .locked(var lock):
      let effects: [FlowEffect] = lock.handle(event, &context).inApp()
      if let outcome = lock.outcome { return effects + leave(lock, outcome) }
      stage = .locked(lock)
      return effects
    case .confirming(var confirming):
      let effects: [FlowEffect] = confirming.handle(event, &context).inApp()
      switch confirming.outcome {
      case nil:
        stage = .confirming(confirming)
        return effects
      case .confirmed(let renewingSession)?:
        return effects + open(renewingSession, confirming.lastActivity, hasLock: confirming.hasLock)
      case .ended(let ending)?: return leave(ending, after: effects)
      }
    case .riderSignedOut(var signIn):
      if case .storage(.sessionChanged(let reading)) = event {
        return follow(reading, isAtRest: signIn.isAtRest)
      }
      if signIn.isAtStart, let provider = context.chosenProvider(event) {
        return beginAtProvider(provider, email: "")
      }
      let effects = signIn.handle(event, &context)
      if let tokens = signIn.tokens { return effects + enter(tokens) }
      stage = .riderSignedOut(signIn)
      return effects
    case .atProvider(let signIn): return proceed(signIn, event)
    }
  }

  // MARK: Opening

  private mutating func start(_ event: Event) -> [FlowEffect] {
    guard
      case .started(
        let offset, let app, let page, let place, let locale, let changes, let providers) = event
    else { return [] }
    context.setApp(app, page: page, providers: providers)
    context.run.opened.open(place: place)
    context.setLocale(locale, WallClock(utcOffsetSeconds: offset, changes: changes))
    stage = .readingStorage(since: context.now)
    return [.engine(.readSession)]
  }

  private mutating func readStorage(_ event: Event) -> [FlowEffect] {
    guard case .storage(.read(let reading, let seen, let pending, let username)) = event else {
      return []
    }
    context.opened()
    context.hints.restore(username: username)
    let lastActivity = LastActivity(text: seen)
    context.restoreTime(serverAheadMilliseconds: lastActivity?.serverAheadMilliseconds)
    return StoredSession.updating(reading).inApp()
      + take(StoredSession(reading), lastActivity, hasLock: false) + resumeAtProvider(pending)
  }

  private mutating func take(
    _ stored: StoredSession, _ lastActivity: LastActivity?, hasLock: Bool
  ) -> [FlowEffect] {
    switch stored {
    case .none:
      stage = signedOut()
      if context.run.opened.invitation != nil { openForm() }
      return []
    case .unavailable, .ofLaterVersion: return showUnreadable()
    case .damaged: return signOutDamaged()
    case .sealed(let card): return lock(card, lastActivity)
    case .signedOut(let left):
      revocations.take(left)
      stage = signedOut()
      return sendRevocations()
    case .session(let record):
      return resume(record, lastActivity ?? .unknown, hasLock: hasLock)
    }
  }

  /// Opens a stored session.
  ///
  /// If it expired by the device's clock only, the server must confirm it first.
  private mutating func resume(
    _ record: SessionRecord, _ lastActivity: LastActivity, hasLock: Bool
  ) -> [FlowEffect] {
    let renewingSession = RenewingSession(record, isStored: true)
    let lastActivity = lastActivity.known(of: record.terms.id)
    let isAway =
      record.terms.needsLock && !hasLock
      && lastActivity.sinceShown(context).isSuspected(seconds: record.terms.backgroundTimeout)
    let isIdle = lastActivity.sinceUsed(context).isSuspected(seconds: record.terms.idleTimeout)
    if isAway || isIdle || record.terms.expiresAt <= context.now {
      return confirm(renewingSession, lastActivity, hasLock: hasLock) + sendRevocations()
    }
    return open(renewingSession, lastActivity, hasLock: hasLock) + sendRevocations()
  }

  private mutating func showUnreadable() -> [FlowEffect] {
    stage = .storageUnreadable
    context.show(.heading)
    return []
  }

  /// Signs out, because reading the damaged session again would not help.
  ///
  /// The next sign-in on this device also ends the session at the server (S-08).
  private mutating func signOutDamaged() -> [FlowEffect] {
    let notice = Notice.session(.damaged)
    context.show(.heading)
    stage = signedOut(notice)
    return erasure + [.report(.notice(notice))]
  }

  private mutating func explainStorage(_ event: Event) -> [FlowEffect] {
    if case .tryAgain? = event.sessionIntent {
      stage = .readingStorage(since: context.now)
      return [.engine(.readSession)]
    }
    guard case .signInAgain? = event.pageIntent else { return [] }
    stage = signedOut()
    openForm()
    return []
  }

  private mutating func openForm() {
    switch stage {
    case .signedOut(let form): context.show(form.firstPart)
    case .riderSignedOut(let form): context.show(form.firstPart)
    case .starting, .readingStorage, .storageUnreadable, .signedIn, .atProvider, .locked,
      .confirming:
      break
    }
  }

  // MARK: Signing in and opening

  /// Opens the session of a completed sign-in.
  ///
  /// `email` is empty if the person did not sign in with one.
  mutating func enter(_ tokens: TokenAnswer, email: String = "") -> [FlowEffect] {
    let address = EmailAddress(typed: email)
    let remembering =
      address.map { context.hints.remember(username: $0.text) } ?? context.hints.forgetUsername()
    context.forgetCalls()
    context.show(.heading)
    var record = SessionRecord(tokens, at: context.now, revocations: revocations.handOver())
    if Home.takesIntents { record.readAccount(in: tokens.idToken) }
    let renewingSession = RenewingSession(record, isStored: false)
    return [.engine(StoredSession.session(record).saving)] + remembering.inApp()
      + [.report(.signedIn)] + open(renewingSession, LastActivity(context), isNew: true)
      + sendRevocations()
  }

  /// Follows another tab of this app, which has stored a session or a revocation.
  ///
  /// If the person is in the middle of a sign-in here, they can finish it. The new session then
  /// replaces the stored one, which ends.
  private mutating func follow(_ reading: StorageReading, isAtRest: Bool) -> [FlowEffect] {
    let stored = StoredSession(reading)
    revocations.watch(isAtRest ? .none : stored)
    switch stored {
    case .signedOut(let left):
      revocations.take(left)
      return sendRevocations()
    case .session where isAtRest: break
    case .none, .session, .sealed, .unavailable, .ofLaterVersion, .damaged: return []
    }
    context.forgetCalls()
    context.show(.heading)
    // The stored session may be an older one that another tab only renewed. So it is opened as at a
    // start, and the time of its last use is checked.
    context.restartHiddenTime()
    stage = .readingStorage(since: context.now)
    return [.engine(.readSession)]
  }

  private mutating func open(
    _ renewingSession: RenewingSession, _ lastActivity: LastActivity, hasLock: Bool = false,
    isNew: Bool = false
  ) -> [FlowEffect] {
    var lastActivity = lastActivity
    if let lastVisible = context.time.visibility.lastVisible {
      lastActivity.see(at: lastVisible, context)
    }
    var signedIn = SignedIn<Home>(
      renewingSession, lastActivity, hasLock: hasLock, isNew: isNew)
    let effects = signedIn.open(&context)
    stage = .signedIn(signedIn)
    return effects
  }

  private mutating func confirm(
    _ renewingSession: RenewingSession, _ lastActivity: LastActivity, hasLock: Bool
  ) -> [FlowEffect] {
    var confirming = SessionConfirmation(renewingSession, lastActivity, hasLock: hasLock)
    let effects = confirming.begin(&context)
    stage = .confirming(confirming)
    return effects.inApp()
  }

  // MARK: App lock and sign-out

  private mutating func lock(
    _ card: AppLock.LockedContent, _ lastActivity: LastActivity?
  ) -> [FlowEffect] {
    stage = .locked(AppLock(card: card, lastActivity: lastActivity))
    context.show(.unlock)
    return []
  }

  /// Closes the signed-in screens, because `event` showed that the person was away for too long.
  private mutating func withdraw(
    _ signedIn: SignedIn<Home>, _ verdict: AbsenceGuard.Verdict, at event: Event
  ) -> [FlowEffect] {
    context.forgetCalls()
    var renewingSession = signedIn.renewingSession
    var release: [FlowEffect] = renewingSession.releaseAfterAnswer(context).inApp()
    if case .storage(.renewalClaimed) = event {
      release += renewingSession.releaseUnusedClaim().inApp()
    }
    switch verdict {
    case .lock:
      revocations.keep(renewingSession.record.revocations.tokens)
      return release + [.engine(.lock), .report(.appLocked)]
        + lock(signedIn.lockCard, signedIn.absence.lastActivity)
    case .confirm:
      context.run.opened.reopen(place: signedIn.place, of: renewingSession.record)
      let restarted = renewingSession.restarted()
      return release
        + confirm(restarted, signedIn.absence.lastActivity, hasLock: signedIn.hasLock)
    case .ended(let notice):
      renewingSession.leave(saying: notice)
      return renewingSession.ending.map { leave($0, after: release) } ?? release
    }
  }

  private mutating func leave(_ lock: AppLock, _ outcome: AppLock.Outcome) -> [FlowEffect] {
    switch outcome {
    case .opened(let stored):
      // The unlock prompt covers the app, but the person was present.
      context.restartHiddenTime()
      context.show(.heading)
      var lastActivity = lock.lastActivity ?? .unknown
      lastActivity.show(context)
      return take(stored, lastActivity, hasLock: true)
    case .replaced(let stored):
      context.show(.heading)
      return take(stored, nil, hasLock: false)
    case .otherWay:
      stage = signedOut()
      revocations.leaveUnreadable(lock.card.session)
      context.show(.heading)
      return []
    case .destroyed:
      // The device may have another owner now.
      let forgetting = context.hints.forgetUsername()
      stage = signedOut(.session(.lockChanged))
      context.show(.heading)
      let left = lock.card.session.map {
        revocations.leave(PendingRevocations(unreadableSession: $0))
      }
      return [.engine((left ?? StoredSession.none).saving)] + forgetting.inApp() + erasure + [
        .report(.notice(.session(.lockChanged)))
      ]
    }
  }

  private mutating func leave(
    _ ending: RenewingSession.Ending, after effects: [FlowEffect]
  ) -> [FlowEffect] {
    // The sign-out is stored before the claim is released. Otherwise the next tab would renew the
    // session.
    if case .left = ending { return leave(ending) + effects }
    return effects + leave(ending)
  }

  private mutating func leave(_ ending: RenewingSession.Ending) -> [FlowEffect] {
    context.forgetCalls()
    context.show(.heading)
    rememberPlace(ending)
    rememberPasskey()
    switch ending {
    case .ended(let notice, let remains):
      if let remains { revocations.take(remains) }
      let username = usernameEffects(after: notice)
      stage = signedOut(notice)
      return username + erasure + [.report(.notice(notice))] + sendRevocations()
    case .signedOutElsewhere(let left, let unconfirmed):
      revocations.take(left)
      let forgetting = context.hints.forgetUsername()
      stage = signedOut(.signedOut)
      let rewriting: [FlowEffect] =
        unconfirmed.map {
          [.engine(StoredSession.signedOut(left).replaced(by: revocations.leave($0)))]
        } ?? []
      return rewriting + forgetting.inApp() + erasure + [.report(.notice(.signedOut))]
        + sendRevocations()
    case .locked(let card): return [.engine(.lock), .report(.appLocked)] + lock(card, nil)
    case .left(let left, let notice):
      let stored = revocations.leave(left)
      let username = usernameEffects(after: notice)
      stage = signedOut(notice)
      isSigningOut = notice == .signedOut
      return [.engine(stored.saving)] + username + erasure + [.report(.notice(notice))]
        + sendRevocations()
    }
  }

  /// Erases the offline copy, because the session that read it has ended.
  private var erasure: [FlowEffect] {
    context.app.name?.list.map { [.engine(.offlineCopy(.erase(name: $0.rawValue)))] } ?? []
  }

  /// Keeps the username after a session that only expired, and forgets it after any other end.
  private mutating func usernameEffects(after notice: Notice) -> [FlowEffect] {
    let effects =
      notice.keepsUsername ? context.hints.storeUsername() : context.hints.forgetUsername()
    return effects.inApp()
  }
}
