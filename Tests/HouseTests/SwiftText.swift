/// Swift source with comments and the contents of string literals replaced by spaces.
///
/// Lines and columns stay the same, so that rules can search the code alone.
struct SwiftText {
  private let source: [UInt8]
  private var code: [UInt8]
  private var at = 0

  static func code(of text: String) -> String {
    var reader = SwiftText(text)
    reader.readCode(isInterpolation: false)
    return String(decoding: reader.code, as: UTF8.self)
  }

  private init(_ text: String) {
    source = Array(text.utf8)
    code = source
  }

  /// Reads to the end, or to the closing bracket of an interpolation.
  private mutating func readCode(isInterpolation: Bool) {
    var depth = 0
    while at < source.count {
      switch source[at] {
      case UInt8(ascii: "/") where starts("//"):
        while at < source.count, source[at] != UInt8(ascii: "\n") { blank() }
      case UInt8(ascii: "/") where starts("/*"):
        blankBlockComment()
      case UInt8(ascii: "\""),
        UInt8(ascii: "#") where hashesBeforeQuote > 0:
        readString()
      case UInt8(ascii: ")") where isInterpolation && depth == 0:
        return
      default:
        if source[at] == UInt8(ascii: "(") { depth += 1 }
        if source[at] == UInt8(ascii: ")") { depth -= 1 }
        at += 1
      }
    }
  }

  private mutating func readString() {
    let hashes = String(repeating: "#", count: hashesBeforeQuote)
    at += hashes.utf8.count
    let quotes = starts("\"\"\"") ? "\"\"\"" : "\""
    at += quotes.utf8.count
    let (end, escape) = (quotes + hashes, "\\" + hashes)
    while at < source.count, !starts(end) {
      if starts(escape + "(") {
        at += escape.utf8.count + 1
        readCode(isInterpolation: true)
      } else if starts(escape) {
        for _ in 0...escape.utf8.count where at < source.count { blank() }
      } else {
        // A string with one quote ends with its line, even if the closing quote is missing.
        if quotes == "\"", source[at] == UInt8(ascii: "\n") { return }
        blank()
      }
    }
    at = min(at + end.utf8.count, source.count)
  }

  private mutating func blankBlockComment() {
    var depth = 0
    repeat {
      let opens = starts("/*")
      let closes = starts("*/")
      if opens { depth += 1 }
      if closes { depth -= 1 }
      for _ in 0..<(opens || closes ? 2 : 1) where at < source.count { blank() }
    } while depth > 0 && at < source.count
  }

  private mutating func blank() {
    if source[at] != UInt8(ascii: "\n") { code[at] = UInt8(ascii: " ") }
    at += 1
  }

  private func starts(_ text: String) -> Bool {
    var index = at
    for byte in text.utf8 {
      guard index < source.count, source[index] == byte else { return false }
      index += 1
    }
    return true
  }

  /// The number of `#` before a quote here, or 0 without a quote.
  private var hashesBeforeQuote: Int {
    var index = at
    while index < source.count, source[index] == UInt8(ascii: "#") { index += 1 }
    return index < source.count && source[index] == UInt8(ascii: "\"") ? index - at : 0
  }
}
