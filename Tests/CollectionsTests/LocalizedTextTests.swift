import Collections
import JSONText
import Testing

@Suite("Texts in several languages")
struct LocalizedTextTests {
  static let text = LocalizedText([
    .init("en", "Job"), .init("nb", "Jobb"), .init("pt-BR", "Serviço"),
  ])

  @Test(
    "A text is in the language of the person, or else in English",
    arguments: [
      ("nb", "Jobb"), ("nb-NO", "Jobb"), ("pt-BR", "Serviço"), ("pt", "Job"), ("hi", "Job"),
      ("", "Job"),
    ])
  func language(_ tag: String, _ expected: String) {
    #expect(Self.text.text(in: tag) == expected)
  }

  @Test("A text without a language is the text in each of them")
  func unnamed() {
    #expect(LocalizedText("Jobb").text(in: "hi") == "Jobb")
    #expect(LocalizedText("Jobb").json == .string("Jobb"))
    #expect(LocalizedText([.init("nb", "Jobb")]).text(in: "en") == "Jobb")
    #expect(LocalizedText([]).text(in: "en") == "")
  }
}
