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
  /// When the person began to wait for the server, by the clock nobody can move; nil while nobody
  /// is known to wait.
  private var waitsSince: Int64?
  /// When they went out of sight while they waited, and for how long they have done so at most.
  private var hiddenAt: Presence.Sighting?
  private var absenceMilliseconds: Int64 = 0
  /// When they came back from the last of it.
  private var cameBackAt: Presence.Sighting?

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
    if !context.isHidden { waitsSince = context.sighting.steady }
    return keeping.send(&context)
  }

  /// For how long nobody was there, before the app was opened or while it was out of sight.
  ///
  /// Told by clocks that nobody on the device can move. Whoever waits for a network is not away.
  private func away(_ context: FlowContext) -> Int64 {
    let unseen = presence.sinceShown(context).certainMilliseconds
    guard let began = waitsSince, let now = context.sighting.steady else { return unseen }
    return max(unseen - (now - began), absenceMilliseconds)
  }

  private mutating func hide(_ context: FlowContext) {
    if waitsSince != nil { hiddenAt = context.sighting }
  }

  private mutating func show(_ context: FlowContext) {
    guard waitsSince != nil else {
      waitsSince = context.sighting.steady
      return
    }
    if let hiddenAt {
      let absence = Presence.elapsed(from: hiddenAt, context).certainMilliseconds
      absenceMilliseconds = max(absenceMilliseconds, absence)
      cameBackAt = context.sighting
    }
    hiddenAt = nil
  }

  private mutating func useElsewhere(_ context: FlowContext) {
    presence.useElsewhere(context)
    absenceMilliseconds = 0
    if hiddenAt != nil { hiddenAt = context.sighting }
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
    case .device(.hidden): hide(context)
    case .device(.shown): show(context)
    // The person is there, in another window.
    case .device(.usedElsewhere): useElsewhere(context)
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
    followChange(context)
    if account.value == nil, account.loading == nil, account.problem == nil {
      account.load(&context)
    }
    return effects + keeping.send(&context)
  }

  /// When the person of another session was last seen, storage knows, or nobody.
  private mutating func followChange(_ context: FlowContext) {
    guard let change = keeping.takeChangeOfSession() else { return }
    account = Fetched<AccountAnswer>(Endpoint.me)
    guard change == .adopted else { return }
    presence.forget()
    (hiddenAt, absenceMilliseconds) = (nil, 0)
    waitsSince = context.isHidden ? nil : context.sighting.steady
  }

  private mutating func stored(
    _ reading: StorageReading, _ seen: Presence?, _ context: inout FlowContext
  ) -> [Effect] {
    isReading = false
    let effects = keeping.stored(reading, &context)
    followChange(context)
    guard reading != .cannotTell, keeping.ending == nil else { return effects }
    presence.learn(seen, of: keeping.record.terms.id, context)
    // Another window shows the session since: there the person was let in.
    if let cameBackAt {
      let since = Presence.elapsed(from: cameBackAt, context).suspectedMilliseconds
      let isSeenSince = presence.sinceShown(context).suspectedMilliseconds < since
      if isSeenSince { absenceMilliseconds = 0 }
    }
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
    if terms.needsLock, !hasLock, away(context) >= terms.backgroundTimeout * 1000 {
      return keeping.leave(saying: .session(.awayTooLong))
    }
    if !context.isHidden {
      presence.use(context)
    } else if let hiddenAt {
      presence.see(at: hiddenAt, context)
    }
    outcome = .stands(keeping)
    return []
  }
}
