public import SignInModel

/// How often something happened on one day.
///
/// It is stored for each combination of organizations that an account can belong to, so that an
/// account of two organizations is counted once. It names no account, so it is stored longer than
/// the records that it counts.
public struct DailyCount: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// Sessions that began.
    case signIns = "sign_ins"
    /// Wrong passwords, wrong and expired codes, and refused answers of identity providers.
    case failures
    /// Lockouts that began.
    case locks
    /// Codes that a messenger accepted, on the day when they were made.
    case codesSent = "codes_sent"
    /// Codes with a receipt, on the day when they were made.
    case codesDelivered = "codes_delivered"
    /// Right codes.
    case codesEntered = "codes_entered"
  }

  /// How long counts are stored, in days: as long as the costs of messages.
  public static let retentionDays = MessageCost.retentionDays

  /// The day in UTC.
  public let day: CalendarDay
  public let kind: Kind
  public let count: Int64

  public init(day: CalendarDay, kind: Kind, count: Int64) {
    self.day = day
    self.kind = kind
    self.count = count
  }
}

public protocol DailyCountRecords {
  /// Adds to the count of the organizations that the account has now.
  ///
  /// The account is nil if there is none.
  func count(
    _ kind: DailyCount.Kind, times: Int64, on day: CalendarDay, of account: AccountID?
  ) throws(StoreFault)
  /// The sums of these days, both included, in order of day and kind.
  ///
  /// If `organizations` is not nil, only accounts of at least one of them are counted.
  func dailyCounts(
    from first: CalendarDay, through last: CalendarDay, of organizations: [OrganizationID]?
  ) throws(StoreFault) -> [DailyCount]
  /// Removes at most `limit` records of days before this one, and returns how many.
  func removeDailyCounts(before day: CalendarDay, limit: Int) throws(StoreFault) -> Int
}

extension SecurityEvent.Code {
  /// The kind under which an event is counted, if it is counted.
  var dailyCount: DailyCount.Kind? {
    switch self {
    case .signInCompleted: .signIns
    case .passwordRefused, .codeRefused, .codeExpired, .providerRefused: .failures
    case .locked, .stopped: .locks
    case .codeAccepted, .resetWaiting: .codesEntered
    default: nil
    }
  }
}

extension OutboxMessage {
  /// The kinds under which this change of a message is counted.
  func dailyCounts(since before: OutboxMessage) -> [DailyCount.Kind] {
    guard kind == .code else { return [] }
    var kinds: [DailyCount.Kind] = []
    if state == .handedOver, before.state != .handedOver { kinds.append(.codesSent) }
    if receipt == .delivered, before.receipt != .delivered { kinds.append(.codesDelivered) }
    return kinds
  }
}
