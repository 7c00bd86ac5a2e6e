/// One protocol data unit of SMPP 3.4: a header of four numbers, and a body.
struct SMPPUnit: Equatable, Sendable {
  enum Command {
    static let nack: UInt32 = 0x8000_0000
    static let bindTransceiver: UInt32 = 0x0000_0009
    static let submit: UInt32 = 0x0000_0004
    static let deliver: UInt32 = 0x0000_0005
    static let unbind: UInt32 = 0x0000_0006
    static let enquireLink: UInt32 = 0x0000_0015
    /// This bit is set in the command of an answer.
    static let answer: UInt32 = 0x8000_0000
  }

  enum Status {
    static let ok: UInt32 = 0
    static let invalidCommand: UInt32 = 0x03
    static let systemError: UInt32 = 0x08
    static let invalidDestination: UInt32 = 0x0B
    static let queueFull: UInt32 = 0x14
    static let throttled: UInt32 = 0x58
  }

  static let headerBytes = 16
  /// This messenger needs no longer units.
  static let byteLimit = 64 << 10

  var command: UInt32
  var status: UInt32 = Status.ok
  var sequence: UInt32
  var body: [UInt8] = []

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for number in [UInt32(Self.headerBytes + body.count), command, status, sequence] {
      bytes.append(contentsOf: Self.bytes(number))
    }
    return bytes + body
  }

  static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// Removes the first complete unit from the front and returns it; `nil` if there is none.
  ///
  /// The parameter is a slice, because removing many small units from an array would move the rest
  /// of it each time.
  /// - Throws: If the bytes cannot be a unit. The caller must then close the connection.
  static func take(from bytes: inout ArraySlice<UInt8>) throws(SMPPMalformed) -> SMPPUnit? {
    guard bytes.count >= headerBytes else { return nil }
    let start = bytes.startIndex
    func number(_ index: Int) -> UInt32 {
      bytes[start + 4 * index..<start + 4 * index + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    let length = Int(number(0))
    guard (headerBytes...byteLimit).contains(length) else { throw SMPPMalformed() }
    guard bytes.count >= length else { return nil }
    let unit = SMPPUnit(
      command: number(1), status: number(2), sequence: number(3),
      body: Array(bytes[start + headerBytes..<start + length])
    )
    bytes.removeFirst(length)
    return unit
  }
}

struct SMPPMalformed: Error, Equatable {}

/// Writes a body: texts that end with a zero byte, and numbers.
struct SMPPBody {
  private(set) var bytes: [UInt8] = []

  mutating func text(_ text: String) { bytes += Array(text.utf8.filter { $0 != 0 }) + [0] }
  mutating func byte(_ byte: UInt8) { bytes.append(byte) }
  mutating func raw(_ more: [UInt8]) { bytes += more }

  mutating func option(_ tag: UInt16, _ value: [UInt8]) {
    for number in [tag, UInt16(value.count)] {
      bytes += [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
    }
    bytes += value
  }
}

/// Reads a body.
///
/// A missing part reads as empty or 0.
struct SMPPBodyReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func text() -> String {
    let text = rest.prefix { $0 != 0 }
    rest = rest.dropFirst(text.count + 1)
    return String(decoding: text, as: UTF8.self)
  }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func raw(_ count: Int) -> [UInt8] {
    let bytes = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return bytes
  }

  mutating func options() -> [UInt16: [UInt8]] {
    var options: [UInt16: [UInt8]] = [:]
    while rest.count >= 4 {
      let head = raw(4).map(UInt16.init)
      options[head[0] << 8 | head[1]] = raw(Int(head[2] << 8 | head[3]))
    }
    return options
  }
}

/// A receipt that a gateway sends in a `deliver_sm`, as options or in the text that most gateways
/// write.
struct SMPPReceipt: Equatable {
  let reference: String
  let state: String

  init?(_ unit: SMPPUnit) {
    var body = SMPPBodyReader(unit.body)
    _ = body.text()
    for _ in 0..<2 {
      _ = body.raw(2)
      _ = body.text()
    }
    let kind = body.byte()
    // Other kinds are replies that people send to our messages. They are ignored.
    guard kind & 0x3C == 0x04 else { return nil }
    _ = body.raw(2)
    _ = body.text()
    _ = body.text()
    _ = body.raw(4)
    let text = String(decoding: body.raw(Int(body.byte())), as: UTF8.self)
    let options = body.options()
    let named = options[0x001E].map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    guard let reference = named ?? Self.word("id", in: text) else { return nil }
    self.reference = reference
    let states: [UInt8: String] = [
      1: "ENROUTE", 2: "DELIVRD", 3: "EXPIRED", 4: "DELETED", 5: "UNDELIV", 6: "ACCEPTD",
      8: "REJECTD",
    ]
    state = options[0x0427]?.first.flatMap { states[$0] } ?? Self.word("stat", in: text) ?? ""
  }

  private static func word(_ name: String, in text: String) -> String? {
    for part in text.split(separator: " ") {
      let pair = part.split(separator: ":", maxSplits: 1)
      if pair.count == 2, pair[0].lowercased() == name { return String(pair[1]) }
    }
    return nil
  }
}
