/// Whether the app is visible, and the last time that it was not.
///
///     visible ──hidden──▶ hidden since ──shown, used──▶ visible, after an absence
///
/// This is the only record of it. A session that must know how long the person was away computes
/// that from these moments.
struct Visibility: Equatable, Sendable {
  /// Since when the app is hidden and unused; `nil` while it is visible.
  private(set) var hiddenAt: LastActivity.ClockReadings?
  /// When the app was last visible before it was hidden.
  ///
  /// The value is `nil` while the app is visible, if it was opened in the background, or if another
  /// tab was used since.
  private(set) var lastVisible: LastActivity.ClockReadings?
  /// When the absence began that the last `show` ended; `nil` if it ended none.
  private(set) var absentSince: LastActivity.ClockReadings?
  /// Whether the app was ever visible.
  private var wasVisible = false

  /// Records that storage has been read.
  ///
  /// An app that is hidden at that moment was opened in the background, and no person has seen it.
  mutating func opened() { if hiddenAt == nil { wasVisible = true } }

  mutating func hide(at now: LastActivity.ClockReadings) {
    guard hiddenAt == nil else { return }
    hiddenAt = now
    lastVisible = wasVisible ? now : nil
  }

  mutating func show() {
    (absentSince, hiddenAt, lastVisible) = (hiddenAt, nil, nil)
    wasVisible = true
  }

  /// Restarts the hidden time, because the person was active just now although the app is hidden.
  mutating func restartHiddenTime(at now: LastActivity.ClockReadings) {
    if hiddenAt != nil { (hiddenAt, lastVisible) = (now, nil) }
  }
}
