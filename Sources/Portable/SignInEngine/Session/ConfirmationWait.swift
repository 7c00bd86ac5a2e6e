/// How the person waits while the server confirms the session.
///
/// The clocks used here cannot be set on the device. Waiting for a network does not count as
/// absence.
struct ConfirmationWait: Equatable, Sendable {
  /// When the person began to wait, in milliseconds of the monotonic clock; `nil` if no person is
  /// known to wait.
  private var start: Int64?
  /// The longest time that the app stayed hidden during the wait.
  private var absenceMilliseconds: Int64 = 0
  /// When the app was shown again after it was hidden the last time.
  private var shownAgainAt: LastActivity.ClockReadings?

  mutating func begin(_ context: FlowContext) {
    start = context.isHidden ? nil : context.clockReadings.steady
    absenceMilliseconds = 0
  }

  mutating func show(_ context: FlowContext) {
    guard start != nil else {
      start = context.clockReadings.steady
      return
    }
    guard let began = context.time.visibility.absentSince else { return }
    let absence = LastActivity.elapsed(from: began, context).certainMilliseconds
    absenceMilliseconds = max(absenceMilliseconds, absence)
    shownAgainAt = context.clockReadings
  }

  /// Forgets the absence, because the person was verified in another tab.
  mutating func forgetAbsence() { absenceMilliseconds = 0 }

  /// Whether another tab has shown the session since the app was shown again.
  func isSeenElsewhere(_ lastActivity: LastActivity, _ context: FlowContext) -> Bool {
    guard let shownAgainAt else { return false }
    let since = LastActivity.elapsed(from: shownAgainAt, context).suspectedMilliseconds
    return lastActivity.sinceShown(context).suspectedMilliseconds < since
  }

  /// How long the person was away, in milliseconds: before the app was opened, or while it was
  /// hidden.
  ///
  /// `unseen` is the time since the app was last visible before the wait.
  func away(_ unseen: Int64, _ context: FlowContext) -> Int64 {
    guard let start, let now = context.clockReadings.steady else { return unseen }
    return max(unseen - (now - start), absenceMilliseconds)
  }
}
