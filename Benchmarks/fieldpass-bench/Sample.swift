import Glibc

/// Durations in seconds, with their statistics.
struct Sample: Sendable {
  private(set) var seconds: [Double] = []

  var count: Int { seconds.count }

  mutating func add(_ duration: Double) { seconds.append(duration) }
  mutating func add(_ other: Sample) { seconds += other.seconds }

  /// The smallest duration that `share` of all do not exceed (nearest rank), or 0 without
  /// durations.
  func quantile(_ share: Double) -> Double {
    guard !seconds.isEmpty else { return 0 }
    let rank = Int((share * Double(count)).rounded(.up))
    return seconds.sorted()[min(max(rank, 1), count) - 1]
  }

  var total: Double { seconds.reduce(0, +) }

  var median: Double { quantile(0.5) }

  /// The probability of a difference at least as large as between these two, if both came from one
  /// source (two-sided Kolmogorov–Smirnov test, asymptotic).
  func kolmogorovSmirnov(_ other: Sample) -> Double {
    let left = seconds.sorted()
    let right = other.seconds.sorted()
    guard !left.isEmpty, !right.isEmpty else { return 1 }
    var distance = 0.0
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      let next = min(left[i], right[j])
      while i < left.count, left[i] <= next { i += 1 }
      while j < right.count, right[j] <= next { j += 1 }
      let gap = Double(i) / Double(left.count) - Double(j) / Double(right.count)
      distance = max(distance, abs(gap))
    }
    let size = Double(left.count * right.count) / Double(left.count + right.count)
    return Self.survival((size.squareRoot() + 0.12 + 0.11 / size.squareRoot()) * distance)
  }

  /// The Kolmogorov distribution's upper tail.
  private static func survival(_ x: Double) -> Double {
    // Below this value the series alternates too slowly, and the result is 1 to ten digits.
    guard x > 0.2 else { return 1 }
    var sum = 0.0
    for k in 1...100 {
      let term = exp(-2 * Double(k * k) * x * x)
      sum += k % 2 == 1 ? term : -term
    }
    return min(max(2 * sum, 0), 1)
  }
}
