/// The bytes are not valid JSON, or they exceed a limit.
public struct JSONMalformed: Error, Equatable, Sendable {
  public enum Reason: Equatable, Sendable {
    case unexpectedEnd, unexpectedByte, tooDeep, tooLong, badNumber, badEscape, notUTF8
    case repeatedMember, tooManyMembers, tooManyValues, tooManyMarks
  }

  public let reason: Reason
  /// The number of bytes read before the error.
  public let offset: Int

  public init(reason: Reason, offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

/// Reads JSON strictly: no repeated members, no lone surrogates, and only within the limits.
///
/// The time is linear in the number of bytes, for every input.
public struct JSONReader {
  private let bytes: [UInt8]
  private let limits: JSONLimits
  private var at = 0
  private var valuesLeft: Int

  public static func read(
    _ bytes: [UInt8], within limits: JSONLimits = .document
  ) throws(JSONMalformed) -> JSON {
    guard bytes.count <= limits.length else { throw JSONMalformed(reason: .tooLong, offset: 0) }
    var reader = JSONReader(bytes: bytes, limits: limits)
    reader.skipSpace()
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.at == bytes.count else { throw reader.fault(.unexpectedByte) }
    return value
  }

  private init(bytes: [UInt8], limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
    valuesLeft = limits.values
  }

  private func fault(_ reason: JSONMalformed.Reason) -> JSONMalformed {
    JSONMalformed(reason: reason, offset: at)
  }

  private mutating func skipSpace() {
    while at < bytes.count {
      switch bytes[at] {
      case 0x20, 0x09, 0x0A, 0x0D: at += 1
      default: return
      }
    }
  }

  private func peek() throws(JSONMalformed) -> UInt8 {
    guard at < bytes.count else { throw fault(.unexpectedEnd) }
    return bytes[at]
  }

  private mutating func take(_ byte: UInt8) throws(JSONMalformed) {
    guard try peek() == byte else { throw fault(.unexpectedByte) }
    at += 1
  }

  private mutating func take(word: StaticString) throws(JSONMalformed) {
    for index in 0..<word.utf8CodeUnitCount { try take(word.utf8Start[index]) }
  }

  private mutating func value(depth: Int) throws(JSONMalformed) -> JSON {
    guard depth < limits.depth else { throw fault(.tooDeep) }
    guard valuesLeft > 0 else { throw fault(.tooManyValues) }
    valuesLeft -= 1
    switch try peek() {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"):
      try take(word: "true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try take(word: "false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try take(word: "null")
      return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw fault(.unexpectedByte)
    }
  }

  private mutating func object(depth: Int) throws(JSONMalformed) -> JSON {
    try take(UInt8(ascii: "{"))
    var members: [JSONMember] = []
    var names = MemberNames()
    skipSpace()
    if try peek() == UInt8(ascii: "}") {
      at += 1
      return .object(members)
    }
    while true {
      skipSpace()
      let key = try string()
      guard members.count < limits.members else { throw fault(.tooManyMembers) }
      guard names.add(key, after: members, endingAt: at) else { throw fault(.repeatedMember) }
      skipSpace()
      try take(UInt8(ascii: ":"))
      skipSpace()
      members.append(JSONMember(key, try value(depth: depth + 1)))
      skipSpace()
      if try peek() == UInt8(ascii: ",") {
        at += 1
        continue
      }
      try take(UInt8(ascii: "}"))
      if let end = names.endOfRepeated(in: members) {
        throw JSONMalformed(reason: .repeatedMember, offset: end)
      }
      return .object(members)
    }
  }

  private mutating func array(depth: Int) throws(JSONMalformed) -> JSON {
    try take(UInt8(ascii: "["))
    var elements: [JSON] = []
    skipSpace()
    if try peek() == UInt8(ascii: "]") {
      at += 1
      return .array(elements)
    }
    while true {
      skipSpace()
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if try peek() == UInt8(ascii: ",") {
        at += 1
        continue
      }
      try take(UInt8(ascii: "]"))
      return .array(elements)
    }
  }

  private mutating func digits() throws(JSONMalformed) {
    let start = at
    while at < bytes.count, bytes[at] >= UInt8(ascii: "0"), bytes[at] <= UInt8(ascii: "9") {
      at += 1
    }
    guard at > start else { throw fault(.badNumber) }
  }

  private mutating func number() throws(JSONMalformed) -> JSON {
    let start = at
    if bytes[at] == UInt8(ascii: "-") { at += 1 }
    let first = at
    try digits()
    // Parsers read a leading zero in different ways (RFC 8259, section 6), so it is refused.
    guard at - first == 1 || bytes[first] != UInt8(ascii: "0") else { throw fault(.badNumber) }
    if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
      at += 1
      try digits()
    }
    let mantissa = first..<at
    if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      if at < bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") {
        at += 1
      }
      try digits()
    }
    if let number = integer(mantissa), first == start || number != 0 {
      return .int(first == start ? number : -number)
    }
    return .decimal(String(decoding: bytes[start..<at], as: UTF8.self))
  }

  /// The number with these digits, and with the exponent from there to the current position.
  ///
  /// `1800000000.0` and `1.8e9` are whole numbers, as in JSON Schema. It is `nil` for other
  /// fractions, and outside `JSON.safeIntegers`. Every step is exact.
  private func integer(_ mantissa: Range<Int>) -> Int64? {
    var number: Int64 = 0
    // Zeros that count only if another digit follows, and the power of ten of the last digit.
    var (zeros, power) = (0, 0)
    var isFraction = false
    for byte in bytes[mantissa] {
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      if isFraction { power -= 1 }
      guard byte != UInt8(ascii: "0") else {
        zeros += 1
        continue
      }
      guard let scaled = Self.scaled(number, by: zeros + 1) else { return nil }
      number = scaled + Int64(byte - UInt8(ascii: "0"))
      zeros = 0
    }
    if number == 0 { return 0 }
    power += zeros + exponent(from: mantissa.upperBound)
    guard power >= 0, let scaled = Self.scaled(number, by: power) else { return nil }
    return scaled <= JSON.safeIntegers.upperBound ? scaled : nil
  }

  /// The number times a power of ten; `nil` above the largest safe integer.
  private static func scaled(_ number: Int64, by power: Int) -> Int64? {
    if number == 0 { return 0 }
    var scaled = number
    for _ in 0..<power {
      guard scaled <= JSON.safeIntegers.upperBound / 10 else { return nil }
      scaled *= 10
    }
    return scaled
  }

  /// The exponent between a position and the current one, limited to nine digits.
  private func exponent(from start: Int) -> Int {
    var exponent = 0
    var isNegative = false
    for byte in bytes[start..<at] {
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if exponent < 100_000_000 { exponent = exponent * 10 + Int(byte - UInt8(ascii: "0")) }
      default: continue
      }
    }
    return isNegative ? -exponent : exponent
  }

  private mutating func string() throws(JSONMalformed) -> String {
    try take(UInt8(ascii: "\""))
    let start = at
    while try peek() != UInt8(ascii: "\""), bytes[at] != UInt8(ascii: "\\"), bytes[at] >= 0x20 {
      at += 1
    }
    // Most texts have no escapes. They are read without a copy.
    if bytes[at] == UInt8(ascii: "\"") {
      at += 1
      return try checked(String(wellFormed: bytes[start..<(at - 1)]))
    }
    var text = Array(bytes[start..<at])
    while true {
      let byte = try peek()
      switch byte {
      case UInt8(ascii: "\""):
        at += 1
        return try checked(String(wellFormed: text[...]))
      case UInt8(ascii: "\\"):
        at += 1
        try escape(into: &text)
      case 0..<0x20: throw fault(.unexpectedByte)
      default:
        text.append(byte)
        at += 1
      }
    }
  }

  private func checked(_ text: String?) throws(JSONMalformed) -> String {
    guard let text else { throw fault(.notUTF8) }
    if let most = limits.marksInARow, CombiningMarks.haveRun(in: text, longerThan: most) {
      throw fault(.tooManyMarks)
    }
    return text
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONMalformed) {
    let letter = try peek()
    at += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      guard let scalar = Unicode.Scalar(try codePoint()) else { throw fault(.badEscape) }
      text.append(contentsOf: String(scalar).utf8)
    default: throw fault(.badEscape)
    }
  }

  private mutating func codePoint() throws(JSONMalformed) -> UInt32 {
    let high = try hex4()
    guard high >= 0xD800, high < 0xDC00 else { return high }
    try take(word: "\\u")
    let low = try hex4()
    guard low >= 0xDC00, low < 0xE000 else { throw fault(.badEscape) }
    return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
  }

  private mutating func hex4() throws(JSONMalformed) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = try peek()
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46: value = value << 4 | UInt32(byte - 0x41 + 10)
      case 0x61...0x66: value = value << 4 | UInt32(byte - 0x61 + 10)
      default: throw fault(.badEscape)
      }
      at += 1
    }
    return value
  }
}
