public import JSONText
import SignInModel

extension FieldDefinition {
  /// Reads a value of this field; `nil` for null, and for a text of several lines without any.
  public func read(_ json: JSON, at path: String) throws(CollectionMistake) -> FieldValue? {
    if json == .null { return nil }
    do throws(ValueProblem) {
      switch type {
      case .integer:
        guard let number = json.number(in: CollectionLimits.integers) else {
          throw ValueProblem(json, "a whole number in the allowed range")
        }
        try check(DecimalNumber(number))
        return .integer(number)
      case .decimal:
        guard let number = DecimalNumber(json: json) else {
          throw ValueProblem(json, "a number with at most \(DecimalNumber.digits) digits")
        }
        if number.decimals > decimals ?? CollectionLimits.usualDecimals {
          throw ValueProblem("has too many digits after the point")
        }
        try check(number)
        return .decimal(number)
      case .yesNo:
        guard let flag = json.flag else { throw ValueProblem(json, "true or false") }
        return .flag(flag)
      case .time:
        guard let seconds = json.unixSeconds else { throw ValueProblem(json, "a time in seconds") }
        return .time(Instant(seconds: seconds))
      case .photo: throw ValueProblem("is a photo, which is not among the values")
      case .text, .lines, .date, .choice, .expiry, .phone, .email, .place, .link, .record:
        guard let text = json.text else { throw ValueProblem(json, "text") }
        return try read(text)
      }
    } catch {
      throw CollectionMistake(path, error.problem, remedy(for: json))
    }
  }

  private func check(_ number: DecimalNumber) throws(ValueProblem) {
    if let min, number < min { throw ValueProblem("is too small") }
    if let max, max < number { throw ValueProblem("is too large") }
  }

  private func read(_ text: String) throws(ValueProblem) -> FieldValue? {
    if type != .lines, TypedText.isBlank(text) { throw ValueProblem("is empty") }
    switch type {
    case .date, .expiry:
      return .day(try wellFormed { () throws(Malformed) in try CalendarDay(parsing: text) })
    case .phone:
      return .text(try wellFormed { () throws(Malformed) in try PhoneNumber(parsing: text).e164 })
    case .email:
      return .text(try wellFormed { () throws(Malformed) in try EmailAddress(parsing: text).text })
    case .record:
      return .text(
        try wellFormed { () throws(Malformed) in try Identifier<FieldType>(parsing: text).text })
    case .choice:
      guard let known = value(text) else { throw ValueProblem("is not a value of this choice") }
      return .text(known.value)
    case .lines: return try lines(TypedText.withLineFeeds(text))
    case .link:
      let link = try line(text)
      guard Self.isLink(link) else { throw ValueProblem("is malformed") }
      return .text(link)
    case .text, .place, .integer, .decimal, .yesNo, .time, .photo: return .text(try line(text))
    }
  }

  private func wellFormed<Value>(
    _ read: () throws(Malformed) -> Value
  ) throws(ValueProblem) -> Value {
    do throws(Malformed) { return try read() } catch { throw ValueProblem("is malformed") }
  }

  /// A text without white space at its ends.
  private func line(_ text: String) throws(ValueProblem) -> String {
    guard let line = TypedText.read(text, limit: Int(clamping: byteLimit)) else {
      throw ValueProblem(
        text.utf8.count > byteLimit ? "is too long" : "has a character that is not allowed")
    }
    if line.utf8.count > byteLimit { throw ValueProblem("is too long") }
    return line
  }

  /// A text of several lines as it was written, because a person may still be writing it.
  private func lines(_ text: String) throws(ValueProblem) -> FieldValue? {
    if text.isEmpty { return nil }
    if text.utf8.count > byteLimit { throw ValueProblem("is too long") }
    guard TypedText.isPlain(text) else {
      throw ValueProblem("has a character that is not allowed")
    }
    return .text(text)
  }

  /// Whether the text is an https address with a host, without a name and password before it.
  static func isLink(_ text: String) -> Bool {
    let scheme = Array("https://".utf8)
    let bytes = Array(text.utf8)
    guard bytes.count > scheme.count, bytes.starts(with: scheme) else { return false }
    for byte in bytes where byte <= 0x20 || byte >= 0x7F || forbidden.contains(byte) {
      return false
    }
    let authority = bytes[scheme.count...].prefix { !ends.contains($0) }
    guard let first = authority.first, first != UInt8(ascii: ":"), first != UInt8(ascii: ".") else {
      return false
    }
    return !authority.contains(UInt8(ascii: "@"))
  }

  /// Characters that RFC 3986 allows nowhere.
  private static let forbidden = Array("\"<>\\^`{|}".utf8)
  /// What can follow the name of the host and its port.
  private static let ends = Array("/?#".utf8)

  // MARK: Remedies

  /// How to correct a value, as an imperative.
  private func remedy(for json: JSON) -> String {
    guard type == .choice, let text = json.text else { return remedy }
    return .remedy(for: text, among: values.map { $0.value }, otherwise: remedy)
  }

  private var least: DecimalNumber { min ?? DecimalNumber(CollectionLimits.integers.lowerBound) }
  private var greatest: DecimalNumber { max ?? DecimalNumber(CollectionLimits.integers.upperBound) }

  /// How to write a value, as an imperative.
  public var remedy: String {
    switch type {
    case .text, .place: "write 1 to \(byteLimit) bytes in one line"
    case .lines: "write at most \(byteLimit) bytes without control characters"
    case .integer: "write a whole number from \(least.text) to \(greatest.text)"
    case .decimal:
      "write a number with at most \(DecimalNumber.digits) digits,"
        + " \(decimals ?? CollectionLimits.usualDecimals) of them after the point"
        + (min.map { ", not below \($0.text)" } ?? "")
        + (max.map { ", not above \($0.text)" } ?? "")
    case .yesNo: "write true or false"
    case .date, .expiry: "write a date such as 2026-11-21"
    case .time: "write seconds since 1970"
    case .choice: "write \(values.map { $0.value }.quotedList)"
    case .phone: "write a phone number with its calling code, such as +4790000001"
    case .email: "write an e-mail address"
    case .link: "write an address of at most \(byteLimit) bytes that begins with https://"
    case .record: "write the id of a record in \"\(collection ?? "")\""
    case .photo: "leave it out, and send the picture as a file of the record"
    }
  }
}

/// What is wrong with a value, as the rest of a sentence that begins with its path.
private struct ValueProblem: Error {
  let problem: String

  init(_ problem: String) { self.problem = problem }

  init(_ json: JSON, _ expected: String) {
    problem = "is \(json.typeName) where \(expected) is expected"
  }
}
