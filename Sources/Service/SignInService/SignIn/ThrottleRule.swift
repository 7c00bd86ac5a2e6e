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

  /// The key of the completed sign-ins that raise the limits of a network address.
  var earnedKey: ThrottleKey?

  /// The keys of all counts that the rule may read.
  var keys: [ThrottleKey] {
    [key] + [conversionLimit?.enteredKey, earnedKey].compactMap { $0 }
  }

  /// Whether the count belongs to many numbers.
  var isBudget: Bool { key.kind == .budget }

  mutating func keepShareForKnownDevices() {
    limits = limits.map { $0.withoutReservedShare(weight: weight) }
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
    try transaction.prepareThrottles(flatMap(\.keys))
    for rule in self { try rule.removeOccurrence(countedAt: moment, transaction) }
  }
}

/// A rule with the counts that it reads.
struct CountedRule {
  let rule: ThrottleRule
  private(set) var throttle: Throttle
  /// The completed sign-ins of the network address.
  private let earned: Throttle
  /// The entered codes of the number's prefix.
  private let entered: Throttle

  /// Takes the counts of the rule's keys; a missing one is quiet.
  init(_ rule: ThrottleRule, _ counts: [ThrottleKey: Throttle]) {
    func count(_ key: ThrottleKey?) -> Throttle { key.flatMap { counts[$0] } ?? .quiet }
    self.rule = rule
    throttle = count(rule.key)
    earned = count(rule.earnedKey)
    entered = count(rule.conversionLimit?.enteredKey)
  }

  mutating func count(at now: Instant) {
    guard !rule.isRead else { return }
    throttle.count(at: now, under: rule.limits, weight: rule.weight)
  }

  /// The moment when the limits admit the request, or `nil` if they do so now.
  func refusal(at now: Instant) -> Instant? {
    throttle.refusal(at: now, under: rule.limits, weight: rule.weight, earned: earned)
  }

  /// The moment when enough codes were entered, or `nil` if it is so now.
  func conversionStop(at now: Instant) -> Instant? {
    rule.conversionLimit?.stop.end(at: now, sent: throttle, entered: entered)
  }

  /// Whether one message alone exceeds a limit.
  fileprivate var admitsNothing: Bool { rule.limits.contains { $0.count < rule.weight } }
}

extension [CountedRule] {
  /// The rule that refuses the request for the longest time; `nil` if all limits admit it.
  func refusing(at now: Instant) -> ThrottleRule? {
    var latest: (until: Instant, rule: ThrottleRule)?
    for counted in self {
      guard let until = counted.refusal(at: now) else { continue }
      if let latest, until <= latest.until { continue }
      latest = (until, counted.rule)
    }
    return latest?.rule
  }

  /// The first moment when every rule admits the request, if nothing more is counted until then.
  ///
  /// The last of the rules' own moments is not always right: until then, a limit can have become
  /// lower, because completed sign-ins or entered codes have left their window.
  func firstAdmission(from now: Instant) -> Instant {
    let hopeless = filter(\.admitsNothing).compactMap { $0.refusal(at: now) }
    let possible = filter { !$0.admitsNothing }
    var moment = hopeless.max() ?? now
    while let later = possible.compactMap({ $0.laterAdmission(than: moment) }).max() {
      moment = later
    }
    return moment
  }
}

extension CountedRule {
  fileprivate func laterAdmission(than moment: Instant) -> Instant? {
    [refusal(at: moment), conversionStop(at: moment)].compactMap { $0 }.max()
  }
}
