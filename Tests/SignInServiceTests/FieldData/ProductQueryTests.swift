import SignInService
import Testing

@Suite("Texts of searches for products")
struct ProductQueryTests {
  @Test(
    "T-16 the case of letters, spaces and hyphens have no effect on a serial number",
    arguments: [
      ("SN-12 34", "sn1234"), ("sn1234", "sn1234"), (" -1- ", "1"), ("Å-1", "Å1"),
    ])
  func serialNumber(_ typed: String, _ text: String) {
    #expect(ProductQuery(typed).serialNumber?.text == text)
    #expect(ServiceRequestQuery(typed).number?.text == text)
  }

  @Test(
    "T-16 a name is compared with its spaces inside, in lower case",
    arguments: [(" Dish Washer ", "dish washer"), ("KÜHL", "kÜhl"), ("-", "-")])
  func name(_ typed: String, _ text: String) {
    #expect(ProductQuery(typed).name?.text == text)
  }

  @Test("T-16 a blank text finds everything; hyphens alone are no number", arguments: ["", "  "])
  func blank(_ text: String) {
    #expect(ProductQuery(text) == ProductQuery())
    #expect(ServiceRequestQuery(text) == ServiceRequestQuery())
    #expect(ProductQuery("- -").serialNumber == nil && ProductQuery("- -").name != nil)
    #expect(ServiceRequestQuery("- -").number == nil)
  }
}
