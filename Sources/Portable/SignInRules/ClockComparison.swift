public import SignInModel

/// One reading of the clock of a database, between two readings of the clock of a server.
///
/// The answer of the database takes some time. So the comparison knows only a range for the
/// difference, which is as wide as that time. A slow answer never proves a difference.
public struct ClockComparison: Equatable, Sendable {
  /// The largest difference with which a server may work.
  public static let limitMilliseconds: Int64 = 1000

  private let before: Instant
  private let database: Instant
  private let after: Instant

  /// - Parameters:
  ///   - before: The time of the server when it began to ask.
  ///   - database: The answer of the database.
  ///   - after: The time of the server when it had the answer.
  public init(before: Instant, database: Instant, after: Instant) {
    self.before = before
    self.database = database
    self.after = after
  }

  /// By how many milliseconds the server is ahead of the database at least.
  ///
  /// It is negative if the server is behind, and 0 if the two clocks may show the same time.
  public var leastLeadMilliseconds: Int64 {
    if before > database { return before.milliseconds.minusClamping(database.milliseconds) }
    if after < database { return after.milliseconds.minusClamping(database.milliseconds) }
    return 0
  }

  public var isWithinLimit: Bool {
    (-Self.limitMilliseconds...Self.limitMilliseconds).contains(leastLeadMilliseconds)
  }

  /// The difference as a sentence for an operator.
  public var text: String {
    let lead = leastLeadMilliseconds
    return "the clock of this server is \(lead.magnitude) ms "
      + (lead < 0 ? "behind" : "ahead of") + " the clock of the database"
  }
}
