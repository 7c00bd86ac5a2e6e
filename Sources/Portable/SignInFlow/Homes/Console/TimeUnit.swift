import SignInEngine

/// The units in which an administrator enters a time of a policy.
public enum TimeUnit: String, Sendable, CaseIterable {
  case seconds
  case minutes
  case hours
  case days

  public var seconds: Int64 {
    switch self {
    case .seconds: 1
    case .minutes: 60
    case .hours: 60 * 60
    case .days: 24 * 60 * 60
    }
  }

  /// The largest unit in which the time is a whole number.
  public init(expressing seconds: Int64) {
    var largest = TimeUnit.seconds
    for unit in Self.allCases where seconds != 0 && seconds % unit.seconds == 0 { largest = unit }
    self = largest
  }
}
