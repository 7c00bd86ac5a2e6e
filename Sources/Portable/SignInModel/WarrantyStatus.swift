/// The status of a warranty on one day.
///
/// Server and client both use this rule, so an offline copy shows the status of today (O-02).
public enum WarrantyStatus: String, CaseIterable, Sendable {
  case active
  /// The warranty ends within `expiringDays`, counted from today.
  case expiring
  case expired

  public static let expiringDays: Int64 = 30

  /// `last` is the last day of the warranty.
  ///
  /// It is `nil` for a warranty without an end.
  public init(expiresOn last: CalendarDay?, on today: CalendarDay) {
    guard let last else {
      self = .active
      return
    }
    if last < today {
      self = .expired
    } else {
      self = last.number - today.number <= Self.expiringDays ? .expiring : .active
    }
  }
}
