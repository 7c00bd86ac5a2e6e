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
    arguments: [
      "Ravi", " Åse Øy ", "प्रिया", "O'Neil", "क्\u{200D}ष", "മോഹന്\u{200D}", "نرم\u{200C}افزار",
      "\u{A0}Anna\u{3000}", "Anna\r\n",
    ])
  func scripts(_ text: String) throws {
    let name = try PersonName(parsing: text)

    #expect(!TypedText.isBlank(String(name.text.prefix(1))))
    #expect(!TypedText.isBlank(String(name.text.suffix(1))))
    #expect(text.contains(name.text))
  }

  @Test(
    "L-54 a joiner is allowed only where it changes the letters",
    arguments: [
      "Anna\u{200D}", "An\u{200C}na", "\u{200D}Anna", "\u{200D}", "क\u{200D}ष",
      "क्\u{200D}\u{200D}ष",
      "نرم\u{200C}", "نرم\u{200C}na", "1\u{200D}2", "👩\u{200D}🔧",
    ])
  func joiners(_ text: String) {
    #expect(throws: Malformed(.personName)) { try PersonName(parsing: text) }
  }

  @Test(
    "R-10 R-11 control characters and characters that change the text direction are refused",
    arguments: [
      "", "   ", "a\nb", "a\u{0}", "\u{7F}", "a\u{85}b", "\u{202E}evil", "a\u{2066}b", "\t",
      "\u{200B}", "a\u{AD}b", "a\u{61C}", "\u{3164}", "a\u{E0041}", "\u{2800}", "An\u{2800}na",
      "\u{A0}\u{3000}", "\u{2003}", "a\u{34F}b",
    ]
  )
  func control(_ text: String) {
    #expect(throws: Malformed(.personName)) { try PersonName(parsing: text) }
  }
}
