import SignInModel
import SignInWire

/// Decides when the person was away for too long, and what then protects the session.
struct AbsenceGuard: Equatable, Sendable {
  /// The person is warned this long before the session ends because it is idle.
  static let idleWarningSeconds: Int64 = 60

  /// How long the prompt for a new lock may hide the app without being an absence (L-30).
  ///
  /// Devices end such a prompt sooner. Without this limit, an app that is left with an open prompt
  /// would show its data after any time.
  static let promptSeconds: Int64 = 120

  enum Lock: Equatable, Sendable {
    /// The session has just begun, and no lock was offered yet.
    case notOffered
    case absent
    case beingSet
    case present
  }

  enum Verdict: Equatable, Sendable {
    /// The device's owner can unlock the app.
    case lock
    /// The server must confirm the session.
    ///
    /// The time-out has passed by the device's clock only, or another tab may have been visible
    /// since.
    case confirm
    case ended(Notice)
  }

  private(set) var lastActivity: LastActivity
  var lock: Lock

  init(_ lastActivity: LastActivity, lock: Lock) {
    (self.lastActivity, self.lock) = (lastActivity, lock)
  }

  var hasLock: Bool { lock == .present }

  /// Whether the person was away for too long.
  ///
  /// This is checked before each event, and before the event shows or hides the app.
  func judge<Page>(
    _ event: AppEvent<Page>, _ terms: TokenAnswer.SessionTerms, _ context: FlowContext
  ) -> Verdict? {
    let away = lastActivity.away(context)
    let timeout =
      lock == .beingSet
      ? max(terms.backgroundTimeout, Self.promptSeconds) : terms.backgroundTimeout
    if away.isSuspected(seconds: timeout) {
      if hasLock { return .lock }
      // The person may be active in another tab, so an end waits until this tab is visible.
      if terms.needsLock, isSeen(event, context) {
        let isCertain = !lastActivity.isShownStored && away.isCertain(seconds: timeout)
        return isCertain ? .ended(.session(.awayTooLong)) : .confirm
      }
    }
    let idle = lastActivity.sinceUsed(context)
    guard idle.isSuspected(seconds: terms.idleTimeout), isSeen(event, context) else {
      return nil
    }
    let isCertain = !context.isHidden && idle.isCertain(seconds: terms.idleTimeout)
    return isCertain ? .ended(.session(.idleTooLong)) : .confirm
  }

  private func isSeen<Page>(_ event: AppEvent<Page>, _ context: FlowContext) -> Bool {
    !context.isHidden || event.isDevice(.shown)
  }

  /// When the session ends because it is idle; `nil` if it is too early for a warning.
  func idleEnd(_ terms: TokenAnswer.SessionTerms, _ context: FlowContext) -> Instant? {
    // A third of a short time-out, so that the warning is not always visible.
    let notice = min(Self.idleWarningSeconds, terms.idleTimeout / 3)
    let passed = lastActivity.sinceUsed(context).suspectedMilliseconds
    guard lastActivity.isKnown, passed >= (terms.idleTimeout - notice) * 1000 else { return nil }
    return context.now.adding(milliseconds: terms.idleTimeout * 1000 - passed)
  }

  // MARK: Visibility and use

  /// Records what the event says about the person.
  ///
  /// While the idle warning is shown, only a press or typed text counts as use.
  mutating func observe<Page>(
    _ event: AppEvent<Page>, isWarned: Bool, _ context: inout FlowContext
  ) {
    if case .device(let event) = event {
      observe(event, isWarned: isWarned, &context)
    } else if event.isUse {
      use(&context)
    } else if case .home(let event) = event, event.isUse {
      observe(.used, isWarned: isWarned, &context)
    } else {
      stay(context)
    }
  }

  private mutating func observe(
    _ event: DeviceEvent, isWarned: Bool, _ context: inout FlowContext
  ) {
    switch event {
    case .hidden: lastActivity.hide(context)
    case .shown: lastActivity.show(context)
    case .userActiveInOtherTab: lastActivity.use(context)
    case .used: if !isWarned { use(&context) }
    case .networkReturned: stay(context)
    }
  }

  mutating func use(_ context: inout FlowContext) {
    context.use()
    lastActivity.use(context)
  }

  private mutating func stay(_ context: FlowContext) {
    if !context.isHidden { lastActivity.show(context) }
  }

  /// Records that the device has verified its owner, although the app may be hidden again by now.
  mutating func lockSet(_ context: inout FlowContext) {
    lock = .present
    context.restartHiddenTime()
    lastActivity.use(context)
  }

  /// Clears the times, because another session replaced this one and its last use is not known.
  ///
  /// The lock of the device still protects the session, so the time of an absence remains with it.
  mutating func forget() {
    if hasLock { lastActivity.forgetUse() } else { lastActivity.forget() }
  }

  /// Stores the times beside this session, if they must be stored now.
  mutating func store(of session: SessionID, force: Bool, _ context: FlowContext) -> [Effect] {
    lastActivity.store(context, of: session, force: force)
  }
}
