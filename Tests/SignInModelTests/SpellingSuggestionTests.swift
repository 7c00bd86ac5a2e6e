import SignInModel
import Testing

@Suite("Suggestions for misspelt words")
struct SpellingSuggestionTests {
  @Test("A similar word is suggested, a different one is not")
  func suggestions() {
    let words = ["client_secret_file", "issuer", "listen"]

    #expect(SpellingSuggestion.nearest(to: "isuer", among: words) == "issuer")
    #expect(SpellingSuggestion.nearest(to: "Listen", among: words) == "listen")
    #expect(SpellingSuggestion.nearest(to: "colour", among: words) == nil)
    #expect(SpellingSuggestion.distance("", "abc") == 3)
    #expect(SpellingSuggestion.distance("kitten", "sitting") == 3)
  }

  @Test("A word of more bytes than the limit has no similar word", arguments: [63, 64, 65])
  func longWord(_ count: Int) {
    let word = String(repeating: "a", count: count)

    let found = SpellingSuggestion.nearest(to: word, among: [word + "b"])

    #expect((found != nil) == (count <= SpellingSuggestion.wordByteLimit))
  }

  @Test("A list of words is written with quotes")
  func quotedList() {
    #expect(["a", "b", "c"].quotedList == "\"a\", \"b\" or \"c\"")
    #expect(["a", "b"].quotedList == "\"a\" or \"b\"" && ["a"].quotedList == "\"a\"")
    #expect([String]().quotedList == "nothing")
  }
}
