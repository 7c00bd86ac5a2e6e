import JSONText
import SignInModel

/// The fields of an `application/x-www-form-urlencoded` body or query, in order.
///
/// A parameter must not be repeated, and an empty one counts as absent (RFC 6749, section 3.2).
public struct Form: Equatable, Sendable {
  public enum Fault: Error, Equatable, Sendable {
    case repeated(String)
    case notUTF8
    case badEscape
    case tooMany
    /// A name or a value of more than `valueByteLimit` bytes.
    case tooLong
    /// More than `marksInARow` combining marks in a row.
    case tooManyMarks
  }

  public static let fieldLimit = 64
  /// The most bytes of one decoded name or value.
  public static let valueByteLimit = 8 << 10
  /// See `JSONLimits.marksInARow`.
  public static let marksInARow = 30

  public private(set) var fields: [Field] = []

  public struct Field: Equatable, Sendable, CustomStringConvertible {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    public init(_ field: WireField, _ value: String) { self.init(field.rawValue, value) }

    /// The name only, because the value may be a secret.
    public var description: String { name }
  }

  public init(_ fields: [Field] = []) { self.fields = fields }

  /// The value of the field, or `nil` if it is absent or empty.
  public subscript(_ name: String) -> String? {
    for field in fields where field.name.hasSameBytes(as: name) {
      return field.value.isEmpty ? nil : field.value
    }
    return nil
  }

  public subscript(_ field: WireField) -> String? { self[field.rawValue] }

  public init(parsing bytes: [UInt8]) throws(Fault) {
    guard !bytes.isEmpty else { return }
    for part in bytes.split(separator: UInt8(ascii: "&")) {
      let equals = part.firstIndex(of: UInt8(ascii: "="))
      let name = try Self.decode(part[..<(equals ?? part.endIndex)])
      let value = try equals.map { (at) throws(Fault) in try Self.decode(part[(at + 1)...]) } ?? ""
      guard fields.count < Self.fieldLimit else { throw .tooMany }
      for field in fields where field.name.hasSameBytes(as: name) { throw .repeated(name) }
      fields.append(Field(name, value))
    }
  }

  public var encoded: String {
    var out: [UInt8] = []
    for (index, field) in fields.enumerated() {
      if index > 0 { out.append(UInt8(ascii: "&")) }
      Self.encode(field.name, into: &out)
      out.append(UInt8(ascii: "="))
      Self.encode(field.value, into: &out)
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// One encoded value.
  public static func percentEncoded(_ text: String) -> String {
    var out: [UInt8] = []
    encode(text, into: &out)
    return String(decoding: out, as: UTF8.self)
  }

  /// The decoded value; `nil` if it is malformed.
  public static func percentDecoded(_ text: String) -> String? {
    do throws(Fault) { return try decode(Array(text.utf8)[...]) } catch { return nil }
  }

  /// The fields of a query of a page, to which other programs may have added fields.
  ///
  /// An escape that is malformed stays as it is, and a byte that is not UTF-8 is replaced. If a
  /// field is repeated, the subscript returns the first one. Fields that are too long are left out.
  public init(query: String) {
    for part in Array(query.utf8).split(separator: UInt8(ascii: "&")) {
      let equals = part.firstIndex(of: UInt8(ascii: "="))
      let value = equals.map { part[($0 + 1)...] } ?? []
      guard fields.count < Self.fieldLimit else { return }
      guard let name = Self.decodedLeniently(part[..<(equals ?? part.endIndex)]),
        let text = Self.decodedLeniently(value)
      else { continue }
      fields.append(Field(name, text))
    }
  }

  /// Whether none of these fields is repeated.
  public func hasAtMostOne(of names: [WireField]) -> Bool {
    for name in names {
      var count = 0
      for field in fields where field.name.hasSameBytes(as: name.rawValue) { count += 1 }
      if count > 1 { return false }
    }
    return true
  }

  private static func decodedLeniently(_ bytes: ArraySlice<UInt8>) -> String? {
    var out: [UInt8] = []
    var at = bytes.startIndex
    while at < bytes.endIndex {
      if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.endIndex,
        let high = hexValue(bytes[at + 1]), let low = hexValue(bytes[at + 2])
      {
        out.append(high << 4 | low)
        at += 2
      } else {
        out.append(bytes[at] == UInt8(ascii: "+") ? 0x20 : bytes[at])
      }
      at += 1
    }
    guard out.count <= valueByteLimit else { return nil }
    let text = String(decoding: out, as: UTF8.self)
    return CombiningMarks.haveRun(in: text, longerThan: marksInARow) ? nil : text
  }

  private static func decode(_ bytes: ArraySlice<UInt8>) throws(Fault) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var at = bytes.startIndex
    while at < bytes.endIndex {
      switch bytes[at] {
      case UInt8(ascii: "+"): out.append(0x20)
      case UInt8(ascii: "%"):
        guard at + 2 < bytes.endIndex, let high = hexValue(bytes[at + 1]),
          let low = hexValue(bytes[at + 2])
        else { throw .badEscape }
        out.append(high << 4 | low)
        at += 2
      default: out.append(bytes[at])
      }
      at += 1
    }
    guard out.count <= valueByteLimit else { throw .tooLong }
    guard let text = String(wellFormed: out[...]) else { throw .notUTF8 }
    guard !CombiningMarks.haveRun(in: text, longerThan: marksInARow) else { throw .tooManyMarks }
    return text
  }

  private static func encode(_ text: String, into out: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "~"):
        out.append(byte)
      default:
        out.append(UInt8(ascii: "%"))
        out.append(hexDigit(byte >> 4))
        out.append(hexDigit(byte & 15))
      }
    }
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}

#if !hasFeature(Embedded)
  extension Form.Field: CustomReflectable {
    /// `dump` shows only the name.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif
