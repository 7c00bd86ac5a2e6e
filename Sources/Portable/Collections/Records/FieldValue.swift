public import JSONText
public import SignInModel

/// The value of a field.
///
/// It has the same form in storage, in answers and in requests.
public enum FieldValue: Sendable {
  /// A text, a phone number in E.164 form, an address, a link, a value of a choice or an id.
  case text(String)
  case integer(Int64)
  case decimal(DecimalNumber)
  case flag(Bool)
  case day(CalendarDay)
  case time(Instant)

  /// A number for numbers and times (Unix seconds), `true` or `false`, and a text for all others.
  public var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .integer(let number): .int(number)
    case .decimal(let number): number.json
    case .flag(let flag): .bool(flag)
    case .day(let day): .string(day.text)
    case .time(let moment): .int(moment.seconds)
    }
  }

  /// Reads a value that was checked when it was stored; `nil` if it is one of another type.
  init?(stored json: JSON, of type: FieldType) {
    let value: FieldValue?
    switch type {
    case .integer: value = json.number(in: CollectionLimits.integers).map { .integer($0) }
    case .decimal: value = DecimalNumber(json: json).map { .decimal($0) }
    case .yesNo: value = json.flag.map { .flag($0) }
    case .time: value = json.unixSeconds.map { .time(Instant(seconds: $0)) }
    case .date, .expiry:
      do throws(Malformed) {
        value = try json.text.map { (text) throws(Malformed) in .day(try CalendarDay(parsing: text))
        }
      } catch {
        value = nil
      }
    case .photo: value = nil
    case .text, .lines, .choice, .phone, .email, .place, .link, .record:
      value = json.text.map { .text($0) }
    }
    guard let value else { return nil }
    self = value
  }

  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  public var day: CalendarDay? {
    if case .day(let day) = self { day } else { nil }
  }
}

extension FieldValue: Equatable {
  public static func == (left: FieldValue, right: FieldValue) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
    case (.integer(let left), .integer(let right)): left == right
    case (.decimal(let left), .decimal(let right)): left == right
    case (.flag(let left), .flag(let right)): left == right
    case (.day(let left), .day(let right)): left == right
    case (.time(let left), .time(let right)): left == right
    case (.text, _), (.integer, _), (.decimal, _), (.flag, _), (.day, _), (.time, _): false
    }
  }
}
