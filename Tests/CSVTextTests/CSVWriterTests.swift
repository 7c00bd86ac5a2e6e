import CSVText
import Testing

@Suite("Writing tables")
struct CSVWriterTests {
  private func written(_ cells: String...) -> String {
    var writer = CSVWriter()
    writer.append(cells)
    return String(decoding: writer.bytes.dropFirst(3), as: UTF8.self)
  }

  @Test("T-16 a cell that begins like a formula becomes a text")
  func formulas() {
    for start in ["=", "+", "-", "@", "\t"] {
      #expect(written(start + "1") == "'\(start)1\r\n")
      #expect(written("a" + start) == "a\(start)\r\n")
    }
    #expect(written("\r=1") == "\"'\r=1\"\r\n")
    #expect(written("=HYPERLINK(\"x\",\"y\")") == "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"\r\n")
  }

  @Test("T-16 cells with commas, quotes and line breaks are quoted, and others are not")
  func quotes() {
    #expect(written("a", "", "रानी") == "a,,रानी\r\n")
    #expect(written("a,b", "say \"hi\"", "x\ny") == "\"a,b\",\"say \"\"hi\"\"\",\"x\ny\"\r\n")
  }

  @Test("T-16 a table begins with the mark of UTF-8")
  func mark() { #expect(CSVWriter().bytes == [0xEF, 0xBB, 0xBF]) }
}
