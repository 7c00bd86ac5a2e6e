public import SignInModel
import SignInWire

/// An app from its opening to its closing: events in, state and effects out.
///
///     starting ──▶ reading storage ──value──▶ signed in ──ended, signed out──▶ signed out
///                     │   ▲   └──absent──▶ signed out ──tokens──▶ signed in
///                     ▼   │ try again
///                  unreadable ──sign in again──▶ signed out
public struct AppFlow: Equatable, Sendable {
  public enum Stage: Equatable, Sendable {
    case starting
    case readingStorage(since: Instant)
    case storageUnreadable
    case signedOut(TechnicianSignIn)
    case signedIn(SignedIn)
    case riderSignedOut(RiderSignIn)
  }

  public private(set) var stage: Stage = .starting
  public private(set) var context = FlowContext()

  private var farewell: Farewell?

  public init() {}

  /// Takes one event at the device's time.
  public mutating func handle(_ event: Event, at device: Instant) -> [Effect] {
    context.arrive(at: device)
    if case .answered(let id, let answer) = event {
      switch context.receive(id, answer, at: device) {
      case .late: return []
      case .repeated(let effect): return [effect]
      case .counts: break
      }
    }
    if case .fieldEdited(.language, let tag) = event { return speak(tag) }
    let wasTicking = needsTicks
    var effects = decide(event)
    if needsTicks != wasTicking { effects.append(needsTicks ? .startTicking : .stopTicking) }
    return effects
  }

  private var needsTicks: Bool {
    switch stage {
    case .starting, .storageUnreadable: false
    case .readingStorage, .signedIn: true
    case .signedOut(let signIn): signIn.needsTicks
    case .riderSignedOut(let signIn): signIn.needsTicks
    }
  }

  private mutating func decide(_ event: Event) -> [Effect] {
    if case .answered(let id, let answer) = event, let request = farewell?.request, request == id {
      return told(answer)
    }
    let farewells = event == .networkReturned ? tellFarewell() : []
    return farewells + decideStage(event)
  }

  /// What was typed, and whatever is under way, stay as they are.
  private mutating func speak(_ tag: String) -> [Effect] {
    guard let language = Language(rawValue: tag) else { return [] }
    context.speak(language)
    return [.keepLanguage(language)]
  }

  private mutating func decideStage(_ event: Event) -> [Effect] {
    switch stage {
    case .starting: return start(event)
    case .readingStorage: return readStorage(event)
    case .storageUnreadable: return explainStorage(event)
    case .signedOut(var signIn):
      let effects = signIn.handle(event, &context)
      if case .finished(let tokens) = signIn.step { return effects + enter(tokens) }
      stage = .signedOut(signIn)
      return effects
    case .signedIn(var signedIn):
      let effects = signedIn.handle(event, &context)
      if let ending = signedIn.keeping.ending { return effects + leave(ending) }
      stage = .signedIn(signedIn)
      return effects
    case .riderSignedOut(var signIn):
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
    guard case .storageRead(let reading) = event else { return [] }
    switch reading {
    case .absent:
      stage = signedOut()
      return []
    case .cannotTell: return admitUnreadable()
    case .value(let text):
      if let farewell = Farewell(text: text) {
        self.farewell = farewell
        stage = signedOut()
        return tellFarewell()
      }
      guard let record = SessionRecord(text: text) else { return admitUnreadable() }
      return open(record)
    }
  }

  private mutating func admitUnreadable() -> [Effect] {
    stage = .storageUnreadable
    context.moveFocus(to: .heading)
    return []
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
    let record = SessionRecord(tokens, at: context.now)
    return [.saveSession(record.text), .announce(.signedIn)] + open(record) + tellFarewell()
  }

  private mutating func open(_ record: SessionRecord) -> [Effect] {
    var signedIn = SignedIn(record, for: context.app)
    let effects = signedIn.open(&context)
    stage = .signedIn(signedIn)
    return effects
  }

  private mutating func leave(_ ending: SessionKeeping.Ending) -> [Effect] {
    context.forgetCalls()
    context.moveFocus(to: .heading)
    switch ending {
    case .over(let notice):
      stage = signedOut(notice)
      return [.announce(.notice(notice))]
    case .left(let token):
      let farewell = Farewell(token)
      self.farewell = farewell
      stage = signedOut(.signedOut)
      return [.saveSession(farewell.text), .announce(.notice(.signedOut))] + tellFarewell()
    }
  }

  private func signedOut(_ notice: Notice? = nil) -> Stage {
    switch context.app.signInKind {
    case .passwordAndCode: .signedOut(TechnicianSignIn(notice: notice))
    case .phoneCode: .riderSignedOut(RiderSignIn(notice: notice))
    }
  }

  private mutating func tellFarewell() -> [Effect] { farewell?.tell(&context) ?? [] }

  /// An answer of any kind ends the matter; silence does not.
  private mutating func told(_ answer: Answer) -> [Effect] {
    guard let said = farewell else { return [] }
    if let status = answer.status, status < 500 {
      farewell = nil
      return [.eraseIfStill(said.text)]
    }
    farewell?.request = nil
    return []
  }
}
