/// How a warranty stands on a day: both ends decide it by this one rule, so that a card that was
/// read long ago tells the truth of today (O-02).
public enum WarrantyStatus: String, CaseIterable, Sendable {
  case active
  /// It ends within `expiringDays`, today included.
  case expiring
  case expired

  public static let expiringDays: Int64 = 30

  /// `last` is the last day of the warranty; nil for one without an end.
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
