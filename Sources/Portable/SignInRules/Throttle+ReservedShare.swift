extension Throttle.Limit {
  /// One part in this many of a daily budget is reserved for known devices.
  private static let shareOfKnownDevices: Int64 = 10
  /// A smaller budget is not divided.
  private static let leastDividedBudget: Int64 = 100

  /// The part of a budget that unknown devices may use.
  ///
  /// One message counts as `weight`.
  public func withoutReservedShare(weight: Int64 = 1) -> Throttle.Limit {
    guard count / max(1, weight) >= Self.leastDividedBudget else { return self }
    return Throttle.Limit(count - count / Self.shareOfKnownDevices, inSeconds: windowSeconds)
  }
}
