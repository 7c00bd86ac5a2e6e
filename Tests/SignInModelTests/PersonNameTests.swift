import SignInModel
import Testing

@Suite("Names of people")
struct PersonNameTests {
  @Test(
    "R-11 1 to 100 code points",
    arguments: [(0, false), (1, true), (99, true), (100, true), (101, false)])
  func length(_ count: Int, _ isAccepted: Bool) {
    let text = String(repeating: "å", count: count)

    #expect(((try? PersonName(parsing: text)) != nil) == isAccepted)
  }

  @Test(
    "R-11 any script, without spaces at the ends",
    arguments: ["Ravi", " Åse Øy ", "प्रिया", "O'Neil", "क्\u{200D}ष"])
  func scripts(_ text: String) throws {
    let name = try PersonName(parsing: text)

    #expect(!name.text.hasPrefix(" ") && !name.text.hasSuffix(" "))
    #expect(text.contains(name.text))
  }

  @Test(
    "R-10 R-11 control characters and characters that change the text direction are refused",
    arguments: [
      "", "   ", "a\nb", "a\u{0}", "\u{7F}", "a\u{85}b", "\u{202E}evil", "a\u{2066}b", "\t",
      "\u{200B}", "a\u{AD}b", "a\u{61C}", "\u{3164}", "a\u{E0041}",
    ]
  )
  func control(_ text: String) {
    #expect(throws: Malformed(.personName)) { try PersonName(parsing: text) }
  }
}
