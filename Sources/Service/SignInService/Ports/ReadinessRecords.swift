public import SignInModel

/// The numbers of readiness.
public enum ReadinessLimits {
  /// A check is not repeated before this time has passed, however many callers ask.
  public static let restMilliseconds: Int64 = 1000
  /// What a check writes: more than any one decision adds to the database.
  public static let recordBytes: Int64 = 32 << 10
}

public protocol ReadinessRecords {
  /// Writes a record of `ReadinessLimits.recordBytes` in place of the one before; it faults where
  /// a decision could not be recorded.
  func saveReadiness(at now: Instant) throws(StoreFault)
}
