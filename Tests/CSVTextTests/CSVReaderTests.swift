import Testing

@testable import CSVText

@Suite("Tables of comma-separated values")
struct CSVReaderTests {
  private func rows(
    _ text: String, _ limits: CSVLimits = .file
  ) throws(CSVMalformed) -> [[String]] {
    var reader = try CSVReader(Array(text.utf8), within: limits)
    var rows: [[String]] = []
    while let cells = try reader.next() { rows.append(cells.map(\.text)) }
    return rows
  }

  private func fault(_ text: String, _ limits: CSVLimits = .file) -> CSVMalformed? {
    do throws(CSVMalformed) {
      _ = try rows(text, limits)
      return nil
    } catch {
      return error
    }
  }

  @Test("Cells, quotes, empty cells and both line ends are read as RFC 4180 defines them")
  func cells() throws {
    #expect(try rows("a,b\r\nc,d\n") == [["a", "b"], ["c", "d"]])
    #expect(try rows("a,\"b, \"\"c\"\"\r\nd\",\n") == [["a", "b, \"c\"\r\nd", ""]])
    #expect(try rows(",\n\"\",x") == [["", ""], ["", "x"]])
    #expect(try rows("a,") == [["a", ""]])
    #expect(try rows("") == [] && rows("\n\r\n\n") == [])
    #expect(try rows("\u{FEFF}a\n\nb") == [["a"], ["b"]])
    #expect(try rows("Åse,नमस्ते") == [["Åse", "नमस्ते"]])
  }

  @Test("L-54 empty rows and empty last columns of a spreadsheet are skipped")
  func spreadsheet() throws {
    let text = "a,b,,\r\n,,,\r\n1,2,,\r\n3,,,\r\n\"\",\"\",,\r\n,4,,\r\n5,6,7,\r\n8\r\n,,,\r\n,,,"
    var limits = CSVLimits.file
    limits.records = 6
    var reader = try CSVReader(Array(text.utf8), within: limits)
    var rows: [[String]] = []
    while let cells = try reader.nextRow() { rows.append(cells.map(\.text)) }

    // A row with more cells than the first row stays different from it.
    #expect(rows == [["a", "b"], ["1", "2"], ["3", ""], ["", "4"], ["5", "6", "7"], ["8"]])
    var empty = try CSVReader(Array(",,\n,,".utf8))
    #expect(try empty.nextRow() == nil)
  }

  private func table(_ text: String) throws(CSVMalformed) -> [[String]] {
    var reader = try CSVReader(Array(text.utf8))
    var rows: [[String]] = []
    while let cells = try reader.nextRow() { rows.append(cells.map(\.text)) }
    return rows
  }

  @Test("L-54 rows and last columns of blanks only, and a line sep=, are skipped")
  func blankRows() throws {
    #expect(
      try table("a,b, ,\u{A0}\n , \n1,2,\t,\n\u{3000}\n3, 4 ") == [
        ["a", "b"], ["1", "2"], ["3", " 4 "],
      ])
    for first in ["sep=,", "SEP=,", "\"sep=,\"", "\u{FEFF}sep=,", "sep=,,", "\nsep=,"] {
      #expect(try table(first + "\r\na,b\r\n1,2") == [["a", "b"], ["1", "2"]], "\(first)")
    }
    #expect(try table("a\nsep=,\n") == [["a"], ["sep="]])
    #expect(throws: CSVMalformed(reason: .semicolons, line: 1, column: 1)) {
      try table("sep=;\na;b")
    }
    #expect(throws: CSVMalformed(reason: .tabs, line: 1, column: 1)) { try table("sep=\t\na\tb") }
  }

  @Test("L-54 the name of a column has no blanks around it and no capitals")
  func columnNames() {
    for (title, name) in [
      (" Name ", "name"), ("PHONE_Number", "phone_number"), ("\u{FEFF}id\u{A0}", "id"), ("", ""),
      (" ", ""), ("a b", "a b"),
    ] { #expect(CSVCell.columnName(of: title) == name) }
    #expect(CSVCell.otherSeparator(in: "a;b\tc") == .semicolons)
    #expect(CSVCell.otherSeparator(in: "a\tb") == .tabs)
    #expect(CSVCell.otherSeparator(in: "a|b") == nil)
  }

  @Test("Each cell has its line and column, even after a cell with several lines")
  func places() throws {
    var reader = try CSVReader(Array("a,bb\n\n\"x\ny\",c\n\"\",d".utf8))
    var places: [[Int]] = []
    while let cells = try reader.next() { places += cells.map { [$0.line, $0.column] } }

    #expect(places == [[1, 1], [1, 3], [3, 1], [4, 4], [5, 1], [5, 4]])
  }

  @Test(
    "Text that is not a table is refused with the line and column",
    arguments: [
      ("a\nb,c\"d", CSVMalformed.Reason.strayQuote, 2, 4),
      ("\"a\"b", .textAfterQuote, 1, 4), ("x\n\"a\nb", .openQuote, 2, 1),
      ("\"a\";\"b\"", .semicolons, 1, 4), ("a;\"b\"", .semicolons, 1, 3),
      ("a\n\"a\";b", .textAfterQuote, 2, 4),
      ("\"a\"\t\"b\"", .tabs, 1, 4), ("a\t\"b\"", .tabs, 1, 3), ("a\nb\t\"c\"", .strayQuote, 2, 3),
      ("a\rb", .strayReturn, 1, 2), ("\"a\"\r", .strayReturn, 1, 4), ("a\u{0}", .zeroByte, 1, 2),
    ]
  )
  func faults(_ text: String, _ reason: CSVMalformed.Reason, _ line: Int, _ column: Int) {
    #expect(fault(text) == CSVMalformed(reason: reason, line: line, column: column))
  }

  @Test("Bytes that are not UTF-8 are refused")
  func encoding() {
    #expect(throws: CSVMalformed(reason: .notUTF8, line: 1, column: 3)) {
      var reader = try CSVReader([0x61, 0x2C, 0xC3, 0x28])
      _ = try reader.next()
    }
  }

  @Test(
    "Each limit accepts one less and the limit itself, and refuses one more", arguments: [-1, 0, 1])
  func limits(_ excess: Int) {
    let limits = CSVLimits(length: 40, records: 3, cells: 4, cellLength: 10)
    func text(_ count: Int) -> String { String(repeating: "a", count: count) }
    let isRefused = excess > 0

    let long = fault(
      (0..<4).map { _ in text(9) }.joined(separator: "\n") + text(excess + 1),
      CSVLimits(length: 40, records: 9, cells: 4, cellLength: 20))
    let records = fault((0..<(3 + excess)).map { _ in "a" }.joined(separator: "\n"), limits)
    let cells = fault((0..<(4 + excess)).map { _ in "a" }.joined(separator: ","), limits)
    let cell = fault("\"" + text(10 + excess) + "\"", limits)

    #expect(long?.reason == (isRefused ? .tooLong : nil))
    #expect(records?.reason == (isRefused ? .tooManyRecords : nil))
    #expect(cells?.reason == (isRefused ? .tooManyCells : nil))
    #expect(cell?.reason == (isRefused ? .cellTooLong : nil))
  }
}
