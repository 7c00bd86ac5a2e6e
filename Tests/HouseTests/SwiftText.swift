/// Swift source with comments and the insides of string literals replaced by spaces.
///
/// Lines and columns stay where they are, so that rules can search for words of code alone.
struct SwiftText {
  private let source: [Character]
  private var code: [Character]
  private var at = 0

  static func code(of text: String) -> String {
    var reader = SwiftText(text)
    reader.readCode(until: nil)
    return String(reader.code)
  }

  private init(_ text: String) {
    source = Array(text)
    code = source
  }

  /// Reads to the end, or to the bracket that closes an interpolation.
  private mutating func readCode(until closing: Character?) {
    var depth = 0
    while at < source.count {
      if starts("//") {
        blank { $0.source[$0.at] == "\n" }
      } else if starts("/*") {
        blankBlockComment()
      } else if source[at] == "\"" || (source[at] == "#" && hashesBeforeQuote > 0) {
        readString()
      } else {
        if let closing, source[at] == closing, depth == 0 { return }
        if source[at] == "(" { depth += 1 }
        if source[at] == ")" { depth -= 1 }
        at += 1
      }
    }
  }

  private mutating func readString() {
    let hashes = String(repeating: "#", count: hashesBeforeQuote)
    at += hashes.count
    let quotes = starts("\"\"\"") ? "\"\"\"" : "\""
    at += quotes.count
    while at < source.count, !starts(quotes + hashes) {
      if starts("\\" + hashes + "(") {
        at += hashes.count + 2
        readCode(until: ")")
      } else if starts("\\" + hashes) {
        blankOne()
        for _ in 0...hashes.count where at < source.count { blankOne() }
      } else {
        // A plain string ends with its line even when it is broken.
        if quotes == "\"", source[at] == "\n" { return }
        blankOne()
      }
    }
    at = min(at + quotes.count + hashes.count, source.count)
  }

  private mutating func blankBlockComment() {
    var depth = 0
    repeat {
      if starts("/*") { depth += 1 }
      if starts("*/") { depth -= 1 }
      let step = starts("/*") || starts("*/") ? 2 : 1
      for _ in 0..<step where at < source.count { blankOne() }
    } while depth > 0 && at < source.count
  }

  private mutating func blank(until isEnd: (SwiftText) -> Bool) {
    while at < source.count, !isEnd(self) { blankOne() }
  }

  private mutating func blankOne() {
    if source[at] != "\n" { code[at] = " " }
    at += 1
  }

  private func starts(_ text: String) -> Bool {
    at + text.count <= source.count && source[at..<(at + text.count)].elementsEqual(text)
  }

  /// How many `#` stand before a quote here; 0 when none does.
  private var hashesBeforeQuote: Int {
    let hashes = source[at...].prefix { $0 == "#" }.count
    return at + hashes < source.count && source[at + hashes] == "\"" ? hashes : 0
  }
}
