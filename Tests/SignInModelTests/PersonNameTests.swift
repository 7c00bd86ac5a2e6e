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

  @Test(
    "L-54 a name shows something, has no invisible character and begins with no mark",
    arguments: [
      "\u{FE00}", "\u{FE0F}", "Ann\u{FE0F}a", "1\u{FE0F}", "\u{180B}", "Ann\u{180F}", "\u{E0100}",
      "Anna\u{E01EF}", "\u{FFFC}", "An\u{FFFC}na", "\u{1D173}", "Anna\u{1D17A}", "\u{1BCA0}",
      "Anna\u{1BCA3}", "\u{13430}", "Anna\u{1345F}", "\u{301}", "\u{301}Anna", " \u{301}Anna",
      "\u{93E}", "\u{20DD}", "\u{200C}", "An\u{E0FFF}na", "An\u{FFF0}na", "\u{180E}",
    ])
  func invisible(_ text: String) {
    #expect(throws: Malformed(.personName)) { try PersonName(parsing: text) }
  }

  @Test("L-54 a text without a visible sign is blank")
  func blank() {
    for text in ["\u{FE0F}", "\u{301}", "\u{61C}", "\u{E0100} ", "\u{200D}", "\u{FFFC}"] {
      #expect(TypedText.isBlank(text))
      #expect(throws: Malformed(.line)) { try TextLine(parsing: text) }
    }
    #expect(!TypedText.isBlank("7") && !TypedText.isBlank("☎"))
  }

  @Test(
    "L-54 a variation selector is allowed after the characters that have several forms",
    arguments: ["葛\u{E0100}城", "☎\u{FE0F}", "᠊ᠠ\u{180B}", "Anna ❤\u{FE0F}", "Zoe\u{301}"])
  func variations(_ text: String) throws {
    #expect(try PersonName(parsing: text).text == text)
  }

  @Test("L-54 invisible characters of a provided name are left out")
  func provided() {
    for raw in ["\u{61C}Anna", "Ann\u{FE0F}a", "\u{301}Anna", "An\u{200D}na", "Anna\u{E0100}"] {
      #expect(PersonName(provided: raw)?.text == "Anna")
    }
    for raw in ["\u{FE0F}", "\u{301}", "\u{61C}"] { #expect(PersonName(provided: raw) == nil) }
  }

  @Test("L-54 an Arabic letter mark around an address or a number means nothing")
  func arabicMark() throws {
    #expect(try EmailAddress(parsing: "\u{61C}a@b.example\u{61C}").text == "a@b.example")
    #expect(try PhoneNumber(parsing: "\u{61C}+4790000001").e164 == "+4790000001")
    #expect(try OneTimeCode(parsing: "\u{61C}123456").revealed == "123456")
    #expect(throws: Malformed(.line)) { try TextLine(parsing: "a\u{61C}b") }
  }
}
