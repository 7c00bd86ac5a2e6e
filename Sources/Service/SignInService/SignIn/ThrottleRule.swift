import SignInModel
import SignInRules

/// One counter and its limits.
struct ThrottleRule {
  /// The name of the limit in a refusal.
  let name: String
  let key: ThrottleKey
  private(set) var limits: [Throttle.Limit]
  /// Whether the count is only read, and not increased.
  let isRead: Bool
  /// The amount by which one message increases the count.
  var weight: Int64 = 1
  /// The value that distinguishes refusals for different numbers.
  ///
  /// It is empty for limits of the caller and for budgets.
  var subject = ""
  /// The required share of entered codes, and the key under which entered codes are counted.
  var conversionLimit: (stop: LowConversionStop, enteredKey: ThrottleKey)?

  /// The keys of all counts that the rule may read.
  var keys: [ThrottleKey] { [key] + (conversionLimit.map { [$0.enteredKey] } ?? []) }

  /// Whether the count belongs to many numbers.
  var isBudget: Bool { key.kind == .budget }

  mutating func keepShareForKnownDevices() {
    limits = limits.map { $0.withoutReservedShare(weight: weight) }
  }

  func hasLowConversion(
    _ sent: Throttle, at now: Instant, _ transaction: any ThrottleRecords
  ) throws(StoreFault) -> Bool {
    guard let conversionLimit else { return false }
    let seconds = LowConversionStop.windowSeconds
    let count = sent.count(at: now, inSeconds: seconds)
    guard count >= conversionLimit.stop.afterSent else { return false }
    let entered = try transaction.throttle(conversionLimit.enteredKey)
    return conversionLimit.stop.hasLowConversion(
      sent: count, entered: entered.count(at: now, inSeconds: seconds)
    )
  }

  func removeOccurrence(
    countedAt moment: Instant, _ transaction: any ThrottleRecords
  ) throws(StoreFault) {
    var throttle = try transaction.throttle(key)
    throttle.removeOccurrence(countedAt: moment)
    try transaction.save(
      throttle, for: key, quietFrom: throttle.quietFrom(moment, under: limits)
    )
  }

  func clear(_ transaction: any ThrottleRecords) throws(StoreFault) {
    try transaction.save(.quiet, for: key, quietFrom: Instant(milliseconds: 0))
  }
}

extension [ThrottleRule] {
  /// Takes back the occurrence that was counted at `moment`.
  func removeOccurrence(
    countedAt moment: Instant, _ transaction: any ThrottleRecords
  ) throws(StoreFault) {
    try transaction.prepareThrottles(map(\.key))
    for rule in self { try rule.removeOccurrence(countedAt: moment, transaction) }
  }
}
