/// The rate limits of one network address and of one device.
///
/// The defaults are 10 sends and 30 failures per hour for each address, and 5 sends per hour for
/// each device key.
public struct ThrottlePolicy: Equatable, Sendable {
  public var addressSendsPerHour: Int64 = 10
  public var addressFailuresPerHour: Int64 = 30
  public var deviceSendsPerHour: Int64 = 5

  public init() {}

  public var addressSends: [Throttle.Limit] { [.hourly(addressSendsPerHour)] }
  public var addressFailures: [Throttle.Limit] { [.hourly(addressFailuresPerHour)] }
  public var deviceSends: [Throttle.Limit] { [.hourly(deviceSendsPerHour)] }
}

/// The most messages that one app may send, by destination (L-16).
public struct MessageBudget: Equatable, Sendable {
  public var perNumberPerHour: Int64 = 5
  public var perNumberPerDay: Int64 = 10
  /// A prefix is a number without its last four digits.
  ///
  /// SMS pumping uses such blocks of numbers.
  public var perPrefixPerDay: Int64 = 1000
  public var perOrganizationPerDay: Int64 = 5000
  /// All messages of the app together.
  public var perDay: Int64 = 10_000
  /// The most that messages may cost per day, in millionths of the operator's currency.
  public var pricePerDay: Int64 = 1_000_000_000
  public var brake = LowConversionStop()

  public init() {}

  /// One part in this many of a daily budget is reserved for known devices.
  public static let shareOfKnownDevices: Int64 = 10
  /// A smaller budget is not divided.
  public static let leastDividedBudget: Int64 = 100

  public var number: [Throttle.Limit] { [.hourly(perNumberPerHour), .daily(perNumberPerDay)] }
  public var prefix: [Throttle.Limit] { [.daily(perPrefixPerDay)] }
  public var organization: [Throttle.Limit] { [.daily(perOrganizationPerDay)] }
  public var client: [Throttle.Limit] { [.daily(perDay)] }
  public var price: [Throttle.Limit] { [.daily(pricePerDay)] }
}

extension Throttle.Limit {
  /// The part of a budget that unknown devices may use.
  ///
  /// One message counts as `weight`.
  public func withoutReservedShare(weight: Int64 = 1) -> Throttle.Limit {
    guard count / max(1, weight) >= MessageBudget.leastDividedBudget else { return self }
    let share = count / MessageBudget.shareOfKnownDevices
    return Throttle.Limit(count - share, inSeconds: windowSeconds)
  }
}
