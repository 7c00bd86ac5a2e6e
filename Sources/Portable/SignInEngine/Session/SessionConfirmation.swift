import SignInModel
public import SignInWire

/// A session that expired, or was unused for too long, by this device's clock.
///
/// The server must confirm the session before the app shows anything, and before the app signs the
/// person out (L-29, L-31).
public struct SessionConfirmation: Equatable, Sendable {
  indirect enum Outcome: Equatable, Sendable {
    case confirmed(RenewingSession)
    case ended(RenewingSession.Ending)
  }

  public private(set) var account = FetchedValue<AccountAnswer>(.me)
  private(set) var outcome: Outcome?
  private(set) var lastActivity: LastActivity
  public private(set) var renewingSession: RenewingSession
  /// Whether storage is being read, which is the last step before anything is shown.
  private var isReading = false
  private var wait = ConfirmationWait()
  let hasLock: Bool

  init(_ renewingSession: RenewingSession, _ lastActivity: LastActivity, hasLock: Bool) {
    self.hasLock = hasLock
    self.renewingSession = renewingSession
    self.lastActivity = lastActivity
    self.renewingSession.markTokenUncertain()
  }

  mutating func begin(_ context: inout FlowContext) -> [Effect] {
    account.load(&context)
    wait.begin(context)
    return renewingSession.send(&context)
  }

  mutating func handle<Page>(_ event: AppEvent<Page>, _ context: inout FlowContext) -> [Effect] {
    let effects = dispatch(event, &context)
    if let ending = renewingSession.ending {
      outcome = .ended(ending)
      return effects
    }
    followChange(&context)
    if !account.value.isPresent, account.loading == nil, account.problem == nil {
      account.load(&context)
    }
    return effects + renewingSession.send(&context)
  }

  /// Starts again if another session replaced this one.
  ///
  /// Only storage can know when the person of the other session was last active.
  private mutating func followChange(_ context: inout FlowContext) {
    guard case .replaced(let change)? = renewingSession.takeUpdate() else { return }
    account = FetchedValue<AccountAnswer>(.me)
    guard change == .adopted else { return }
    lastActivity.forget()
    context.restartHiddenTime()
    wait.begin(context)
  }

  private mutating func stored(
    _ reading: StorageReading, _ seen: LastActivity?, _ context: inout FlowContext
  ) -> [Effect] {
    isReading = false
    let effects = renewingSession.stored(reading, &context)
    followChange(&context)
    guard reading != .temporarilyUnreadable, renewingSession.ending == nil else { return effects }
    lastActivity.learn(seen, of: renewingSession.record.terms.id, context)
    // The person was already verified in the other tab.
    if wait.isSeenElsewhere(lastActivity, context) { wait.forgetAbsence() }
    return effects + confirm(context)
  }

  private mutating func answered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    guard let body = answer.success, let known = AccountAnswer(json: body) else {
      return account.fail(answer, context)
    }
    account.adopt(known, context)
    return confirmIfStored(context)
  }

  /// Shows the session that the server confirmed, if storage still contains it.
  ///
  /// Another tab may have set a lock or begun another session.
  private mutating func confirmIfStored(_ context: FlowContext) -> [Effect] {
    guard account.value.isPresent, renewingSession.ending == nil, !isReading else { return [] }
    if renewingSession.isMemoryOnly { return confirm(context) }
    isReading = true
    return [.readSession]
  }

  private mutating func confirm(_ context: FlowContext) -> [Effect] {
    guard account.value.isPresent else { return [] }
    let terms = renewingSession.record.terms
    // The background timeout can be checked here, because the server's time is known.
    let unseen = lastActivity.sinceShown(context).certainMilliseconds
    if terms.needsLock, !hasLock, wait.away(unseen, context) >= terms.backgroundTimeout * 1000 {
      renewingSession.leave(saying: .session(.awayTooLong))
      return []
    }
    outcome = .confirmed(renewingSession)
    return []
  }
}

extension SessionConfirmation {
  private mutating func dispatch<Page>(
    _ event: AppEvent<Page>, _ context: inout FlowContext
  ) -> [Effect] {
    switch event {
    case .page(let page):
      if case .session(let intent)? = page.intent { return handle(intent, &context) }
    case .storage(let event): return handle(event, &context)
    case .device(let event): handle(event, &context)
    case .intent(.session(let intent)): return handle(intent, &context)
    case .answered(let id, let answer): return answered(id, answer, &context)
    case .ticked: return tick(&context)
    case .started, .signIn, .session, .home, .intent(.signIn): break
    }
    return []
  }

  private mutating func handle(_ intent: SessionIntent, _ context: inout FlowContext) -> [Effect] {
    switch intent {
    case .tryAgain: account.load(&context)
    case .signOut: renewingSession.leave()
    case .unlock, .signInInstead, .setLock, .removeLock, .staySignedIn, .switchOrganization: break
    }
    return []
  }

  private mutating func handle(_ event: StorageEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .renewalClaimed(let reading): return renewingSession.renewalClaimed(reading, &context)
    case .sessionChanged(let reading): return renewingSession.stored(reading, &context)
    case .read(let reading, let seen, _, _) where isReading:
      return stored(reading, LastActivity(text: seen), &context)
    case .saveFailed: renewingSession.markNotStored()
    case .read, .storedSessionReplaced, .lockoutsRead, .pendingSignInSaved: break
    }
    return []
  }

  private mutating func handle(_ event: DeviceEvent, _ context: inout FlowContext) {
    switch event {
    case .shown: wait.show(context)
    case .userActiveInOtherTab:
      lastActivity.use(context)
      wait.forgetAbsence()
    case .networkReturned: account.networkReturned(&context)
    case .hidden, .used: break
    }
  }

  private mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    var (effects, deliveries) = renewingSession.answered(id, answer, &context)
    for delivery in deliveries where account.isFor(delivery.id) {
      effects += answered(delivery.answer, &context)
    }
    return effects
  }

  private mutating func tick(_ context: inout FlowContext) -> [Effect] {
    renewingSession.tick(context) + account.tick(&context) + confirmIfStored(context)
  }
}
