import SignInModel

/// What a field contains, and so how it is checked, stored, searched and shown.
///
/// A new type is a case here and a row in `FieldDefinition.visit`, `FieldDefinition.read`,
/// `FieldDefinition.remedy` and `FieldValue.init(stored:of:)`.
public enum FieldType: String, CaseIterable, Sendable {
  /// One line.
  case text
  case lines
  case integer
  case decimal
  case yesNo = "yes_no"
  case date
  case time
  case choice
  /// The last day on which something is valid, with a badge that depends on the day.
  case expiry
  case phone
  case email
  case place
  case link
  /// A file of the record, which is not among its values.
  case photo
  /// The id of a record of another collection.
  case record

  public init?(rawValue: String) {
    guard let type = Self.first(named: rawValue) else { return nil }
    self = type
  }

  /// What a screen offers beside the value.
  public var offer: FieldAction? {
    switch self {
    case .phone: .call
    case .email: .write
    case .place: .directions
    case .link: .open
    case .record: .show
    case .text, .lines, .integer, .decimal, .yesNo, .date, .time, .choice, .expiry, .photo: nil
    }
  }

  /// Whether a record has the field among its values.
  public var isValue: Bool { self != .photo }

  static func types(_ isIncluded: (FieldType) -> Bool) -> [FieldType] {
    allCases.filter(isIncluded)
  }

  /// The types that name a record; of a text of several lines, the first one does.
  static let titles = types { ![.yesNo, .photo, .record].contains($0) }
  static let badges: [FieldType] = [.choice, .expiry]
  /// The types in whose values the words of a search are looked for.
  static let searched: [FieldType] = [
    .text, .lines, .integer, .choice, .phone, .email, .place, .link,
  ]
  /// The types that a person can fill in together with a choice.
  static let asked = types { $0.isValue }
}

/// What a screen offers beside a value.
public enum FieldAction: Sendable {
  case call
  case write
  case directions
  case open
  /// Opens the page of the other record.
  case show
}
