import JSONText
import Testing

@Suite("JSON text")
struct JSONTests {
  private func read(_ text: String) throws -> JSON { try JSONReader.read(Array(text.utf8)) }

  @Test(
    "Text that was read is written the same",
    arguments: [
      "null", "true", "false", "0", "-1", "9007199254740991", "-9007199254740991",
      "9007199254740992", "-9223372036854775808", "99999999999999999999999", "1e400", "1.5",
      "-0.25e+1", "\"\"",
      "\"a\\\"b\\\\c\"", "[]", "[1,[2,[3]]]", "{}",
      "{\"a\":1,\"b\":[true,null],\"c\":{\"d\":\"é😀\"}}",
    ]
  )
  func roundTrip(_ text: String) throws {
    #expect(try String(decoding: read(text).utf8, as: UTF8.self) == text)
  }

  @Test("Escapes are decoded")
  func escapes() throws {
    #expect(try read(#""\b\f\n\r\t\/A\u00e9\ud83d\ude00""#) == .string("\u{8}\u{c}\n\r\t/Aé😀"))
  }

  @Test(
    "L-13 malformed JSON is refused at the position of the mistake",
    arguments: [
      ("", .unexpectedEnd, 0), ("{", .unexpectedEnd, 1),
      ("[1,]", .unexpectedByte, 3), ("{\"a\" 1}", .unexpectedByte, 5),
      ("{\"a\":1,\"a\":2}", .repeatedMember, 10), ("01", .badNumber, 2), ("-", .badNumber, 1),
      ("1.", .badNumber, 2), ("1e", .badNumber, 2),
      ("\"\\x\"", .badEscape, 3), ("\"\\ud800\"", .unexpectedByte, 7),
      ("\"\\ud800\\u0041\"", .badEscape, 13), ("\"\\udc00\"", .badEscape, 7),
      ("\"a\nb\"", .unexpectedByte, 2), ("nul", .unexpectedEnd, 3), ("1 1", .unexpectedByte, 2),
    ] as [(String, JSONMalformed.Reason, Int)]
  )
  func malformed(_ text: String, _ reason: JSONMalformed.Reason, _ offset: Int) {
    #expect(throws: JSONMalformed(reason: reason, offset: offset)) { try read(text) }
  }

  @Test("Text that is not UTF-8 is refused")
  func notUTF8() {
    #expect(throws: JSONMalformed.self) { try JSONReader.read([0x22, 0xFF, 0x22]) }
  }

  @Test("Nesting is limited", arguments: [(63, true), (64, true), (65, false)])
  func depth(_ depth: Int, _ isRead: Bool) {
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)

    #expect(((try? read(text)) != nil) == isRead)
  }

  @Test("Length is limited", arguments: [(-1, true), (0, true), (1, false)])
  func length(_ beyond: Int, _ isRead: Bool) {
    let spaces = [UInt8](repeating: 0x20, count: JSONLimits.document.length + beyond - 1)

    #expect(((try? JSONReader.read(spaces + [UInt8(ascii: "1")])) != nil) == isRead)
  }

  @Test("Members are found by name, and absent ones are omitted")
  func members() {
    let json = JSON.members([
      JSONMember("a", 1), nil, JSONMember("b", ifPresent: String?.none),
      JSONMember("c", ifPresent: "x"), JSONMember("d", true),
      JSONMember("e", ifPresent: Int64?.none),
    ])

    #expect(json["a"]?.number == 1)
    #expect(json["b"] == nil)
    #expect(json["c"]?.text == "x")
    #expect(json["d"]?.flag == true)
    #expect(json.objectMembers?.count == 3)
    #expect(JSON.array([.null]).elements == [.null])
    #expect(JSON.null["a"] == nil)
    #expect(JSON.null.text == nil && JSON.null.number == nil && JSON.null.flag == nil)
    #expect(JSON.null.elements == nil && JSON.null.objectMembers == nil)
  }

  @Test("Control characters are escaped")
  func controls() {
    #expect(JSON.string("\u{1}\n").utf8 == Array("\"\\u0001\\u000a\"".utf8))
  }

  @Test("Escapes at the start, in the middle and at the end of a text leave the rest as it is")
  func escapedPlaces() {
    func written(_ text: String) -> String {
      String(decoding: JSON.string(text).utf8, as: UTF8.self)
    }

    #expect(written("") == "\"\"")
    #expect(written("कोड é😀") == #""कोड é😀""#)
    #expect(written("\"a\\b\u{1F}") == #""\"a\\b\u001f""#)
    #expect(written("\\\\") == #""\\\\""#)
    #expect(written("a\u{20}\u{7F}b") == "\"a\u{20}\u{7F}b\"")
    #expect(JSON.object([JSONMember("a\"b", "c")]).utf8 == Array(#"{"a\"b":"c"}"#.utf8))
  }

  @Test("Each control character, quotation mark and backslash of a text is read as it was written")
  func everyASCII() throws {
    let text = String(decoding: Array(UInt8(0)...127), as: UTF8.self)

    let written = JSON.string(text + "é" + text).utf8

    #expect(try JSONReader.read(written) == .string(text + "é" + text))
    #expect(!written.contains { $0 < 0x20 })
  }
}
