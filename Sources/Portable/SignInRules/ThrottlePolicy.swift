/// How often one network address, and one device, may try (standards: 10 sends and 30 failures an
/// hour for each address, 5 sends for each device key).
public struct ThrottlePolicy: Equatable, Sendable {
  public var addressSendsPerHour: Int64 = 10
  public var addressFailuresPerHour: Int64 = 30
  public var deviceSendsPerHour: Int64 = 5

  public init() {}

  public var addressSends: [Throttle.Limit] { [.hourly(addressSendsPerHour)] }
  public var addressFailures: [Throttle.Limit] { [.hourly(addressFailuresPerHour)] }
  public var deviceSends: [Throttle.Limit] { [.hourly(deviceSendsPerHour)] }
}

/// How many messages one app may send, by whom they are for (L-16).
public struct MessageBudget: Equatable, Sendable {
  public var perNumberPerHour: Int64 = 5
  public var perNumberPerDay: Int64 = 10
  /// A prefix is a number without its last four digits: pumping walks through such blocks.
  public var perPrefixPerDay: Int64 = 1000
  public var perOrganizationPerDay: Int64 = 5000
  /// All messages of the app together.
  public var perDay: Int64 = 10_000
  /// What they may cost in a day, in millionths of the operator's currency.
  public var pricePerDay: Int64 = 1_000_000_000
  public var brake = ConversionBrake()

  public init() {}

  /// One part in so many of a budget of a day is kept for devices that signed in before.
  public static let shareOfKnownDevices: Int64 = 10
  /// A budget for fewer messages is not divided.
  public static let leastDividedBudget: Int64 = 100

  public var number: [Throttle.Limit] { [.hourly(perNumberPerHour), .daily(perNumberPerDay)] }
  public var prefix: [Throttle.Limit] { [.daily(perPrefixPerDay)] }
  public var organization: [Throttle.Limit] { [.daily(perOrganizationPerDay)] }
  public var client: [Throttle.Limit] { [.daily(perDay)] }
  public var price: [Throttle.Limit] { [.daily(pricePerDay)] }
}

extension Throttle.Limit {
  /// What is left of a budget for unknown devices, where a message counts as much as `weight`.
  public func leavingShare(weight: Int64 = 1) -> Throttle.Limit {
    guard count / max(1, weight) >= MessageBudget.leastDividedBudget else { return self }
    let share = count / MessageBudget.shareOfKnownDevices
    return Throttle.Limit(count - share, inSeconds: windowSeconds)
  }
}
