/// Writes a table as CSV (RFC 4180) in UTF-8.
///
/// The text begins with a byte order mark, because spreadsheets otherwise assume another encoding.
public struct CSVWriter: Sendable {
  public private(set) var bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

  public init() {}

  /// Appends one record.
  ///
  /// A spreadsheet would run a cell that begins like a formula. Such a cell gets an apostrophe
  /// before it, which makes it a text (CWE-1236).
  public mutating func append(_ cells: [String]) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(cell)
    }
    bytes += [0x0D, 0x0A]
  }

  /// The cell without the apostrophe that `append` puts before it.
  ///
  /// An exported table can therefore be imported, also after a spreadsheet saved it again.
  public static func content(of cell: String) -> String {
    let bytes = cell.utf8
    guard bytes.first == UInt8(ascii: "'"), isGuarded(bytes) else { return cell }
    return String(cell.unicodeScalars.dropFirst())
  }

  private mutating func append(_ cell: String) {
    var content = Array(cell.utf8)
    if Self.isGuarded(cell.utf8) {
      content.insert(UInt8(ascii: "'"), at: 0)
    }
    guard content.contains(where: { Self.quoted.contains($0) }) else {
      bytes += content
      return
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in content {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether the text begins like a formula, also after apostrophes.
  ///
  /// A text that has apostrophes of its own gets one more, because the reading removes one.
  private static func isGuarded(_ bytes: String.UTF8View) -> Bool {
    bytes.first { $0 != UInt8(ascii: "'") }.map { formulaStarts.contains($0) } ?? false
  }

  /// The first bytes of a cell that a spreadsheet can read as a formula: `=`, `+`, `-`, `@`, tab,
  /// and line breaks.
  private static let formulaStarts: [UInt8] = [0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0A, 0x0D]
  /// A quote, a comma and line breaks.
  private static let quoted: [UInt8] = [0x22, 0x2C, 0x0A, 0x0D]
}
