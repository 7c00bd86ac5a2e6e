public import SignInModel
import SignInWire

/// An app from its opening to its closing: events in, state and effects out.
///
///     starting ──▶ reading storage ──value──▶ signed in ──ended, signed out──▶ signed out
///                     │   ▲   ├──absent──▶ signed out ──tokens──▶ signed in
///                     │   │   ├──sealed──▶ locked ◀──away──▶ signed in
///                     │   │   ├──damaged──▶ signed out
///                     ▼   │   └──over by the device's clock──▶ confirming ──▶ signed in
///                  unreadable ──sign in again──▶ signed out
public struct AppFlow: Equatable, Sendable {
  public enum Stage: Equatable, Sendable {
    case starting
    case readingStorage(since: Instant)
    case storageUnreadable
    case signedOut(TechnicianSignIn)
    case signedIn(SignedIn)
    case riderSignedOut(RiderSignIn)
    case locked(AppLock)
    case confirming(Confirming)
  }

  public private(set) var stage: Stage = .starting
  public private(set) var context = FlowContext()

  private var farewells = Farewells()

  public init() {}

  /// Takes one event at the device's time, which may be wrong and may be moved.
  ///
  /// `steady` are the milliseconds of a clock nobody can move, from any beginning that lasts as
  /// long as the app is open; nil where there is none.
  public mutating func handle(
    _ event: Event, at device: Instant, steady: Int64? = nil
  ) -> [Effect] {
    context.arrive(at: device, steady: steady)
    if case .answered(let id, let answer) = event {
      switch context.receive(id, answer, at: device) {
      case .late: return []
      case .repeated(let effect): return [effect]
      case .counts: break
      }
    }
    if case .fieldEdited(.language, let tag) = event { return speak(tag) }
    let wasTicking = needsTicks
    var effects = decide(event) + askAboutApp()
    if needsTicks != wasTicking { effects.append(needsTicks ? .startTicking : .stopTicking) }
    return effects
  }

  private var needsTicks: Bool {
    switch stage {
    case .starting, .storageUnreadable, .locked: false
    case .readingStorage, .signedIn, .confirming: true
    case .signedOut(let signIn): signIn.needsTicks
    case .riderSignedOut(let signIn): signIn.needsTicks
    }
  }

  private mutating func decide(_ event: Event) -> [Effect] {
    if case .answered(let id, let answer) = event, farewells.isFor(id) { return told(id, answer) }
    if case .answered(let id, let answer) = event, context.takeAboutApp(id, answer) {
      return fillInCountry()
    }
    if case .device(.lockPossible(let isPossible)) = event {
      context.learnLock(isPossible: isPossible)
    }
    if case .device(let event) = event { context.watch(event) }
    var told: [Effect] = []
    if event == .networkReturned { told = tellFarewells() }
    if case .device(.storedOver(let replaced)) = event { told = owe(replaced) }
    // A claim nobody waits for any more must not keep the other tabs waiting.
    if case .renewalClaimed = event, !isClaiming { return [.releaseRenewal] }
    return told + decideStage(event)
  }

  /// What was typed, and whatever is under way, stay as they are.
  private mutating func speak(_ tag: String) -> [Effect] {
    guard let language = Language(rawValue: tag) else { return [] }
    context.speak(language)
    return [.keepLanguage(language)]
  }

  private var isClaiming: Bool {
    switch stage {
    case .signedIn(let signedIn): signedIn.keeping.isClaiming
    case .confirming(let confirming): confirming.isClaiming
    case .starting, .readingStorage, .storageUnreadable, .signedOut, .riderSignedOut, .locked: false
    }
  }

  private mutating func decideStage(_ event: Event) -> [Effect] {
    switch stage {
    case .starting: return start(event)
    case .readingStorage: return readStorage(event)
    case .storageUnreadable: return explainStorage(event)
    case .signedOut(var signIn):
      if case .device(.sessionChanged(let reading)) = event {
        return follow(reading, isAtRest: signIn.step == .enteringCredentials)
      }
      let effects = signIn.handle(event, &context)
      if case .finished(let tokens) = signIn.step { return effects + enter(tokens) }
      stage = .signedOut(signIn)
      return effects
    case .signedIn(var signedIn):
      let effects = signedIn.handle(event, &context)
      if let verdict = signedIn.verdict { return withdraw(signedIn, verdict) }
      if let ending = signedIn.keeping.ending { return effects + leave(ending) }
      stage = .signedIn(signedIn)
      return effects
    case .locked(var lock):
      let effects = lock.handle(event)
      if let outcome = lock.outcome { return effects + leave(lock, outcome) }
      stage = .locked(lock)
      return effects
    case .confirming(var confirming):
      let effects = confirming.handle(event, &context)
      switch confirming.outcome {
      case nil:
        stage = .confirming(confirming)
        return effects
      case .stands(let keeping)?:
        return effects + open(keeping, confirming.presence, hasLock: confirming.hasLock)
      case .over(let ending)?: return effects + leave(ending)
      }
    case .riderSignedOut(var signIn):
      if case .device(.sessionChanged(let reading)) = event {
        return follow(reading, isAtRest: signIn.step == .enteringNumber)
      }
      let effects = signIn.handle(event, &context)
      if case .finished(let tokens) = signIn.step { return effects + enter(tokens) }
      stage = .riderSignedOut(signIn)
      return effects
    }
  }

  // MARK: Opening

  private mutating func start(_ event: Event) -> [Effect] {
    guard case .started(let offset, let app, let page, let reader, let changes) = event else {
      return []
    }
    context.stand(app, page: page)
    context.meet(reader, WallClock(utcOffsetSeconds: offset, changes: changes))
    stage = .readingStorage(since: context.now)
    return [.readSession]
  }

  private mutating func readStorage(_ event: Event) -> [Effect] {
    guard case .storageRead(let reading, let seen) = event else { return [] }
    let presence = Presence(text: seen)
    if let presence { context.recall(presence) }
    return take(reading, presence, hasLock: false)
  }

  private mutating func take(
    _ reading: StorageReading, _ presence: Presence?, hasLock: Bool
  ) -> [Effect] {
    switch reading {
    case .absent:
      stage = signedOut()
      if context.invitation != nil { context.moveFocus(to: .newPassword) }
      return []
    case .cannotTell: return admitUnreadable()
    case .damaged: return giveUpDamaged()
    case .locked(let card): return lock(card, presence)
    case .value(let text):
      if let farewell = Farewell(text: text) {
        farewells.take(farewell)
        stage = signedOut()
        return tellFarewells()
      }
      guard let record = SessionRecord(text: text) else {
        return SessionRecord.isOfLaterVersion(text) ? admitUnreadable() : giveUpDamaged()
      }
      return resume(record, presence ?? .unknown, hasLock: hasLock)
    }
  }

  /// What the device's clock takes for over is confirmed by the server, and by nobody else.
  private mutating func resume(
    _ record: SessionRecord, _ presence: Presence, hasLock: Bool
  ) -> [Effect] {
    let keeping = SessionKeeping(record, isStored: true)
    let presence = presence.known(of: record.terms.id)
    farewells.take(record.owed)
    let isAway =
      record.terms.needsLock && !hasLock
      && presence.sinceShown(context).isSuspected(seconds: record.terms.backgroundTimeout)
    let isIdle = presence.sinceUsed(context).isSuspected(seconds: record.terms.idleTimeout)
    if isAway || isIdle || record.terms.expiresAt <= context.now {
      return confirm(keeping, presence, hasLock: hasLock) + tellFarewells()
    }
    return open(keeping, presence, hasLock: hasLock) + tellFarewells()
  }

  private mutating func admitUnreadable() -> [Effect] {
    stage = .storageUnreadable
    context.moveFocus(to: .heading)
    return []
  }

  /// Reading it again would not help, so the person signs in, which also ends the session at the
  /// server (S-08).
  private mutating func giveUpDamaged() -> [Effect] {
    let notice = Notice.session(.damaged)
    context.moveFocus(to: .heading)
    stage = signedOut(notice)
    return erasure + [.announce(.notice(notice))]
  }

  private mutating func explainStorage(_ event: Event) -> [Effect] {
    switch event {
    case .buttonPressed(.tryAgain):
      stage = .readingStorage(since: context.now)
      return [.readSession]
    case .buttonPressed(.signInAgain):
      stage = signedOut()
      switch context.app.signInKind {
      case .passwordAndCode: context.moveFocus(to: .email)
      case .phoneCode: context.moveFocus(to: .phone)
      }
      return []
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .bannerDismissed, .verifierMade, .answered, .ticked, .renewalClaimed, .sessionSaveRefused,
      .networkReturned, .device, .home:
      return []
    }
  }

  // MARK: Between signed out and signed in

  private mutating func enter(_ tokens: TokenAnswer) -> [Effect] {
    context.forgetCalls()
    context.moveFocus(to: .heading)
    let record = SessionRecord(
      tokens, at: context.now, leftBehind: farewells.leftBehind, owed: farewells.tokens)
    farewells.leftBehind = nil
    let keeping = SessionKeeping(record, isStored: false)
    return [.saveSession(record.text), .announce(.signedIn)]
      + open(keeping, Presence(context), isNew: true) + tellFarewells()
  }

  /// Somebody has signed in, in another window of this app.
  ///
  /// Whoever is in the middle of a sign-in here finishes it; the other session ends by being stored
  /// over.
  private mutating func follow(_ reading: StorageReading, isAtRest: Bool) -> [Effect] {
    guard case .value(let text) = reading else { return [] }
    if let farewell = Farewell(text: text) {
      farewells.take(farewell)
      return tellFarewells()
    }
    guard isAtRest, SessionRecord(text: text) != nil else { return [] }
    context.forgetCalls()
    context.moveFocus(to: .heading)
    // It may be an earlier session that another window has only renewed: it is opened as at a
    // start, by when its person was last seen.
    context.hideAnew()
    stage = .readingStorage(since: context.now)
    return [.readSession]
  }

  private mutating func open(
    _ keeping: SessionKeeping, _ presence: Presence, hasLock: Bool = false, isNew: Bool = false
  ) -> [Effect] {
    var signedIn = SignedIn(keeping, presence, for: context.app, hasLock: hasLock, isNew: isNew)
    let effects = signedIn.open(&context)
    stage = .signedIn(signedIn)
    return effects
  }

  private mutating func confirm(
    _ keeping: SessionKeeping, _ presence: Presence, hasLock: Bool
  ) -> [Effect] {
    var confirming = Confirming(keeping, presence, hasLock: hasLock)
    let effects = confirming.begin(&context)
    stage = .confirming(confirming)
    return effects
  }

  // MARK: Locked

  private mutating func lock(_ card: String, _ presence: Presence?) -> [Effect] {
    stage = .locked(AppLock(card: card, presence: presence))
    context.moveFocus(to: .unlock)
    return []
  }

  /// The person was away for too long; nothing of what was shown is kept.
  private mutating func withdraw(
    _ signedIn: SignedIn, _ verdict: SignedIn.Verdict
  ) -> [Effect] {
    context.forgetCalls()
    var keeping = signedIn.keeping
    let release: [Effect] = keeping.isRenewing ? [.releaseRenewal] : []
    switch verdict {
    case .lock:
      return release + [.lock, .announce(.appLocked)]
        + lock(signedIn.lockCard.revealed, signedIn.presence)
    case .confirm:
      return release
        + confirm(keeping.restarted(), signedIn.presence, hasLock: signedIn.hasLock)
    case .over(let notice):
      let effects = keeping.leave(saying: notice)
      guard let ending = keeping.ending else { return effects }
      return effects + leave(ending)
    }
  }

  private mutating func leave(_ lock: AppLock, _ outcome: AppLock.Outcome) -> [Effect] {
    switch outcome {
    case .opened(let reading):
      // The prompt covers the app, and its owner was there.
      context.hideAnew()
      context.moveFocus(to: .heading)
      var presence = lock.presence ?? .unknown
      presence.show(context)
      return take(reading, presence, hasLock: true)
    case .replaced(let reading):
      context.moveFocus(to: .heading)
      return take(reading, nil, hasLock: false)
    case .otherWay:
      stage = signedOut()
      farewells.leftBehind = lock.card.session
      context.moveFocus(to: .heading)
      return []
    case .destroyed:
      stage = signedOut(.session(.lockChanged))
      context.moveFocus(to: .heading)
      let left = lock.card.session.map { farewells.leave(Farewell(nil, leftBehind: $0)) }
      let end = left.map { Effect.leaveTombstone($0) } ?? .eraseSession
      return [end] + erasure + [.announce(.notice(.session(.lockChanged)))]
    }
  }

  private mutating func leave(_ ending: SessionKeeping.Ending) -> [Effect] {
    context.forgetCalls()
    context.moveFocus(to: .heading)
    switch ending {
    case .over(let notice, let remains):
      if let remains { farewells.take(remains) }
      stage = signedOut(notice)
      return erasure + [.announce(.notice(notice))] + tellFarewells()
    case .followed(let left, let untold):
      farewells.take(left)
      stage = signedOut(.signedOut)
      let owed: [Effect] =
        untold.map { [.replaceSession(left.text, with: farewells.leave($0))] } ?? []
      return owed + erasure + [.announce(.notice(.signedOut))] + tellFarewells()
    case .locked(let card): return [.lock, .announce(.appLocked)] + lock(card, nil)
    case .left(let left, let notice):
      let farewell = farewells.leave(left)
      stage = signedOut(notice)
      return [.leaveTombstone(farewell)] + erasure + [.announce(.notice(notice))]
        + tellFarewells()
    }
  }

  /// What a person read goes with the session it was read in: ended here, or at the server.
  private var erasure: [Effect] {
    context.app.name?.shelf.map { [.shelf(.erase(name: $0.rawValue))] } ?? []
  }

  private func signedOut(_ notice: Notice? = nil) -> Stage {
    switch context.app.signInKind {
    case .passwordAndCode:
      .signedOut(TechnicianSignIn(notice: notice, invitation: context.invitation))
    case .phoneCode:
      .riderSignedOut(RiderSignIn(notice: notice, callingCode: context.callingCode))
    }
  }

  /// The first time that a number can be typed, the server is asked which country to fill in.
  private mutating func askAboutApp() -> [Effect] {
    guard case .riderSignedOut = stage else { return [] }
    return context.askAboutApp()
  }

  private mutating func fillInCountry() -> [Effect] {
    guard case .riderSignedOut(var signIn) = stage, let code = context.callingCode else {
      return []
    }
    signIn.fillIn(code)
    stage = .riderSignedOut(signIn)
    return []
  }

  private mutating func tellFarewells() -> [Effect] { farewells.tell(&context) }

  /// Whatever a new session or a farewell took the place of is to end as well.
  private mutating func owe(_ replaced: StorageReading) -> [Effect] {
    let left: Farewell
    switch replaced {
    case .absent, .cannotTell, .damaged: return []
    case .locked(let card): left = Farewell(nil, leftBehind: AppLock.Card(text: card).session)
    case .value(let text):
      guard let known = Farewell(text: text) ?? SessionRecord(text: text).map({ Farewell($0) })
      else { return [] }
      left = known
    }
    guard case .signedIn(var signedIn) = stage else {
      return farewells.add(left) + tellFarewells()
    }
    farewells.take(left.tokens)
    let rewriting = signedIn.owe(left, &context)
    stage = .signedIn(signedIn)
    return rewriting + tellFarewells()
  }

  private mutating func told(_ id: RequestID, _ answer: Answer) -> [Effect] {
    guard let (token, effects) = farewells.told(id, answer) else { return [] }
    guard case .signedIn(var signedIn) = stage else { return effects }
    let forgotten = signedIn.forget(owed: token)
    stage = .signedIn(signedIn)
    return effects + forgotten
  }
}
