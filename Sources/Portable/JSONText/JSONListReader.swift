/// Finds the elements of one JSON list and their places, in time that is linear in the bytes.
///
/// It does not parse the elements: an element that is not JSON ends at the next comma or bracket
/// outside quotes. A byte order mark before the list is skipped.
public struct JSONListReader: Sendable {
  /// The place of one element.
  public struct Entry: Equatable, Sendable {
    /// The offsets of its bytes.
    public let range: Range<Int>
    /// The line of its first byte; the first line is 1.
    public let line: Int
    /// The column of its first byte, in bytes; the first column is 1.
    public let column: Int
  }

  /// The place where the text is not a list.
  ///
  /// Valid after `next()` has returned `nil`.
  public private(set) var fault: (line: Int, column: Int)?

  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var lineStart = 0
  private var state = State.start

  private enum State { case start, element, end }

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { (index, lineStart) = (3, 3) }
  }

  /// The next element; `nil` at the end of the list, or at a mistake.
  public mutating func next() -> Entry? {
    skipBlanks()
    switch state {
    case .end: return nil
    case .start:
      guard take(UInt8(ascii: "[")) else { return failed() }
      skipBlanks()
      state = .element
      if take(UInt8(ascii: "]")) { return ended() }
    case .element: break
    }
    let (start, startLine, startColumn) = (index, line, index - lineStart + 1)
    skipElement()
    guard index > start else { return failed() }
    let element = Entry(range: start..<index, line: startLine, column: startColumn)
    skipBlanks()
    if take(UInt8(ascii: ",")) { return element }
    if take(UInt8(ascii: "]")) {
      _ = ended()
    } else {
      _ = failed()
    }
    return element
  }

  /// Moves to the comma or bracket after the element.
  ///
  /// It looks only at brackets and quotes.
  private mutating func skipElement() {
    var depth = 0
    var isQuoted = false
    while index < bytes.count {
      let byte = bytes[index]
      if isQuoted {
        if byte == UInt8(ascii: "\\") { index += 1 }
        if byte == UInt8(ascii: "\"") { isQuoted = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isQuoted = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return }
          depth -= 1
        case UInt8(ascii: ",") where depth == 0: return
        case 0x0A:
          line += 1
          lineStart = index + 1
        default: break
        }
      }
      index += 1
    }
    index = min(index, bytes.count)
  }

  private mutating func skipBlanks() {
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) {
      if bytes[index] == 0x0A {
        line += 1
        lineStart = index + 1
      }
      index += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func ended() -> Entry? {
    state = .end
    skipBlanks()
    if index < bytes.count { fault = (line, index - lineStart + 1) }
    return nil
  }

  private mutating func failed() -> Entry? {
    state = .end
    fault = (line, index - lineStart + 1)
    return nil
  }
}
