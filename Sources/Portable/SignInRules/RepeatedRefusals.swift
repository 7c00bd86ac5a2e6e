public import SignInModel

/// Decides which of many equal refusals are reported one by one (L-41).
///
///     first refusal ──▶ reported at once ──▶ counted for an hour ──▶ reported as one, with a count
///
/// A caller without credentials can cause any number of refusals. Each source causes at most one
/// report per hour for each kind of refusal, and the counts include every refusal.
public struct RepeatedRefusals: Equatable, Sendable {
  /// Refusals in this time after a report are counted but not reported.
  public static let windowSeconds: Int64 = 60 * 60

  /// The time of the last report.
  public private(set) var reportedAt: Instant
  /// Refusals since the last report.
  public private(set) var unreported: Int64

  /// The first refusal, reported at `moment`, or a restored state.
  public init(reportedAt moment: Instant, unreported: Int64 = 0) {
    reportedAt = moment
    self.unreported = unreported
  }

  /// Whether the counted refusals may be reported now.
  public func isDue(at now: Instant) -> Bool {
    now >= reportedAt.adding(seconds: Self.windowSeconds)
  }

  /// Counts one refusal.
  ///
  /// - Returns: How many refusals to report now, including this one, or `nil` to report none.
  public mutating func count(at now: Instant) -> Int64? {
    if unreported < .max { unreported += 1 }
    guard isDue(at: now) else { return nil }
    defer { self = RepeatedRefusals(reportedAt: now) }
    return unreported
  }
}
