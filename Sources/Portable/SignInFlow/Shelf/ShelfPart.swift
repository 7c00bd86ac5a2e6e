/// Changes in the order they were made, as the text that is kept of them: one line each, fields
/// between tabs.
///
///     +	product-001	Dishwasher	BOX-DW-660S	…
///     -	product-002
///
/// Lines are found without reading what is in them, so that ten thousand can be opened at once.
struct ShelfPart: Equatable, Sendable {
  /// A part of more lines is left alone; smaller ones are joined.
  static let lineLimit = 500
  static let tab: UInt8 = 0x09
  static let lineEnd: UInt8 = 0x0A

  /// Names it in storage; a name is never used twice.
  let key: String
  private(set) var bytes: [UInt8] = []
  private(set) var lineCount = 0

  init(key: String) { self.key = key }

  /// Takes what storage held; nil when a line is none of ours.
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

  /// What storage held of several; nil when one of them is none of ours.
  static func all(_ pieces: [ShelfPiece]) -> [ShelfPart]? {
    var parts: [ShelfPart] = []
    for piece in pieces {
      guard let part = ShelfPart(key: piece.key, bytes: piece.bytes) else { return nil }
      parts.append(part)
    }
    return parts
  }

  var piece: ShelfPiece { ShelfPiece(key: key, bytes: bytes) }

  mutating func add<Item: ShelfItem>(_ item: Item) {
    bytes.append(UInt8(ascii: "+"))
    append(item.shelfID)
    for field in item.shelfFields { append(field) }
    bytes.append(Self.lineEnd)
    lineCount += 1
  }

  mutating func remove(_ id: String) {
    bytes.append(UInt8(ascii: "-"))
    append(id)
    bytes.append(Self.lineEnd)
    lineCount += 1
  }

  /// This part and a later one under one name.
  func joined(with later: ShelfPart, as key: String) -> ShelfPart {
    var whole = ShelfPart(key: key)
    whole.bytes = bytes + later.bytes
    whole.lineCount = lineCount + later.lineCount
    return whole
  }

  /// No text may forge a field or a line.
  private mutating func append(_ text: String) {
    bytes.append(Self.tab)
    for byte in text.utf8 { bytes.append(byte < 0x20 ? 0x20 : byte) }
  }
}

/// Where a line lies, and the fields of a thing in it.
struct ShelfLine: Equatable, Sendable {
  let part: Int32
  /// The identifier, from `start` to `idEnd`; the fields follow after a tab, up to `end`.
  let start: Int32
  let idEnd: Int32
  let end: Int32
  let isRemoval: Bool

  /// The same line where its part was put behind another one.
  func moved(to part: Int, by bytes: Int) -> ShelfLine {
    ShelfLine(
      part: Int32(part), start: start + Int32(bytes), idEnd: idEnd + Int32(bytes),
      end: end + Int32(bytes), isRemoval: isRemoval
    )
  }
}

extension ShelfPart {
  /// Calls `take` with every line, in order.
  func eachLine(of part: Int, _ take: (ShelfLine) -> Void) {
    var at = 0
    while at < bytes.count {
      let isRemoval = bytes[at] == UInt8(ascii: "-")
      let start = at + 2
      var idEnd = start
      while bytes[idEnd] != Self.tab, bytes[idEnd] != Self.lineEnd { idEnd += 1 }
      var end = idEnd
      while bytes[end] != Self.lineEnd { end += 1 }
      take(
        ShelfLine(
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
  func fields(of line: ShelfLine) -> [String] {
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

  /// Appends the first `count` fields as they are searched and sorted.
  func fold(_ line: ShelfLine, fields count: Int, into folded: inout [UInt8]) {
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
