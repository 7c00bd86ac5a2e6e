public import SignInModel

/// Counts what happened under one name, and tells when once more would be too often (L-09, L-16).
///
///     admitting ──limit reached in a window──▶ refusing ──the oldest leaves it──▶ admitting
///
/// It is neither a lockout, which an account's wrong answers lead to, nor a cooldown, which spaces
/// two codes of one account: a throttle bounds cost and volume, whoever the messages are for.
///
/// The window slides: in no stretch of time as long as the window are there more than the limit.
public struct Throttle: Equatable, Sendable {
  /// So many in any stretch of so many seconds.
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

  /// How many happened, the last of them at this moment.
  public struct Tally: Equatable, Sendable {
    public let at: Instant
    public let count: Int64

    public init(at: Instant, count: Int64) {
      self.at = at
      self.count = count
    }
  }

  /// Under limits up to this one each occurrence is remembered by itself, and windows end to the
  /// millisecond.
  ///
  /// Under a larger one those of one sixty-fourth of the window are remembered as if all had
  /// happened when the last of them did, which errs towards refusing.
  public static let exactLimit: Int64 = 64

  /// How many times the limit of one address a whole IPv6 site has (the first 48 bits).
  public static let siteShare: Int64 = 16

  /// Oldest first.
  public private(set) var tallies: [Tally]

  /// Nothing happened lately.
  public static let quiet = Throttle(tallies: [])

  /// Restores what a store kept.
  public init(tallies: [Tally]) { self.tallies = tallies }
}

extension Throttle {
  /// When once more will be within every limit, or nil when it is so now.
  ///
  /// Once more counts as much as `weight`.
  public func refusal(
    at now: Instant, under limits: [Limit], weight: Int64 = 1
  ) -> Instant? {
    var latest: Instant?
    for limit in limits {
      guard let until = refusal(at: now, under: limit, weight) else { continue }
      if let known = latest, until < known { continue }
      latest = until
    }
    return latest
  }

  private func refusal(at now: Instant, under limit: Limit, _ weight: Int64) -> Instant? {
    // Too much for the limit alone: asking again after a window is as good as any time.
    guard limit.count >= weight else { return now.adding(seconds: limit.windowSeconds) }
    var left = count(at: now, inSeconds: limit.windowSeconds)
    for tally in tallies where left.plusClamping(weight) > limit.count {
      let end = tally.at.adding(seconds: limit.windowSeconds)
      guard now < end else { continue }
      left -= tally.count
      if left.plusClamping(weight) <= limit.count { return end }
    }
    return nil
  }

  /// How many happened in the last so many seconds.
  public func count(at now: Instant, inSeconds windowSeconds: Int64) -> Int64 {
    var total: Int64 = 0
    for tally in tallies where now < tally.at.adding(seconds: windowSeconds) {
      total = total.plusClamping(tally.count)
    }
    return total
  }

  /// It happened once more, which counts as `weight`.
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

  /// What was counted at `moment` is not held against anybody any more.
  public mutating func takeBack(countedAt moment: Instant) {
    // Where several were remembered as one, it is the first that is not older.
    guard let index = tallies.firstIndex(where: { $0.at >= moment }) else { return }
    let tally = tallies[index]
    if tally.count == 1 {
      tallies.remove(at: index)
    } else {
      tallies[index] = Tally(at: tally.at, count: tally.count - 1)
    }
  }

  /// From this moment on nothing that was counted matters.
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
