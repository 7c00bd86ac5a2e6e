import SignInEngine
import SignInModel

/// Changes in the order in which they were made, as stored text: one line each, with tabs between
/// the fields.
///
///     +	product-001	Dishwasher	BOX-DW-660S	…
///     -	product-002
///
/// Lines are found without reading their fields, so that ten thousand lines can be opened at once.
struct ChangeLogPart: Equatable, Sendable {
  /// The most lines of a joined part.
  static let lineLimit = 500
  static let tab: UInt8 = 0x09
  static let lineEnd: UInt8 = 0x0A

  /// The key in storage.
  ///
  /// A key is never used twice.
  let key: String
  private(set) var bytes: [UInt8] = []
  private(set) var lineCount = 0

  init(key: String) { self.key = key }

  /// Reads a stored part; `nil` if a line has another format.
  init?(key: String, bytes: [UInt8]) {
    self.key = key
    self.bytes = bytes
    var isStart = true
    for (index, byte) in bytes.enumerated() {
      if isStart {
        guard byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"), index + 1 < bytes.count,
          bytes[index + 1] == Self.tab
        else { return nil }
        lineCount += 1
      }
      isStart = byte == Self.lineEnd
    }
    guard isStart else { return nil }
  }

  /// Reads several stored parts; `nil` if a line in one of them has another format.
  static func all(_ pieces: [SealedRecord]) -> [ChangeLogPart]? {
    var parts: [ChangeLogPart] = []
    for piece in pieces {
      guard let part = ChangeLogPart(key: piece.key, bytes: piece.bytes) else { return nil }
      parts.append(part)
    }
    return parts
  }

  var piece: SealedRecord { SealedRecord(key: key, bytes: bytes) }

  mutating func add<Item: OfflineItem>(_ item: Item) {
    bytes.append(UInt8(ascii: "+"))
    append(item.itemID)
    for field in item.itemFields { append(field) }
    bytes.append(Self.lineEnd)
    lineCount += 1
  }

  mutating func remove(_ id: String) {
    bytes.append(UInt8(ascii: "-"))
    append(id)
    bytes.append(Self.lineEnd)
    lineCount += 1
  }

  /// Joins this part and a later one under a new key.
  func joined(with later: ChangeLogPart, as key: String) -> ChangeLogPart {
    var whole = ChangeLogPart(key: key)
    whole.bytes = bytes + later.bytes
    whole.lineCount = lineCount + later.lineCount
    return whole
  }

  /// Appends a field.
  ///
  /// Control characters become spaces, so that no text can look like a new field or line.
  private mutating func append(_ text: String) {
    bytes.append(Self.tab)
    for byte in text.utf8 { bytes.append(byte < 0x20 ? 0x20 : byte) }
  }
}

/// The position of a line, and of the identifier and the fields in it.
struct ChangeLogLine: Equatable, Sendable {
  let part: Int32
  /// The identifier is from `start` to `idEnd`.
  ///
  /// The fields follow after a tab, up to `end`.
  let start: Int32
  let idEnd: Int32
  let end: Int32
  let isRemoval: Bool

  /// The same line after its part was put behind another one.
  func moved(to part: Int, by bytes: Int) -> ChangeLogLine {
    ChangeLogLine(
      part: Int32(part), start: start + Int32(bytes), idEnd: idEnd + Int32(bytes),
      end: end + Int32(bytes), isRemoval: isRemoval
    )
  }
}

extension ChangeLogPart {
  /// Calls `take` with each line, in order.
  func eachLine(of part: Int, _ take: (ChangeLogLine) -> Void) {
    var at = 0
    while at < bytes.count {
      let isRemoval = bytes[at] == UInt8(ascii: "-")
      let start = at + 2
      var idEnd = start
      while bytes[idEnd] != Self.tab, bytes[idEnd] != Self.lineEnd { idEnd += 1 }
      var end = idEnd
      while bytes[end] != Self.lineEnd { end += 1 }
      take(
        ChangeLogLine(
          part: Int32(part), start: Int32(start), idEnd: Int32(idEnd), end: Int32(end),
          isRemoval: isRemoval
        )
      )
      at = end + 1
    }
  }

  func text(from start: Int32, to end: Int32) -> String {
    String(decoding: bytes[Int(start)..<Int(end)], as: UTF8.self)
  }

  /// The fields of a line, without its identifier.
  func fields(of line: ChangeLogLine) -> [String] {
    var fields: [String] = []
    var start = Int(line.idEnd) + 1
    let end = Int(line.end)
    guard start <= end else { return [] }
    for at in start...end where at == end || bytes[at] == Self.tab {
      fields.append(String(decoding: bytes[start..<at], as: UTF8.self))
      start = at + 1
    }
    return fields
  }

  /// The bytes of one field of a line; empty if the line has fewer fields.
  func field(_ index: Int, of line: ChangeLogLine) -> ArraySlice<UInt8> {
    var start = Int(line.idEnd) + 1
    let end = Int(line.end)
    for _ in 0..<index {
      while start < end, bytes[start] != Self.tab { start += 1 }
      start += 1
    }
    guard start < end else { return [] }
    var stop = start
    while stop < end, bytes[stop] != Self.tab { stop += 1 }
    return bytes[start..<stop]
  }

  /// Appends the first `count` fields in the form for searching and sorting.
  func fold(_ line: ChangeLogLine, fields count: Int, into folded: inout [UInt8]) {
    var end = Int(line.idEnd)
    var seen = 0
    while end < Int(line.end) {
      if bytes[end] == Self.tab {
        if seen == count { break }
        seen += 1
      }
      end += 1
    }
    let start = min(Int(line.idEnd) + 1, end)
    FoldedText.fold(bytes[start..<end], into: &folded)
  }
}
