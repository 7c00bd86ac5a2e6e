import SignInService
import Testing

@Suite("Names in texts about others")
struct NameInTextTests {
  @Test(
    "L-52 a name of several words is found also with an ending, and one word only as a whole word",
    arguments: [
      ("Wilhelmina Quagga", "Wilhelmina Quaggas telefon", true),
      ("Wilhelmina Quagga", "said Wilhelmina Quagga", true),
      ("Wilhelmina Quagga", "said Wilhelmina", false),
      ("Li", "asked by Li.", true), ("Li", "Li", true), ("Li", "Life, Ali, Li2", false),
      ("Li", "Life of Li", true), ("", "text", false), ("Li", "", false),
      ("राम", "राम ने कहा", true), ("राम", "राम्या ने कहा", false), ("Ana", "Ana\u{301}", false),
    ])
  func occurrence(name: String, text: String, isThere: Bool) {
    #expect(NameInText(name).occurs(in: text) == isThere)
  }

  @Test("L-52 a name with quotation marks is found in JSON")
  func json() {
    let name = NameInText(#"Ann "Annie" Lee"#)
    #expect(name.inJSON.occurs(in: #"{"name":"Ann \"Annie\" Lee"}"#))
    #expect(!name.occurs(in: #"{"name":"Ann \"Annie\" Lee"}"#))
  }
}
