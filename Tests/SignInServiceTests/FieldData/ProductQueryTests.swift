import SignInModel
import SignInService
import Testing

@Suite("Texts of searches for products and requests")
struct ProductQueryTests {
  @Test(
    "T-16 the case of letters, spaces and hyphens have no effect on the number of a request",
    arguments: [
      ("SN-12 34", "sn1234"), ("sn1234", "sn1234"), (" -1- ", "1"), ("\u{A0}ｓｎ‑1", "sn1"),
    ])
  func number(_ typed: String, _ text: String) {
    #expect(ServiceRequestQuery(typed).number?.text == text)
  }

  @Test("T-16 a blank text finds everything; hyphens alone are no number", arguments: ["", "  "])
  func blank(_ text: String) {
    #expect(ProductQuery(text) == ProductQuery())
    #expect(ServiceRequestQuery(text) == ServiceRequestQuery())
    #expect(!ProductQuery("- -").words.isEmpty && ServiceRequestQuery("- -").number == nil)
  }
}
