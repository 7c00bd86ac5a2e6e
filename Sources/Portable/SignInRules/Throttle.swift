public import SignInModel

/// A rate limit: counts occurrences under one key and says when the next one is allowed (L-09,
/// L-16).
///
///     admitting ──limit reached in a window──▶ refusing ──oldest leaves the window──▶ admitting
///
/// It is not a lockout, which follows from wrong answers of one account. It is not a resend
/// cooldown, which separates two codes of one account. A rate limit bounds cost and volume for all
/// accounts together.
///
/// The window slides: any period as long as the window contains at most `count` occurrences.
public struct Throttle: Equatable, Sendable {
  /// At most `count` occurrences in any period of `windowSeconds` seconds.
  public struct Limit: Equatable, Sendable {
    public let count: Int64
    public let windowSeconds: Int64

    public init(_ count: Int64, inSeconds windowSeconds: Int64) {
      self.count = count
      self.windowSeconds = windowSeconds
    }

    public static let hourSeconds: Int64 = 60 * 60
    public static let daySeconds: Int64 = 24 * 60 * 60

    public static func hourly(_ count: Int64) -> Limit { Limit(count, inSeconds: hourSeconds) }
    public static func daily(_ count: Int64) -> Limit { Limit(count, inSeconds: daySeconds) }
  }

  /// A number of occurrences, the last one at this moment.
  public struct Tally: Equatable, Sendable {
    public let at: Instant
    public let count: Int64

    public init(at: Instant, count: Int64) {
      self.at = at
      self.count = count
    }
  }

  /// Up to this limit, each occurrence is stored separately and windows are exact to the
  /// millisecond.
  ///
  /// Above it, all occurrences in one sixty-fourth of the window are stored together, with the time
  /// of the last one. This can only refuse too much, never too little.
  public static let exactLimit: Int64 = 64

  /// The limit of a whole IPv6 site (the first 48 bits) is this many times the limit of one
  /// address.
  public static let siteShare: Int64 = 16

  /// The oldest first.
  public private(set) var tallies: [Tally]

  /// A throttle without any occurrence.
  public static let quiet = Throttle(tallies: [])

  /// Restores a stored state.
  public init(tallies: [Tally]) { self.tallies = tallies }
}

extension Throttle {
  /// The first moment when the next occurrence is within every limit, or `nil` if it is so now.
  ///
  /// The next occurrence counts as `weight`. The completed sign-ins of the address in `earned`
  /// raise the limits as long as they are in their window, so a limit can become lower with time.
  public func refusal(
    at now: Instant, under limits: [Limit], weight: Int64 = 1, earned: Throttle = .quiet
  ) -> Instant? {
    // The weight alone exceeds a limit, so no moment is right. One window is a usual time to wait.
    let tooLow = limits.filter { $0.count < weight }
    if !tooLow.isEmpty { return now.adding(seconds: Self.longestWindow(tooLow)) }
    var moment = now
    var isAdmitted = false
    while !isAdmitted {
      isAdmitted = true
      for limit in limits {
        guard let until = refusal(at: moment, under: limit, weight, earned) else { continue }
        (moment, isAdmitted) = (until, false)
      }
    }
    return moment == now ? nil : moment
  }

  private func refusal(
    at now: Instant, under limit: Limit, _ weight: Int64, _ earned: Throttle
  ) -> Instant? {
    func isWithin(_ count: Int64, at moment: Instant) -> Bool {
      let completed = earned.count(at: moment, inSeconds: Self.earningSeconds)
      return count.plusClamping(weight) <= limit.raised(byCompleted: completed).count
    }
    var left = count(at: now, inSeconds: limit.windowSeconds)
    guard !isWithin(left, at: now) else { return nil }
    for tally in tallies {
      let end = tally.at.adding(seconds: limit.windowSeconds)
      guard now < end else { continue }
      left -= tally.count
      if isWithin(left, at: end) { return end }
    }
    return nil
  }

  /// The number of occurrences in the last `windowSeconds` seconds.
  public func count(at now: Instant, inSeconds windowSeconds: Int64) -> Int64 {
    var total: Int64 = 0
    for tally in tallies where now < tally.at.adding(seconds: windowSeconds) {
      total = total.plusClamping(tally.count)
    }
    return total
  }

  /// Counts one occurrence with the given weight.
  public mutating func count(
    at now: Instant, under limits: [Limit], weight: Int64 = 1
  ) {
    let window = Self.longestWindow(limits)
    tallies.removeAll { now >= $0.at.adding(seconds: window) }
    if let last = tallies.last, Self.isMerging(limits) {
      let grain = max(1, window.timesClamping(1000) / Self.exactLimit)
      if last.at.milliseconds / grain == now.milliseconds / grain {
        tallies[tallies.count - 1] = Tally(at: now, count: last.count.plusClamping(weight))
        return
      }
    }
    tallies.append(Tally(at: now, count: weight))
  }

  /// Removes the occurrence that was counted at `moment`.
  public mutating func removeOccurrence(countedAt moment: Instant) {
    // If several occurrences are stored together, the first entry that is not older contains it.
    guard let index = tallies.firstIndex(where: { $0.at >= moment }) else { return }
    let tally = tallies[index]
    if tally.count == 1 {
      tallies.remove(at: index)
    } else {
      tallies[index] = Tally(at: tally.at, count: tally.count - 1)
    }
  }

  /// The moment from which no stored occurrence matters.
  public func quietFrom(_ now: Instant, under limits: [Limit]) -> Instant {
    guard let last = tallies.last else { return now }
    return last.at.adding(seconds: Self.longestWindow(limits))
  }

  private static func longestWindow(_ limits: [Limit]) -> Int64 {
    var longest: Int64 = 0
    for limit in limits { longest = max(longest, limit.windowSeconds) }
    return longest
  }

  private static func isMerging(_ limits: [Limit]) -> Bool {
    for limit in limits where limit.count > exactLimit { return true }
    return false
  }
}
