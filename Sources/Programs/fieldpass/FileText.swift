import JSONText
import SignInModel

/// The text of a file that a person wrote with any editor.
enum FileText {
  private static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let utf16Marks: [[UInt8]] = [[0xFE, 0xFF], [0xFF, 0xFE]]

  /// The bytes without a byte order mark, which some editors write and do not show.
  static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: utf8Mark) ? Array(bytes.dropFirst(utf8Mark.count)) : bytes
  }

  /// The text without a byte order mark.
  ///
  /// - Throws: If the file is not UTF-8, because the secret would differ from what editors show.
  static func read(_ bytes: [UInt8], of path: String) throws(FileFault) -> String {
    try read(bytes, from: "`\(path)`")
  }

  private static func read(_ bytes: [UInt8], from place: String) throws(FileFault) -> String {
    for mark in utf16Marks where bytes.starts(with: mark) {
      throw FileFault("\(place) is written in UTF-16", hint: "save it as UTF-8")
    }
    guard let text = String(wellFormed: withoutMark(bytes)[...]) else {
      throw FileFault("\(place) is not UTF-8", hint: "save it as UTF-8")
    }
    return text
  }

  /// The secret without white space at its end, because editors add a line end to a file.
  ///
  /// `place` is that of the bytes, as messages name it. A secret such as a key may have lines.
  /// Throws if it would differ from what editors show.
  static func secret(
    _ bytes: [UInt8], from place: String, mayHaveLines: Bool
  ) throws(FileFault) -> String {
    let text = try read(bytes, from: place)
    let secret = String(text.reversed().drop { $0.isWhitespace || $0.isNewline }.reversed())
    let lines = secret.split(omittingEmptySubsequences: false) { $0.isNewline }
    guard mayHaveLines || lines.count == 1 else {
      throw FileFault("\(place) has several lines", hint: "write only the secret into it")
    }
    for line in lines { try checkVisible(String(line), in: place) }
    return secret
  }

  private static func checkVisible(_ line: String, in place: String) throws(FileFault) {
    guard TypedText.isDeceptive(line) else { return }
    throw FileFault(
      "\(place) has an invisible character or a control character",
      hint: "type it again, or copy it without the characters around it")
  }

  /// The first line, without its line end.
  ///
  /// - Throws: If the line would differ from what editors show.
  static func firstLine(_ bytes: [UInt8], of path: String) throws(FileFault) -> String {
    let text = try read(bytes, of: path)
    var line = Array(text.utf8.prefix { $0 != UInt8(ascii: "\n") })
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    let first = String(decoding: line, as: UTF8.self)
    try checkVisible(first, in: "`\(path)`")
    return first
  }
}
