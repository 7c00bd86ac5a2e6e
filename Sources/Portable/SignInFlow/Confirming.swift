import SignInModel
public import SignInWire

/// A session that is over by this device's clock: the server is asked before anything is shown,
/// and before anybody is signed out (L-29, L-31).
public struct Confirming: Equatable, Sendable {
  enum Outcome: Equatable, Sendable {
    case stands(SessionKeeping)
    case over(SessionKeeping.Ending)
  }

  public private(set) var account = Fetched<AccountAnswer>(Endpoint.me)
  private(set) var outcome: Outcome?
  private(set) var presence: Presence
  private var keeping: SessionKeeping
  /// When the person began to wait for the server, by the clock nobody can move.
  private var steadyAtBeginning: Int64?

  let hasLock: Bool

  init(_ keeping: SessionKeeping, _ presence: Presence, hasLock: Bool) {
    self.hasLock = hasLock
    self.keeping = keeping
    self.presence = presence
    self.keeping.doubt()
  }

  var isClaiming: Bool { keeping.isClaiming }

  mutating func begin(_ context: inout FlowContext) -> [Effect] {
    account.load(&context)
    steadyAtBeginning = context.sighting.steady
    return keeping.send(&context)
  }

  /// Whoever waits here for a network is not away.
  private func waited(_ context: FlowContext) -> Int64 {
    guard let began = steadyAtBeginning, let now = context.sighting.steady else { return 0 }
    return now - began
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    var effects: [Effect] = []
    switch event {
    case .answered(let id, let answer):
      let (own, deliveries) = keeping.answered(id, answer, &context)
      effects = own
      for delivery in deliveries where account.isFor(delivery.id) {
        effects += answered(delivery.answer, &context)
      }
    case .renewalClaimed(let reading): effects = keeping.renewalClaimed(reading, &context)
    case .device(.sessionChanged(let reading)): effects = keeping.stored(reading, &context)
    case .sessionSaveRefused: keeping.remainUnkept()
    case .networkReturned: account.networkReturned(&context)
    case .buttonPressed(.tryAgain): account.load(&context)
    case .buttonPressed(.signOut): effects = keeping.leave()
    case .ticked: effects = keeping.tick(context) + account.tick(&context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .bannerDismissed, .verifierMade, .device, .home:
      break
    }
    if let ending = keeping.ending {
      outcome = .over(ending)
      return effects
    }
    if keeping.takeChangeOfSession() { account = Fetched<AccountAnswer>(Endpoint.me) }
    if account.value == nil, account.loading == nil, account.problem == nil {
      account.load(&context)
    }
    return effects + keeping.send(&context)
  }

  private mutating func answered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    guard let body = answer.success, let known = AccountAnswer(json: body) else {
      return account.fail(answer, context)
    }
    account.adopt(known, context)
    let terms = keeping.record.terms
    // The server's own time is known by now.
    let away = presence.sinceShown(context).certainMilliseconds - waited(context)
    if terms.needsLock, !hasLock, away >= terms.backgroundTimeout * 1000 {
      return keeping.leave(saying: .session(.awayTooLong))
    }
    presence.use(context)
    outcome = .stands(keeping)
    return []
  }
}
