import JSONText

/// The limits of one table.
public struct CSVLimits: Equatable, Sendable {
  /// Bytes of the whole text.
  public var length: Int
  /// Records, including the header record.
  public var records: Int
  /// Cells of one record.
  public var cells: Int
  /// Bytes of one cell.
  public var cellLength: Int

  public init(length: Int, records: Int, cells: Int, cellLength: Int) {
    self.length = length
    self.records = records
    self.cells = cells
    self.cellLength = cellLength
  }

  /// For a file that an operator imports.
  public static let file = CSVLimits(
    length: 64 << 20, records: 1_000_001, cells: 64, cellLength: 16 << 10
  )
}

/// The text is not a valid table, or it exceeds a limit.
public struct CSVMalformed: Error, Equatable, Sendable {
  public enum Reason: String, Sendable {
    case tooLong
    case tooManyRecords
    case tooManyCells
    case cellTooLong
    /// A quote in a cell that does not begin with a quote.
    case strayQuote
    /// Something other than a comma or a line end after a quoted cell.
    case textAfterQuote
    /// The text ends inside a quoted cell.
    case openQuote
    /// Semicolons between the quoted cells of the first record.
    case semicolons
    /// Tabs between the quoted cells of the first record.
    case tabs
    /// A carriage return without a line feed after it.
    case strayReturn
    case notUTF8
    /// The byte zero.
    case zeroByte
  }

  public let reason: Reason
  /// The line and the column of the error, both from 1.
  ///
  /// The column counts bytes.
  public let line: Int
  public let column: Int
}

/// One cell and its position.
public struct CSVCell: Equatable, Sendable {
  public let text: String
  /// The line and the column where the cell begins, both from 1.
  ///
  /// The column counts bytes.
  public let line: Int
  public let column: Int
}

extension CSVCell {
  /// The name of a column in the first row, without blanks around it and in lower case.
  public var columnName: String { Self.columnName(of: text) }

  /// The character between the columns if it is no comma, for the first row of a table.
  public var otherSeparator: CSVMalformed.Reason? { Self.otherSeparator(in: text) }

  /// The name of a column with this title.
  public static func columnName(of title: String) -> String {
    var scalars: [Unicode.Scalar] = []
    for scalar in title.unicodeScalars where !(scalars.isEmpty && isBlank(scalar)) {
      scalars.append(scalar)
    }
    while let last = scalars.last, isBlank(last) { scalars.removeLast() }
    var name = ""
    for scalar in scalars {
      let isCapital = scalar.value >= 0x41 && scalar.value <= 0x5A
      let small = isCapital ? Unicode.Scalar(scalar.value + 0x20) : nil
      name.unicodeScalars.append(small ?? scalar)
    }
    return name
  }

  /// Semicolons or tabs, which no name of a column has.
  public static func otherSeparator(in title: String) -> CSVMalformed.Reason? {
    for byte in title.utf8 {
      if let reason = CSVMalformed.Reason(separator: byte) { return reason }
    }
    return nil
  }

  var isBlank: Bool {
    for scalar in text.unicodeScalars where !Self.isBlank(scalar) { return false }
    return true
  }

  /// White space, and characters without width that are copied together with a text.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x61C, 0x1680, 0x2000...0x200B, 0x200E...0x200F,
      0x2028...0x202F, 0x205F...0x2060, 0x2066...0x2069, 0x3000, 0xFEFF:
      true
    default: false
    }
  }
}

/// Reads comma-separated values (RFC 4180) strictly, one record at a time, in linear time.
///
/// A line ends with a line feed, alone or after a carriage return. A cell that begins with a quote
/// also ends with a quote. It may contain commas and line ends, and two quotes in it mean one
/// quote. A byte order mark at the beginning and empty lines are skipped.
public struct CSVReader {
  private let bytes: [UInt8]
  private let limits: CSVLimits
  private var index = 0
  private var line = 1
  /// The offset where the current line begins.
  private var lineStart = 0
  private var recordCount = 0
  /// The number of columns, after the first row of a table was read.
  private var width: Int?

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let lineFeed: UInt8 = 0x0A
  private static let carriageReturn: UInt8 = 0x0D

  /// - Throws: `.tooLong` when there are more bytes than `limits.length`.
  public init(_ bytes: [UInt8], within limits: CSVLimits = .file) throws(CSVMalformed) {
    self.bytes = bytes
    self.limits = limits
    guard bytes.count <= limits.length else { throw malformed(.tooLong) }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { (index, lineStart) = (3, 3) }
  }

  /// The cells of the next record, or `nil` at the end.
  ///
  /// Do not use the reader again after an error.
  public mutating func next() throws(CSVMalformed) -> [CSVCell]? {
    skipEmptyLines()
    guard index < bytes.count else { return nil }
    guard recordCount < limits.records else { throw malformed(.tooManyRecords) }
    recordCount += 1
    return try record()
  }

  /// The next row of a table whose first row names the columns; `nil` at the end.
  ///
  /// Spreadsheets write rows and last columns that are blank, because a cell there was once used.
  /// They are skipped, and only the other rows count. So is a first line such as `sep=,`, which
  /// tells a spreadsheet what is between the columns.
  public mutating func nextRow() throws(CSVMalformed) -> [CSVCell]? {
    while true {
      skipEmptyLines()
      guard index < bytes.count else { return nil }
      let tooMany = malformed(.tooManyRecords)
      recordCount += 1
      var cells = try record()
      while let last = cells.last, last.isBlank, cells.count > width ?? 0 { cells.removeLast() }
      let isSeparator = try isSeparatorLine(cells)
      guard !isSeparator, cells.contains(where: { !$0.isBlank }) else {
        recordCount -= 1
        continue
      }
      guard recordCount <= limits.records else { throw tooMany }
      if width == nil { width = cells.count }
      return cells
    }
  }

  /// Whether the cells are the first line of a file, and say that commas are between the columns.
  private func isSeparatorLine(_ cells: [CSVCell]) throws(CSVMalformed) -> Bool {
    guard width == nil, cells.count == 1, let cell = cells.first else { return false }
    let bytes = Array(cell.text.utf8)
    guard bytes.count <= Self.separatorStart.utf8.count + 1,
      CSVCell.columnName(of: cell.text).utf8.starts(with: Self.separatorStart.utf8)
    else { return false }
    guard let reason = CSVMalformed.Reason(separator: bytes.last) else { return true }
    throw CSVMalformed(reason: reason, line: cell.line, column: cell.column)
  }

  private static let separatorStart = "sep="

  /// Reads cells to the end of the record.
  private mutating func record() throws(CSVMalformed) -> [CSVCell] {
    var cells: [CSVCell] = []
    while true {
      guard cells.count < limits.cells else { throw malformed(.tooManyCells) }
      cells.append(try nextCell())
      guard index < bytes.count else { return cells }
      let byte = bytes[index]
      index += 1
      if byte == Self.comma {
        // After a comma at the end of the text there is one more, empty cell.
        continue
      }
      if byte == Self.carriageReturn { index += 1 }
      endLine()
      return cells
    }
  }

  /// Reads one cell and stops before the comma or the line end that follows.
  private mutating func nextCell() throws(CSVMalformed) -> CSVCell {
    let (startLine, startColumn) = (line, index - lineStart + 1)
    var content: [UInt8] = []
    if index < bytes.count, bytes[index] == Self.quote {
      try readQuoted(into: &content)
    } else {
      try readPlain(into: &content)
    }
    guard let text = String(wellFormed: content[...]) else {
      throw CSVMalformed(reason: .notUTF8, line: startLine, column: startColumn)
    }
    return CSVCell(text: text, line: startLine, column: startColumn)
  }

  private mutating func readPlain(into content: inout [UInt8]) throws(CSVMalformed) {
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case Self.comma, Self.lineFeed: return
      case Self.carriageReturn:
        guard index + 1 < bytes.count, bytes[index + 1] == Self.lineFeed else {
          throw malformed(.strayReturn)
        }
        return
      case Self.quote:
        let separator = recordCount == 1 ? CSVMalformed.Reason(separator: content.last) : nil
        throw malformed(separator ?? .strayQuote)
      default: try take(byte, into: &content)
      }
    }
  }

  private mutating func readQuoted(into content: inout [UInt8]) throws(CSVMalformed) {
    let (startLine, startColumn) = (line, index - lineStart + 1)
    index += 1
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == Self.quote else {
        try take(byte, into: &content)
        if byte == Self.lineFeed { endLine() }
        continue
      }
      index += 1
      guard index < bytes.count else { return }
      switch bytes[index] {
      case Self.quote: try take(Self.quote, into: &content)
      case Self.comma, Self.lineFeed: return
      case Self.carriageReturn:
        guard index + 1 < bytes.count, bytes[index + 1] == Self.lineFeed else {
          throw malformed(.strayReturn)
        }
        return
      case let byte:
        let separator = recordCount == 1 ? CSVMalformed.Reason(separator: byte) : nil
        throw malformed(separator ?? .textAfterQuote)
      }
    }
    throw CSVMalformed(reason: .openQuote, line: startLine, column: startColumn)
  }

  private mutating func take(_ byte: UInt8, into content: inout [UInt8]) throws(CSVMalformed) {
    guard byte != 0 else { throw malformed(.zeroByte) }
    guard content.count < limits.cellLength else { throw malformed(.cellTooLong) }
    content.append(byte)
    index += 1
  }

  private mutating func skipEmptyLines() {
    while index < bytes.count {
      if bytes[index] == Self.lineFeed {
        index += 1
      } else if bytes[index] == Self.carriageReturn, index + 1 < bytes.count,
        bytes[index + 1] == Self.lineFeed
      {
        index += 2
      } else {
        return
      }
      endLine()
    }
  }

  private mutating func endLine() {
    line += 1
    lineStart = index
  }

  private func malformed(_ reason: CSVMalformed.Reason) -> CSVMalformed {
    CSVMalformed(reason: reason, line: line, column: index - lineStart + 1)
  }
}

extension CSVMalformed.Reason {
  /// The reason for a character between the columns that is no comma; `nil` for other characters.
  fileprivate init?(separator byte: UInt8?) {
    switch byte {
    case UInt8(ascii: ";"): self = .semicolons
    case UInt8(ascii: "\t"): self = .tabs
    default: return nil
    }
  }

  /// What is wrong and what to do, for the person who wrote the file.
  public var words: (problem: String, remedy: String) {
    switch self {
    case .tooLong: ("the file is too long", "divide it")
    case .tooManyRecords: ("the file has too many rows", "divide it")
    case .tooManyCells: ("the row has too many cells", "remove columns")
    case .cellTooLong: ("the cell is too long", "look for a missing quote")
    case .strayQuote:
      ("there is a quote inside a cell", "put the cell in quotes, and write two quotes for one")
    case .textAfterQuote:
      ("there is text after a quoted cell", "write two quotes for one inside a cell")
    case .semicolons: ("the first row has semicolons", "write commas between the columns")
    case .tabs: ("the first row has tabs", "write commas between the columns")
    case .openQuote: ("a quoted cell has no end", "close the quote")
    case .strayReturn:
      ("there is a carriage return alone", "end lines with LF or CR LF")
    case .notUTF8: ("the cell is not UTF-8", "save the file as UTF-8")
    case .zeroByte: ("there is a zero byte", "save the file as UTF-8")
    }
  }
}
