import SignInModel
import SignInWire

/// Items with a day in a range, both ends included.
///
/// Days as text, such as `2026-11-21`, have the same order as the days themselves.
struct DayFilter: Equatable, Sendable {
  /// The index of the field with the day.
  let field: Int
  /// Empty if the range has no beginning.
  let first: [UInt8]
  let last: [UInt8]

  init(field: Int, from first: CalendarDay?, through last: CalendarDay) {
    self.field = field
    self.first = first.map { Array($0.text.utf8) } ?? []
    self.last = Array(last.text.utf8)
  }

  /// An item without a day is outside of every range.
  func contains(_ day: ArraySlice<UInt8>) -> Bool {
    !day.isEmpty && !day.lexicographicallyPrecedes(first) && !last.lexicographicallyPrecedes(day)
  }
}

extension WarrantyStatus {
  /// The products with this status today; `nil` for active ones, which may have no last day.
  func filter(on today: CalendarDay) -> DayFilter? {
    let field = ProductEntry.warrantyFieldIndex
    switch self {
    case .active: return nil
    case .expiring:
      return DayFilter(
        field: field, from: today, through: today.adding(days: Self.expiringDays))
    case .expired: return DayFilter(field: field, from: nil, through: today.adding(days: -1))
    }
  }
}
