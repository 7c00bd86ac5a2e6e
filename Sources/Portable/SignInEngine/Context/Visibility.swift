/// Whether the app is visible, and the last time that it was not.
///
///     visible ──hidden──▶ hidden since ──shown, used──▶ visible, after an absence
///
/// This is the only record of it. A session that must know how long the person was away computes
/// that from these moments.
struct Visibility: Equatable, Sendable {
  /// Since when the app is hidden and unused; `nil` while it is visible.
  private(set) var hiddenAt: LastActivity.ClockReadings?
  /// When the absence began that the last `show` ended; `nil` if it ended none.
  private(set) var absentSince: LastActivity.ClockReadings?

  mutating func hide(at now: LastActivity.ClockReadings) { hiddenAt = hiddenAt ?? now }

  mutating func show() { (absentSince, hiddenAt) = (hiddenAt, nil) }

  /// Restarts the hidden time, because the person was active just now although the app is hidden.
  mutating func restartHiddenTime(at now: LastActivity.ClockReadings) {
    if hiddenAt != nil { hiddenAt = now }
  }
}
