import JSONText

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
    for mark in utf16Marks where bytes.starts(with: mark) {
      throw FileFault("`\(path)` is written in UTF-16", hint: "save it as UTF-8")
    }
    guard let text = String(wellFormed: withoutMark(bytes)[...]) else {
      throw FileFault("`\(path)` is not UTF-8", hint: "save it as UTF-8")
    }
    return text
  }

  /// The first line, without its line end.
  static func firstLine(_ bytes: [UInt8], of path: String) throws(FileFault) -> String {
    let text = try read(bytes, of: path)
    var line = Array(text.utf8.prefix { $0 != UInt8(ascii: "\n") })
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }
}
