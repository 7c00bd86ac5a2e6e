/// The bytes of the HTTP syntax.
enum ASCII {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let hash: UInt8 = 0x23
  static let percent: UInt8 = 0x25
  static let comma: UInt8 = 0x2C
  static let dot: UInt8 = 0x2E
  static let slash: UInt8 = 0x2F
  static let colon: UInt8 = 0x3A
  static let question: UInt8 = 0x3F
  static let openBracket: UInt8 = 0x5B
  static let closeBracket: UInt8 = 0x5D

  /// A set of bytes below 128 in two words, so that a lookup is a shift.
  private struct Bytes {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ members: StaticString) {
      for index in 0..<members.utf8CodeUnitCount {
        let byte = members.utf8Start[index]
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
      }
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
      let word = byte < 64 ? low : byte < 128 ? high : 0
      return word >> UInt64(byte & 63) & 1 == 1
    }
  }

  /// The bytes of a token (RFC 9110 section 5.6.2).
  private static let token = Bytes(
    "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  )
  /// The bytes of a path (RFC 3986 section 3.3) and `/`.
  ///
  /// `%` and `?` are checked separately.
  private static let path = Bytes(
    "-._~!$&'()*+,;=:@/0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  )
  /// Fewer bytes than RFC 3986 section 3.2.2 allows.
  ///
  /// No served name has others.
  private static let host = Bytes(
    "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  )

  /// The maximum number of bytes over 127 in the value of one field.
  static let foreignByteLimit = 256

  static func isToken(_ byte: UInt8) -> Bool { token.contains(byte) }
  static func isPathByte(_ byte: UInt8) -> Bool { path.contains(byte) }
  static func isHostByte(_ byte: UInt8) -> Bool { host.contains(byte) }
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
  static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }
  static func isControl(_ byte: UInt8) -> Bool { byte < space && byte != tab || byte == 0x7F }
  static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}

func hexadecimalValue(_ byte: UInt8) -> Int? {
  switch byte {
  case 0x30...0x39: Int(byte) - 0x30
  case 0x41...0x46: Int(byte) - 0x41 + 10
  case 0x61...0x66: Int(byte) - 0x61 + 10
  default: nil
  }
}

extension [UInt8] {
  mutating func append(copying bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}

extension Span<UInt8> {
  func firstIndex(of byte: UInt8) -> Int? {
    for index in indices where self[index] == byte { return index }
    return nil
  }

  /// Whether the bytes equal `other`.
  ///
  /// A lower-case letter in `other` matches either case.
  func equals(_ other: StaticString) -> Bool {
    guard count == other.utf8CodeUnitCount else { return false }
    for index in indices {
      let expected = other.utf8Start[index]
      if self[index] != expected, ASCII.lowercased(self[index]) != expected { return false }
    }
    return true
  }

  var isToken: Bool {
    for index in indices where !ASCII.isToken(self[index]) { return false }
    return !isEmpty
  }

  /// The bytes as text.
  ///
  /// The caller knows that they are ASCII.
  var text: String {
    withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  func hasPrefix(_ prefix: StaticString) -> Bool {
    count >= prefix.utf8CodeUnitCount && extracting(0..<prefix.utf8CodeUnitCount).equals(prefix)
  }

  /// Whether the bytes are a path, with its percent-encoding.
  var isPath: Bool {
    var index = 0
    while index < count {
      if self[index] == ASCII.percent {
        guard index + 2 < count, hexadecimalValue(self[index + 1]) != nil,
          hexadecimalValue(self[index + 2]) != nil
        else { return false }
        index += 2
      } else if !ASCII.isPathByte(self[index]) {
        return false
      }
      index += 1
    }
    return true
  }

  /// Whether a client may send the bytes as a query.
  ///
  /// Browsers send more than RFC 3986 section 3.4 allows, such as `|`, and other programs append
  /// `%` without digits. What a query means is the concern of its reader.
  var isQuery: Bool {
    for index in indices {
      let byte = self[index]
      if ASCII.isControl(byte) || ASCII.isBlank(byte) || byte == ASCII.hash { return false }
    }
    return true
  }

  /// Text without control bytes, or `nil`.
  ///
  /// Bytes over 127 that are not UTF-8 are Latin-1, which is what HTTP/1.0 said. So a field that
  /// nothing reads is no reason to refuse a request, and different bytes stay different. This also
  /// applies to more of them than `foreignByteLimit`: comparing texts takes quadratic time in a run
  /// of combining marks, and Latin-1 has none.
  var fieldText: String? {
    var foreign = 0
    for index in indices {
      if ASCII.isControl(self[index]) { return nil }
      if self[index] >= 0x80 { foreign += 1 }
    }
    if foreign == 0 { return text }
    if foreign <= ASCII.foreignByteLimit,
      let text = withUnsafeBufferPointer({ String(validating: $0, as: UTF8.self) })
    {
      return text
    }
    var latin = String.UnicodeScalarView()
    for index in indices { latin.append(Unicode.Scalar(self[index])) }
    return String(latin)
  }

  /// `range` without spaces and tabs at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, ASCII.isBlank(self[start]) { start += 1 }
    while end > start, ASCII.isBlank(self[end - 1]) { end -= 1 }
    return start..<end
  }

  /// Whether a comma-separated list has this member.
  ///
  /// The member is given in lower case.
  func listContains(_ member: StaticString) -> Bool {
    var start = 0
    for index in 0...count where index == count || self[index] == ASCII.comma {
      if extracting(trimmed(start..<index)).equals(member) { return true }
      start = index + 1
    }
    return false
  }

  /// Whether the bytes are a name, an IPv4 address or a bracketed IPv6 address, with an optional
  /// port.
  var isHost: Bool {
    guard count > 0 else { return false }
    var index = 0
    if self[0] == ASCII.openBracket {
      guard let close = firstIndex(of: ASCII.closeBracket), close > 2 else { return false }
      for inside in 1..<close {
        let byte = self[inside]
        guard hexadecimalValue(byte) != nil || byte == ASCII.colon || byte == ASCII.dot
        else { return false }
      }
      index = close + 1
    } else {
      while index < count, ASCII.isHostByte(self[index]) { index += 1 }
      guard index > 0 else { return false }
    }
    guard index < count else { return true }
    let digits = count - index - 1
    guard self[index] == ASCII.colon, digits > 0, digits <= 5 else { return false }
    for digit in (index + 1)..<count where !ASCII.isDigit(self[digit]) { return false }
    return true
  }
}
