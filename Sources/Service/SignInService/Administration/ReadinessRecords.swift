public import SignInModel

/// The limits of the readiness check.
public enum ReadinessLimits {
  /// A result is reused for this time, for any number of callers.
  public static let pauseMilliseconds: Int64 = 1000
  /// The size of the record that a check writes.
  ///
  /// It is larger than what any single decision adds to the database.
  public static let recordBytes: Int64 = 32 << 10
}

public protocol ReadinessRecords {
  /// Replaces the record of the last check with a new one of `ReadinessLimits.recordBytes`.
  ///
  /// - Throws: A fault if a decision could not be recorded now.
  func saveReadiness(at now: Instant) throws(StoreFault)

  /// The time of the database, or `nil` if the store uses no clock but that of this server.
  func databaseTime() throws(StoreFault) -> Instant?
}
