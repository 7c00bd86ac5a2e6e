public import SignInModel

/// Decides which of many equal refusals are reported one by one (L-41).
///
///     first refusal ──▶ reported at once ──▶ counted for an hour ──▶ reported as one, with a count
///
/// A caller without credentials can be refused as often as it likes. Each source leaves one report
/// an hour at most for each kind of refusal, and no refusal is left out of the counts.
public struct RepeatedRefusals: Equatable, Sendable {
  /// Refusals in this time after a report are counted, not reported.
  public static let windowSeconds: Int64 = 60 * 60

  /// When the last report was made.
  public private(set) var reportedAt: Instant
  /// Refusals since the last report.
  public private(set) var unreported: Int64

  /// The first refusal, reported at `moment`, or a state that a store kept.
  public init(reportedAt moment: Instant, unreported: Int64 = 0) {
    reportedAt = moment
    self.unreported = unreported
  }

  /// Whether the refusals that were counted may be reported now.
  public func isDue(at now: Instant) -> Bool {
    now >= reportedAt.adding(seconds: Self.windowSeconds)
  }

  /// Counts one more refusal.
  ///
  /// - Returns: How many refusals to report now, this one included, or nil to report none.
  public mutating func count(at now: Instant) -> Int64? {
    if unreported < .max { unreported += 1 }
    guard isDue(at: now) else { return nil }
    defer { self = RepeatedRefusals(reportedAt: now) }
    return unreported
  }
}
