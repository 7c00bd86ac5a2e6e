import SignInRules
import Testing

@Suite("Parts of a text message")
struct TextSegmentTests {
  @Test(
    "A text of GSM letters: one part up to 160, then 153 each",
    arguments: [(0, 1), (159, 1), (160, 1), (161, 2), (306, 2), (307, 3)] as [(Int, Int64)])
  func gsm(length: Int, parts: Int64) {
    let segments = TextSegments(of: String(repeating: "å", count: length))

    #expect(segments.alphabet == .gsm7)
    #expect(segments.count == parts)
    #expect(segments.units == Int64(length))
  }

  @Test(
    "One other letter: one part up to 70, then 67 each",
    arguments: [(1, 1), (69, 1), (70, 1), (71, 2), (134, 2), (135, 3)] as [(Int, Int64)])
  func ucs2(length: Int, parts: Int64) {
    let segments = TextSegments(of: String(repeating: "न", count: length))

    #expect(segments.alphabet == .ucs2)
    #expect(segments.count == parts)
  }

  @Test("Letters of the extension count twice and are not divided")
  func extended() {
    let segments = TextSegments(of: String(repeating: "€", count: 81))
    let torn = TextSegments(
      of: String(repeating: "a", count: 152) + String(repeating: "€", count: 77))

    #expect(segments.units == 162)
    #expect(segments.count == 2)
    #expect(torn.units == 306)
    #expect(torn.count == 3)
  }

  @Test("Autofill lines are GSM text; curly quotes and emoji are not")
  func letters() {
    #expect(TextSegments(of: "FA+9qCX9VSu\n@login.acme.no #123456 /").alphabet == .gsm7)
    #expect(TextSegments(of: "æøåÆØÅ").alphabet == .gsm7)
    #expect(TextSegments(of: "it’s").alphabet == .ucs2)
    #expect(TextSegments(of: "👍").units == 2)
  }

  @Test("Each letter has its code in the GSM alphabet")
  func alphabet() {
    #expect(GSMAlphabet.septets(of: "@$ aZ\n_") == [0, 2, 32, 97, 90, 10, 17])
    #expect(GSMAlphabet.septets(of: "[€]") == [27, 60, 27, 101, 27, 62])
    #expect(GSMAlphabet.septets(of: "\u{1B}") == nil)
  }
}
