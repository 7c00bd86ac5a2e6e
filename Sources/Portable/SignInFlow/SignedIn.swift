import SignInModel
public import SignInWire

/// A person signed in: their session, and the home screen it opens.
public struct SignedIn: Equatable, Sendable {
  public private(set) var keeping: SessionKeeping
  public private(set) var home: Home
  public private(set) var account = Fetched<AccountAnswer>(Endpoint.me)
  public private(set) var notice: Notice?
  public private(set) var isMenuOpen = false

  init(_ record: SessionRecord, for app: AppName) {
    keeping = SessionKeeping(record)
    home = Home(for: app)
  }

  mutating func open(_ context: inout FlowContext) -> [Effect] {
    let effects = home.open(&context)
    account.load(&context)
    return effects + keeping.send(&context)
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    var effects = decide(event, &context)
    guard keeping.ending == nil else { return effects }
    if keeping.takeChangeOfPerson() {
      home = Home(for: context.app)
      account = Fetched<AccountAnswer>(Endpoint.me)
      return effects + open(&context)
    }
    effects += keeping.send(&context)
    return effects
  }

  private mutating func decide(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .answered(let id, let answer): return answered(id, answer, &context)
    case .renewalClaimed(let reading): return keeping.renewalClaimed(reading, &context)
    case .buttonPressed(.accountMenu):
      isMenuOpen.toggle()
      return []
    case .buttonPressed(.signOut): return keeping.leave()
    case .bannerDismissed where notice != nil:
      notice = nil
      return []
    case .sessionSaveRefused:
      notice = .sessionNotKept
      keeping.remainUnkept()
      return []
    case .ticked:
      let effects = keeping.tick(context) + home.handle(event, &context)
      _ = account.tick(&context)
      return effects
    case .networkReturned:
      let effects = home.handle(event, &context)
      account.networkReturned(&context)
      return effects
    case .buttonPressed:
      isMenuOpen = false
      return home.handle(event, &context)
    case .fieldEdited, .bannerDismissed, .home: return home.handle(event, &context)
    case .started, .storageRead, .passwordRevealToggled, .verifierMade, .device: return []
    }
  }

  /// The session takes its own answers, and passes on what belongs to a screen.
  private mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    var (effects, deliveries) = keeping.answered(id, answer, &context)
    guard keeping.ending == nil else { return effects }
    for delivery in deliveries {
      guard account.isFor(delivery.id) else {
        effects += home.handle(.answered(delivery.id, delivery.answer), &context)
        continue
      }
      if let body = delivery.answer.success, let known = AccountAnswer(json: body) {
        account.adopt(known, context)
      } else {
        // Whose name is missing is seen; the home screen says why.
        _ = account.fail(delivery.answer, context)
      }
    }
    return effects
  }
}
