import JSONText
import Testing

@Suite("Lists of JSON")
struct JSONListReaderTests {
  private typealias Place = [Int]

  /// The elements' texts and places, and the place of the fault.
  private func read(_ text: String) -> (texts: [String], places: [Place], fault: Place?) {
    let bytes = Array(text.utf8)
    var reader = JSONListReader(bytes)
    var (texts, places): ([String], [Place]) = ([], [])
    while let element = reader.next() {
      texts.append(String(decoding: bytes[element.range], as: UTF8.self))
      places.append([element.line, element.column])
    }
    return (texts, places, reader.fault.map { [$0.line, $0.column] })
  }

  @Test(
    "A list gives its elements",
    arguments: [
      ("[]", []), (" [ ] ", []), ("[1]", ["1"]), ("\u{FEFF}[1, 2]", ["1", "2"]),
      (#"[{"a": [1, 2]}, "],\",[", []]"#, [#"{"a": [1, 2]}"#, #""],\",[""#, "[]"]),
    ] as [(String, [String])]
  )
  func elements(_ text: String, _ expected: [String]) {
    let list = read(text)
    #expect(list.texts == expected)
    #expect(list.fault == nil)
  }

  @Test("An element has the line and column of its first byte")
  func places() {
    let list = read("[\n  {\"é\":\n1}, {},\n{}]")
    #expect(list.places == [[2, 3], [3, 5], [4, 1]])
    #expect(read("\u{FEFF}[1]").places == [[1, 2]])
  }

  @Test(
    "The fault is where the text stops being a list",
    arguments: [
      ("", [1, 1]), ("{}", [1, 1]), ("[", [1, 2]), ("[1", [1, 3]), ("[1,", [1, 4]),
      ("[1,]", [1, 4]), ("[,1]", [1, 2]), ("[1}", [1, 3]), ("[1] x", [1, 5]),
      ("[1,\n\n2", [3, 2]), (#"["a"#, [1, 4]), (#"["\"#, [1, 4]),
    ] as [(String, [Int])]
  )
  func faults(_ text: String, _ expected: [Int]) {
    #expect(read(text).fault == expected)
  }

  @Test("An element that is not JSON is passed on, and the next one is found")
  func wrongElement() {
    let list = read("[nonsense, {\"a\":1}]")
    #expect(list.texts == ["nonsense", "{\"a\":1}"])
    #expect(list.fault == nil)
  }
}
