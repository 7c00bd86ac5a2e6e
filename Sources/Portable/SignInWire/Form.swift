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
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let escaped = EscapedText.takeByte(from: &rest) {
        out.append(escaped)
      } else {
        out.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    guard out.count <= valueByteLimit else { return nil }
    let text = String(decoding: out, as: UTF8.self)
    return CombiningMarks.haveRun(in: text, longerThan: marksInARow) ? nil : text
  }

  private static func decode(_ bytes: ArraySlice<UInt8>) throws(Fault) -> String {
    // Most names and values have no escape and are used as they are.
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
      return try text(of: bytes)
    }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var rest = bytes
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): out.append(0x20)
      case UInt8(ascii: "%"):
        guard let escaped = EscapedText.takeByte(from: &rest) else { throw .badEscape }
        out.append(escaped)
      default: out.append(byte)
      }
    }
    return try text(of: out[...])
  }

  private static func text(of bytes: ArraySlice<UInt8>) throws(Fault) -> String {
    guard bytes.count <= valueByteLimit else { throw .tooLong }
    guard let text = String(wellFormed: bytes) else { throw .notUTF8 }
    guard !CombiningMarks.haveRun(in: text, longerThan: marksInARow) else { throw .tooManyMarks }
    return text
  }

  private static func encode(_ text: String, into out: inout [UInt8]) {
    for byte in text.utf8 {
      if EscapedText.isUnreserved(byte) {
        out.append(byte)
      } else {
        EscapedText.append(byte, to: &out)
      }
    }
  }
}

#if !hasFeature(Embedded)
  extension Form.Field: CustomReflectable {
    /// `dump` shows only the name.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif
