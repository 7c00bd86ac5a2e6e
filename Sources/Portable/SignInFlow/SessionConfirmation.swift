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
  /// When the person began to wait for the server, in milliseconds of the monotonic clock; `nil` if
  /// no person is known to wait.
  private var waitStart: Int64?
  /// When the app was hidden during the wait, and the longest time that it stayed hidden.
  private var hiddenAt: LastActivity.ClockReadings?
  private var absenceMilliseconds: Int64 = 0
  /// When the app was shown again after it was hidden the last time.
  private var shownAgainAt: LastActivity.ClockReadings?

  let hasLock: Bool

  init(_ renewingSession: RenewingSession, _ lastActivity: LastActivity, hasLock: Bool) {
    self.hasLock = hasLock
    self.renewingSession = renewingSession
    self.lastActivity = lastActivity
    self.renewingSession.markTokenUncertain()
  }

  mutating func begin(_ context: inout FlowContext) -> [Effect] {
    account.load(&context)
    if !context.isHidden { waitStart = context.clockReadings.steady }
    return renewingSession.send(&context)
  }

  /// How long the person was away, in milliseconds: before the app was opened, or while it was
  /// hidden.
  ///
  /// The clocks used here cannot be set on the device. Waiting for a network does not count as
  /// absence.
  private func away(_ context: FlowContext) -> Int64 {
    let unseen = lastActivity.sinceShown(context).certainMilliseconds
    guard let began = waitStart, let now = context.clockReadings.steady else { return unseen }
    return max(unseen - (now - began), absenceMilliseconds)
  }

  private mutating func hide(_ context: FlowContext) {
    if waitStart != nil { hiddenAt = context.clockReadings }
  }

  private mutating func show(_ context: FlowContext) {
    guard waitStart != nil else {
      waitStart = context.clockReadings.steady
      return
    }
    if let hiddenAt {
      let absence = LastActivity.elapsed(from: hiddenAt, context).certainMilliseconds
      absenceMilliseconds = max(absenceMilliseconds, absence)
      shownAgainAt = context.clockReadings
    }
    hiddenAt = nil
  }

  private mutating func useElsewhere(_ context: FlowContext) {
    lastActivity.useElsewhere(context)
    absenceMilliseconds = 0
    if hiddenAt != nil { hiddenAt = context.clockReadings }
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    let effects = dispatch(event, &context)
    if let ending = renewingSession.ending {
      outcome = .ended(ending)
      return effects
    }
    followChange(context)
    if !account.value.isPresent, account.loading == nil, account.problem == nil {
      account.load(&context)
    }
    return effects + renewingSession.send(&context)
  }

  /// Starts again if another session replaced this one.
  ///
  /// Only storage can know when the person of the other session was last active.
  private mutating func followChange(_ context: FlowContext) {
    guard case .replaced(let change)? = renewingSession.takeUpdate() else { return }
    account = FetchedValue<AccountAnswer>(.me)
    guard change == .adopted else { return }
    lastActivity.forget()
    (hiddenAt, absenceMilliseconds) = (nil, 0)
    waitStart = context.isHidden ? nil : context.clockReadings.steady
  }

  private mutating func stored(
    _ reading: StorageReading, _ seen: LastActivity?, _ context: inout FlowContext
  ) -> [Effect] {
    isReading = false
    let effects = renewingSession.stored(reading, &context)
    followChange(context)
    guard reading != .temporarilyUnreadable, renewingSession.ending == nil else { return effects }
    lastActivity.learn(seen, of: renewingSession.record.terms.id, context)
    // Another tab has shown this session since the app was shown again, so the person was already
    // verified there.
    if let shownAgainAt {
      let since = LastActivity.elapsed(from: shownAgainAt, context).suspectedMilliseconds
      let isSeenSince = lastActivity.sinceShown(context).suspectedMilliseconds < since
      if isSeenSince { absenceMilliseconds = 0 }
    }
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
    if terms.needsLock, !hasLock, away(context) >= terms.backgroundTimeout * 1000 {
      return renewingSession.leave(saying: .session(.awayTooLong))
    }
    if !context.isHidden {
      lastActivity.use(context)
    } else if let hiddenAt {
      lastActivity.see(at: hiddenAt, context)
    }
    outcome = .confirmed(renewingSession)
    return []
  }
}

extension SessionConfirmation: EventHandler {
  mutating func handle(_ event: PageEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .buttonPressed(.tryAgain): account.load(&context)
    case .buttonPressed(.signOut): return renewingSession.leave()
    case .fieldEdited, .buttonPressed, .passwordRevealToggled, .bannerDismissed: break
    }
    return []
  }

  mutating func handle(_ event: StorageEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .renewalClaimed(let reading): return renewingSession.renewalClaimed(reading, &context)
    case .sessionChanged(let reading): return renewingSession.stored(reading, &context)
    case .read(let reading, let seen, _) where isReading:
      return stored(reading, LastActivity(text: seen), &context)
    case .saveFailed: renewingSession.markNotStored()
    case .read, .storedSessionReplaced, .pendingSignInSaved: break
    }
    return []
  }

  mutating func handle(_ event: DeviceEvent, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .hidden: hide(context)
    case .shown: show(context)
    case .userActiveInOtherTab: useElsewhere(context)
    case .networkReturned: account.networkReturned(&context)
    case .used: break
    }
    return []
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    var (effects, deliveries) = renewingSession.answered(id, answer, &context)
    for delivery in deliveries where account.isFor(delivery.id) {
      effects += answered(delivery.answer, &context)
    }
    return effects
  }

  mutating func tick(_ context: inout FlowContext) -> [Effect] {
    renewingSession.tick(context) + account.tick(&context) + confirmIfStored(context)
  }
}
