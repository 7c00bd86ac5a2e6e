import SignInModel
import Testing

@Suite("Number prefixes")
struct NumberPrefixTests {
  @Test(
    "A prefix is a calling code of 1 to 3 digits, with 1 to 9 digits after a hyphen",
    arguments: [
      ("+1", true), ("+47", true), ("+999", true), ("+1-2", true), ("+1-242", true),
      ("+44-123456789", true), ("+1234", false), ("+", false), ("47", false), ("", false),
      ("+0", false), ("+1-", false), ("+1-2425550123", false), ("+1-24-2", false), ("+-242", false),
      ("+1 242", false), ("+4a", false), ("+1-2a", false), ("+１", false),
    ] as [(String, Bool)]
  )
  func form(_ text: String, _ isRight: Bool) {
    #expect((NumberPrefix(text) != nil) == isRight)
  }

  @Test(
    "L-44 a range admits only its own numbers",
    arguments: [
      ("+1-242", "+12425550123", true), ("+1-242", "+12415550123", false),
      ("+1-242", "+19005550123", false), ("+1", "+19005550123", true),
      ("+47", "+4790000001", true), ("+47-9", "+4790000001", true), ("+47-9", "+4740000001", false),
    ] as [(String, String, Bool)]
  )
  func begins(_ prefix: String, _ number: String, _ isRight: Bool) throws {
    let phone = try PhoneNumber(parsing: number)
    #expect(NumberPrefix(prefix)?.begins(phone) == isRight)
    #expect(phone.begins(withAny: ["no prefix", prefix]) == isRight)
  }

  @Test(
    "A shorter prefix covers a longer one",
    arguments: [
      ("+1", "+1-242", true), ("+1-242", "+1", false), ("+1", "+1", true),
      ("+1-24", "+1-242", true),
      ("+47", "+46", false),
    ] as [(String, String, Bool)]
  )
  func covers(_ outer: String, _ inner: String, _ isCovered: Bool) throws {
    let (outer, inner) = (try #require(NumberPrefix(outer)), try #require(NumberPrefix(inner)))
    #expect(outer.covers(inner) == isCovered)
  }
}
