import Cryptography
import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Identifiers of unknown accounts")
struct UnknownIdentifierTests {
  /// The text that identifies the unknown number in the app.
  private func text(in test: TestWorld) -> String {
    "\(TestWorld.unknownPhone) " + test.client.roles.map(\.rawValue).joined(separator: " ")
  }

  @Test("T-03 wrong passwords for a typed text do not lock an unknown number")
  func passwords() async throws {
    let test = try await TestWorld(client: TestWorld.phoneApp(.concealed))

    var answers: [ErrorCode] = []
    for _ in 0..<6 { answers.append(await test.begin("wrong", username: text(in: test)).code) }

    #expect(answers.last == .accountLocked)
    #expect(try await test.beginPhone(TestWorld.unknownPhone).code == .insufficientAuthorization)
  }

  @Test("T-03 the counters of e-mail addresses, typed texts and phone numbers are different")
  func kinds() throws {
    let keyring = try KeyringSample.keyring()
    let phone = UnknownIdentifier.phone(
      try PhoneNumber(parsing: "+4790000001"), roles: [.technician, .rider])

    #expect(phone.text == "+4790000001 rider technician")
    #expect(UnknownIdentifier(typed: phone.text) == .text(phone.text))
    #expect(keyring.unknownAccount(.text(phone.text)) != keyring.unknownAccount(phone))
  }

  @Test("T-03 the counters that stores have today for addresses and numbers keep their keys")
  func stored() throws {
    let keyring = try KeyringSample.keyring()
    func key(_ text: String) -> AccountID {
      let code = HMACSHA256.code(for: Array(text.utf8), key: keyring.unknownAccountKeys)
      return AccountID("?" + Base64URL.encode(code))
    }

    let email = UnknownIdentifier(typed: "Tara@Example.com")
    let phone = UnknownIdentifier.phone(try PhoneNumber(parsing: "+4790000001"), roles: [.rider])

    #expect(keyring.unknownAccount(email) == key("tara@example.com"))
    #expect(keyring.unknownAccount(phone) == key("+4790000001 rider"))
  }
}
