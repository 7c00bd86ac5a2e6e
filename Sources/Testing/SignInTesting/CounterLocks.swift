internal import SignInService

/// The locks of counters that a decision would take in a shared database.
///
/// All decisions must take them in one order. Otherwise two decisions can wait for each other.
struct CounterLocks {
  private var throttles: Set<ThrottleKey> = []
  private var refusals: RefusalSource?

  /// Locks those counters of rate limits that the decision has not locked yet.
  ///
  /// - Returns: `false` if a lock that comes later in the order was taken before.
  mutating func take(_ keys: [ThrottleKey]) -> Bool {
    let new = Set(keys).subtracting(throttles)
    guard let first = new.min() else { return true }
    let isInOrder = refusals == nil && throttles.allSatisfy { $0 < first }
    throttles.formUnion(new)
    return isInOrder
  }

  /// Locks the count of refusals of one source.
  ///
  /// - Returns: `false` if the decision has locked another one, because their order is not defined.
  mutating func take(_ source: RefusalSource) -> Bool {
    defer { refusals = source }
    return refusals == nil || refusals == source
  }
}
