public import JSONText
import SignInModel
import SignInWire

/// A member in a request or a file: a member of a JSON object, or a cell of a table.
public enum DataInput: Sendable {
  case json(JSON)
  case cell(String)
}

extension DataField {
  /// Reads the member; `nil` if it is absent, null or an empty cell.
  func read(_ input: DataInput?) throws(MemberMistake) -> DataValue? {
    switch input {
    case nil, .json(.null)?, .cell("")?:
      if isRequired { throw mistake("is missing") }
      return nil
    case .cell(let text)?: return try read(text: text, isCell: true)
    case .json(let json)?: return try read(json: json)
    }
  }

  private func read(json: JSON) throws(MemberMistake) -> DataValue {
    switch form {
    case .moment:
      guard let seconds = json.unixSeconds else { throw mistake("is not a time") }
      return .moment(Instant(seconds: seconds))
    case .count(let range):
      guard let count = json.number(in: range) else {
        throw mistake("is not a whole number in the allowed range")
      }
      return .count(count)
    case .line, .account, .phone, .organization, .day, .word, .notes:
      guard let text = json.text else { throw mistake("is not text") }
      return try read(text: text, isCell: false)
    }
  }

  private func read(text: String, isCell: Bool) throws(MemberMistake) -> DataValue {
    do throws(Malformed) {
      switch form {
      case .line: return .text(try TextLine(parsing: text).text)
      case .account: return .account(try AccountReference(parsing: text))
      case .phone: return .text(try PhoneNumber(parsing: text).e164)
      case .organization: return .text(try OrganizationID(parsing: text).text)
      case .day: return .day(try CalendarDay(parsing: text))
      case .notes:
        let text = TypedText.withLineFeeds(text)
        guard TypedText.isPlain(text), text.utf8.count <= DataLimits.notesBytes else {
          throw Malformed(.description)
        }
        return .text(text)
      case .word(let words):
        guard let word = words.first(where: { $0.hasSameBytes(as: text) }) else {
          throw Malformed(.line)
        }
        return .text(word)
      case .moment:
        guard let moment = ExternalText.moment(text) else { throw Malformed(.line) }
        return .moment(moment)
      case .count(let range):
        guard let count = WholeNumber.read(text, in: range) else { throw Malformed(.line) }
        return .count(count)
      }
    } catch {
      throw mistake(text.isEmpty ? "is empty" : "is malformed")
    }
  }

  private func mistake(_ problem: String) -> MemberMistake {
    MemberMistake(member: name, problem: problem, remedy: remedy)
  }

  /// How to correct a mistake, as an imperative.
  var remedy: String {
    switch form {
    case .line: "write 1 to \(TextLine.lengthLimit) characters in one line"
    case .account:
      "write an identifier, an e-mail address, or a phone number such as +4790000001"
    case .phone: "write a phone number with its calling code, such as +4790000001"
    case .organization: "write the id of an organization"
    case .moment: "write seconds since 1970, or in a table a time such as 2026-11-21T08:30:00Z"
    case .day: "write a date such as 2026-11-21"
    case .count(let range):
      "write a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .word(let words): "write one of " + words.joined(separator: ", ")
    case .notes:
      "write at most \(DataLimits.notesBytes) bytes without control characters"
    }
  }
}

/// Reads texts that other systems write in different formats.
enum ExternalText {
  /// Reads Unix seconds, or a time such as `2026-11-21T08:30:00+01:00` (RFC 3339).
  ///
  /// Seconds are optional and their fraction is ignored. The offset is required, because a time
  /// without it is ambiguous.
  static func moment(_ text: String) -> Instant? {
    let bytes = Array(text.utf8)
    if let seconds = WholeNumber.read(bytes, in: 0...JSON.latestUnixSeconds) {
      return Instant(seconds: seconds)
    }
    guard bytes.count >= 17, bytes.count <= 40, [0x54, 0x74, 0x20].contains(bytes[10]) else {
      return nil
    }
    let day: CalendarDay
    do throws(Malformed) {
      day = try CalendarDay(parsing: String(decoding: bytes[..<10], as: UTF8.self))
    } catch {
      return nil
    }
    var rest = bytes[11...]
    guard let hours = pair(&rest, 0...23), rest.popFirst() == UInt8(ascii: ":"),
      let minutes = pair(&rest, 0...59)
    else { return nil }
    var seconds: Int64 = 0
    if rest.first == UInt8(ascii: ":") {
      rest.removeFirst()
      guard let read = pair(&rest, 0...59) else { return nil }
      seconds = read
      if rest.first == UInt8(ascii: ".") {
        rest.removeFirst()
        let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }.count
        guard digits > 0 else { return nil }
        rest = rest.dropFirst(digits)
      }
    }
    guard let offset = offset(&rest), rest.isEmpty else { return nil }
    let moment = day.number * CalendarDay.daySeconds + hours * 3600 + minutes * 60 + seconds
    guard (0...JSON.latestUnixSeconds).contains(moment - offset) else { return nil }
    return Instant(seconds: moment - offset)
  }

  /// The offset from UTC in seconds.
  ///
  /// It is positive east of Greenwich.
  private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    guard let sign = rest.popFirst() else { return nil }
    switch sign {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"): return 0
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      guard let hours = pair(&rest, 0...23), rest.popFirst() == UInt8(ascii: ":"),
        let minutes = pair(&rest, 0...59)
      else { return nil }
      return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    default: return nil
    }
  }

  private static func pair(
    _ rest: inout ArraySlice<UInt8>, _ range: ClosedRange<Int64>
  ) -> Int64? {
    guard rest.count >= 2 else { return nil }
    let digits = rest.prefix(2)
    rest = rest.dropFirst(2)
    guard digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return WholeNumber.read(digits, in: range)
  }
}
