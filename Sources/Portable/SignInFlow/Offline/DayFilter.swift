public import SignInEngine
public import SignInModel
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

/// A filter that words of the search name, such as the status of a warranty.
struct NamedFilter: Equatable, Sendable {
  /// A shorter word names no filter, because most names contain it.
  static let shortestWord = 3

  /// Folded, with a space between two.
  let words: [UInt8]
  let filter: DayFilter

  init(_ words: String, _ filter: DayFilter) {
    self.words = FoldedText.fold(words)
    self.filter = filter
  }

  /// Whether one of the words begins with this one.
  func isNamed(by word: ArraySlice<UInt8>) -> Bool {
    word.count >= Self.shortestWord
      && words.split(separator: 0x20).contains { $0.starts(with: word) }
  }
}

extension WarrantyStatus {
  /// The words of the badge; empty for a status that has no filter.
  public func searchedWords(in language: Language) -> String {
    switch (self, language) {
    case (.active, _): ""
    case (.expiring, .english): "expiring soon"
    case (.expiring, .hindi): "जल्द खत्म होगी"
    case (.expiring, .norwegian): "utløper snart"
    case (.expired, .english): "expired"
    case (.expired, .hindi): "खत्म हो चुकी"
    case (.expired, .norwegian): "utløpt"
    }
  }

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
