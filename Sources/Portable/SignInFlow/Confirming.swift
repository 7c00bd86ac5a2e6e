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
  public private(set) var keeping: SessionKeeping
  /// Whether storage is being read, the last thing before anything is shown.
  private var isReading = false
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
    case .device(.sessionChanged(let reading)):
      effects = keeping.stored(reading, &context)
    case .storageRead(let reading, let seen) where isReading:
      effects = stored(reading, Presence(text: seen), &context)
    // The person is there, in another window.
    case .device(.usedElsewhere): presence.useElsewhere(context)
    case .sessionSaveRefused: keeping.remainUnkept()
    case .networkReturned: account.networkReturned(&context)
    case .buttonPressed(.tryAgain): account.load(&context)
    case .buttonPressed(.signOut): effects = keeping.leave()
    case .ticked: effects = keeping.tick(context) + account.tick(&context) + settle(context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .bannerDismissed, .verifierMade, .device, .home:
      break
    }
    if let ending = keeping.ending {
      outcome = .over(ending)
      return effects
    }
    followChange()
    if account.value == nil, account.loading == nil, account.problem == nil {
      account.load(&context)
    }
    return effects + keeping.send(&context)
  }

  /// When the person of another session was last seen, storage knows, or nobody.
  private mutating func followChange() {
    guard let change = keeping.takeChangeOfSession() else { return }
    account = Fetched<AccountAnswer>(Endpoint.me)
    if change == .adopted { presence.forget() }
  }

  private mutating func stored(
    _ reading: StorageReading, _ seen: Presence?, _ context: inout FlowContext
  ) -> [Effect] {
    isReading = false
    let effects = keeping.stored(reading, &context)
    followChange()
    guard reading != .cannotTell, keeping.ending == nil else { return effects }
    presence.learn(seen, of: keeping.record.terms.id)
    return effects + stand(context)
  }

  private mutating func answered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    guard let body = answer.success, let known = AccountAnswer(json: body) else {
      return account.fail(answer, context)
    }
    account.adopt(known, context)
    return settle(context)
  }

  /// What the server says stands is shown if storage holds it still.
  ///
  /// Another window may have set a lock, or have begun another session.
  private mutating func settle(_ context: FlowContext) -> [Effect] {
    guard account.value != nil, keeping.ending == nil, !isReading else { return [] }
    if keeping.isFleeting { return stand(context) }
    isReading = true
    return [.readSession]
  }

  private mutating func stand(_ context: FlowContext) -> [Effect] {
    guard account.value != nil else { return [] }
    let terms = keeping.record.terms
    // The server's own time is known by now.
    let away = presence.sinceShown(context).certainMilliseconds - waited(context)
    if terms.needsLock, !hasLock, away >= terms.backgroundTimeout * 1000 {
      return keeping.leave(saying: .session(.awayTooLong))
    }
    if !context.isHidden { presence.use(context) }
    outcome = .stands(keeping)
    return []
  }
}
