public import SignInModel

/// Whether something is valid on a day.
///
/// The server and the app use the same rule with the person's day. So a copy without a network
/// shows the status of today.
public enum ExpiryStatus: String, CaseIterable, Sendable {
  case valid
  /// It expires within the days of its field, counted from today.
  case expiring
  case expired

  /// `last` is the last day on which it is valid; `nil` if it does not expire.
  public init(last: CalendarDay?, on today: CalendarDay, warnDays: Int64) {
    guard let last else {
      self = .valid
      return
    }
    if last < today {
      self = .expired
    } else {
      self = last.number - today.number <= warnDays ? .expiring : .valid
    }
  }

  public var tone: ValueTone {
    switch self {
    case .valid: .good
    case .expiring: .warning
    case .expired: .bad
    }
  }
}

extension FieldDefinition {
  /// The status of a value of this expiry on a day.
  public func status(of value: FieldValue?, on today: CalendarDay) -> ExpiryStatus {
    ExpiryStatus(
      last: value?.day, on: today, warnDays: warnDays ?? CollectionLimits.usualWarnDays)
  }

  /// The days whose values have another status on `today` than on the day `earlier`, so that a
  /// change feed can name their records.
  public func lastDaysWithOtherStatus(
    since earlier: CalendarDay, on today: CalendarDay
  ) -> [ClosedRange<CalendarDay>] {
    guard earlier < today else { return [] }
    let lead = warnDays ?? CollectionLimits.usualWarnDays
    return [
      earlier...today.adding(days: -1),
      earlier.adding(days: lead + 1)...today.adding(days: lead),
    ]
  }
}
