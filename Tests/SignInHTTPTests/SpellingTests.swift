import Cryptography
import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

/// Addresses and numbers as people paste them, at each place that takes one.
@Suite("Spellings of addresses and numbers in requests")
struct SpellingTests {
  @Test("L-54 an edited account gets the canonical address and number")
  func edited() async throws {
    let server = try await TestServer()
    let administrator = try await Person.administrator(at: server)
    func edit(_ body: String) async -> HTTPResponse {
      await administrator.call(.patch, "/admin/accounts/technician", body)
    }

    let address = await edit(#"{"email":"\u00a0\u2039INFO@M\u00dcNCHEN.example.\u203a\u200b"}"#)
    #expect(address.json["email"]?.text == "info@xn--mnchen-3ya.example")
    let number = await edit(#"{"phone_number":"\u202a+44\u00a0(0)7700 900\u2011123\u202c"}"#)
    #expect(number.json["phone_number"]?.text == "+447700900123")

    let doubtful = await edit(#"{"phone_number":"+39 (0)347 123 4567"}"#)
    #expect(doubtful.status == 400)
    #expect(String(decoding: doubtful.body, as: UTF8.self).contains("0 after its calling code"))
    for body in [
      #"{"email":"m\u0435ntor@example.com"}"#, #"{"email":"men\u200dtor@example.com"}"#,
      #"{"email":"men\u2800tor@example.com"}"#, #"{"name":"\u00a0\u2003"}"#,
      #"{"name":"An\u200dna"}"#,
    ] {
      #expect(await edit(body).status == 400, "\(body)")
    }
  }

  @Test("L-54 a product goes to the owner of an address that was pasted with blanks")
  func transferred() async throws {
    let server = try await TestServer()
    let owner = try await Person.owner(at: server)
    let receiver = try await Person.newOwner(at: server)

    let answer = await owner.call(
      .post, ProductTests.transfer("product-002"), #"{"to":"\u00a0<New-Owner@example.com>\u200b"}"#)
    #expect(answer.json["to"]?.text == "new-owner@example.com")
    #expect(try await receiver.sync().products.map(\.id.text) == ["product-002"])
    let refused = await owner.call(
      .post, ProductTests.transfer("product-003"), #"{"to":"n\u0435w-owner@example.com"}"#)
    #expect(refused.status == 400)
  }

  @Test("L-54 a sign-in understands the spellings of an address, and digits of any script as code")
  func signedIn() async throws {
    let server = try await TestServer()
    let device = Device(server: server)
    let begun = await device.post(
      Endpoint.challenge.path,
      [
        ("response_type", "code"), ("client_id", "technician-app"), ("scope", "openid"),
        ("code_challenge", Base64URL.encode(SHA256Digest.of(device.verifier))),
        ("code_challenge_method", "S256"), ("username", "\u{FEFF}‹TECH＠example.com.›"),
        ("password", "demo-Technician-1"),
      ])
    let session = try #require(begun.json["auth_session"]?.text)
    let code = await server.sentCode()
    let devanagari = code.unicodeScalars.compactMap { Unicode.Scalar($0.value - 0x30 + 0x966) }
    var otp = String.UnicodeScalarView()
    otp.append(contentsOf: devanagari)

    let proved = await device.post(
      Endpoint.challenge.path,
      [("client_id", "technician-app"), ("auth_session", session), ("otp", "\u{A0}" + String(otp))])
    #expect(proved.json["authorization_code"]?.text != nil)
  }

  @Test("L-54 the search of the console reads addresses and numbers like every other field")
  func found() async throws {
    let server = try await TestServer()
    let administrator = try await Person.administrator(at: server)

    for query in [
      "%E2%80%B9TECH%40example.com.%E2%80%BA", "%C2%A0tech%EF%BC%A0EXAMPLE.com",
      "%2B1%20(555)%20010%E2%80%911234", "0015550101234",
      "%EF%BC%8B%EF%BC%91555%20010%201234",
    ] {
      let list = await administrator.call(
        .get, Endpoint.adminAccounts.path, query: "query=\(query)")
      let ids = list.json["accounts"]?.elements?.compactMap { $0["id"]?.text }
      #expect(ids == ["technician"], "\(query)")
    }
  }
}
