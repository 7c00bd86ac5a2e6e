import Cryptography
import HTTPServer
import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP
@testable import SignInService

@Suite("Keys of service accounts")
struct ServiceKeyTests {
  private static func rsa(_ more: [JSONMember] = [], modulus: String = RSAAssertions.modulus)
    -> JSON
  {
    .object(
      [
        JSONMember("kty", "RSA"), JSONMember("kid", "r-1"), JSONMember("n", modulus),
        JSONMember("e", "AQAB"),
      ] + more)
  }

  private static func set(_ keys: [JSON]) -> [UInt8] {
    JSON.members([JSONMember("keys", .array(keys))]).utf8
  }

  private func program(_ keys: [JSON], audiences: [String] = []) async throws -> ServiceProgram {
    let account = ServiceAccount(
      id: ClientID("planning"), name: "Planning", scopes: [.writeJobs, .introspect],
      organization: nil, credential: try ServiceAccount.Credential(keySet: Self.set(keys)),
      audiences: audiences)
    return ServiceProgram(
      server: try await TestServer(serviceAccounts: [account], throttlesOrigins: false))
  }

  @Test("An assertion is accepted in the algorithm of its key and in no other")
  func algorithms() async throws {
    let elliptic = ServiceProgram.key.publicKey.jwk(keyID: "k-1")
    let alg = { (name: String) in [JSONMember("alg", name)] }
    let cases: [(key: JSON, rs256: Int, ps256: Int, es256: Int)] = [
      (Self.rsa(), 200, 401, 401), (Self.rsa(alg("RS256")), 200, 401, 401),
      (Self.rsa(alg("PS256")), 401, 200, 401), (elliptic, 401, 401, 200),
    ]
    for (key, rs256, ps256, es256) in cases {
      let program = try await program([key])

      #expect(await program.askWithAssertion(RSAAssertions.rs256).status == rs256, "\(key)")
      #expect(await program.askWithAssertion(RSAAssertions.ps256).status == ps256, "\(key)")
      #expect(await program.askWithAssertion(program.assertion()).status == es256, "\(key)")
      // The public key must not work as a secret.
      #expect(await program.askWithAssertion(RSAAssertions.hs256).status == 401, "\(key)")
    }
    let both = try await program([elliptic, Self.rsa()])
    #expect(await both.askWithAssertion(RSAAssertions.rs256).status == 200)
    #expect(await both.askWithAssertion(both.assertion()).status == 200)
    #expect(await both.askWithAssertion(RSAAssertions.ps256).status == 401)
  }

  @Test("A key for another use, algorithm or length reports the mistake")
  func mistakes() {
    func problem(_ key: JSON) -> String? {
      do throws(ServiceCredentialMistake) {
        _ = try ServiceAccount.Credential(keySet: Self.set([key]))
        return nil
      } catch {
        return error.problem
      }
    }
    let elliptic = ServiceProgram.key.publicKey.jwk(keyID: "k-1").objectMembers ?? []
    let other = elliptic.filter { $0.key != "alg" } + [JSONMember("alg", "RS256")]
    let short = Base64URL.encode([UInt8](repeating: 0xFF, count: 128))

    #expect(problem(Self.rsa()) == nil)
    #expect(problem(Self.rsa([JSONMember("use", "sig")])) == nil)
    #expect(problem(Self.rsa([JSONMember("use", "enc")]))?.contains("keys[0].use") == true)
    #expect(problem(Self.rsa([JSONMember("alg", "ES256")]))?.contains("RS256 or PS256") == true)
    #expect(problem(Self.rsa([JSONMember("alg", "RS512")]))?.contains("RS256 or PS256") == true)
    for member in ["d", "p", "q", "dp", "dq", "qi", "oth"] {
      #expect(problem(Self.rsa([JSONMember(member, "AA")]))?.contains("private") == true)
    }
    let verifying = JSON.array([.string("verify")])
    let encrypting = JSON.array([.string("encrypt")])
    #expect(problem(Self.rsa([JSONMember("key_ops", verifying)])) == nil)
    #expect(problem(Self.rsa([JSONMember("key_ops", encrypting)]))?.contains("key_ops") == true)
    let even = Base64URL.encode([UInt8](repeating: 0xFE, count: 256))
    #expect(problem(Self.rsa(modulus: even))?.contains("cannot be read") == true)
    #expect(problem(Self.rsa(modulus: short))?.contains("1024 bits") == true)
    #expect(problem(Self.rsa(modulus: "*"))?.contains("base64url") == true)
    #expect(problem(.object(other))?.contains("is not ES256") == true)
    #expect(problem(.object([JSONMember("kty", "oct")]))?.contains("neither EC nor RSA") == true)
  }

  @Test("A token is for this server, or for the one configured API that was requested")
  func audiences() async throws {
    let api = "https://api.example.com"
    let key = ServiceProgram.key.publicKey.jwk(keyID: "k-1")
    let other = try await program([key], audiences: [api])
    func answer(_ resource: String?) async -> HTTPResponse {
      var parameters = [
        "client_assertion_type": ServiceCredentials.assertionType,
        "client_assertion": other.assertion(),
      ]
      parameters["resource"] = resource
      return await other.ask(parameters)
    }
    func audience(_ answer: HTTPResponse) -> JSON? {
      CompactJWS(parsing: answer.json["access_token"]?.text ?? "")?.claims["aud"]
    }

    let unnamed = await answer(nil)
    let one = await answer(api)
    let own = await answer(TestServer.issuer)
    let none = await answer("https://other.example.com")
    func status(_ answer: HTTPResponse) async -> Int {
      let field = HTTPField("Authorization", "Bearer \(answer.json["access_token"]?.text ?? "")")
      return await other.server.get("/admin/jobs/unknown", [field]).status
    }
    func isActive(_ answer: HTTPResponse) async throws -> Bool? {
      let parameters = [
        "client_assertion_type": ServiceCredentials.assertionType,
        "client_assertion": other.assertion(), "token": answer.json["access_token"]?.text ?? "",
      ]
      let form = Form(parameters.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })
      let described = await other.server.answer(
        HTTPRequest(
          method: .post, path: Endpoint.introspect.path,
          fields: [HTTPField("Content-Type", "application/x-www-form-urlencoded")],
          body: Array(form.encoded.utf8)))
      return described.json["active"]?.flag
    }
    #expect(audience(unnamed) == .string(TestServer.issuer))
    #expect(audience(one) == .string(api))
    #expect(audience(own) == .string(TestServer.issuer))
    #expect(await status(unnamed) == 404)
    // A token for another API opens nothing here but is active in an introspection.
    #expect(await status(one) == 401)
    #expect(try await isActive(one) == true)
    #expect(none.status == 400 && none.json["error"]?.text == "invalid_target")
  }
}

/// Assertions of `planning` at the time of `TestServer`, made by Python's `cryptography` 50.0.2.
enum RSAAssertions {
  static let modulus =
    "w5WDzBoIBYZgtDrG34c3C38HW1B1RaUa_X9EX_hMoErUBRFLOUN2xJIid8n6Z-fkmtwJoWkbK7AMwF-W"
    + "XzyGbVij8wk7H9GLbua_CNlMY6HvtVGq2VgVbWG44RrxFrHDNbMksOt8CIXLE4HeN4lP37axNE6n5d6e"
    + "4JHYYU6Nejc-Mv1TD6YC2vJnRNScPouXkhDbGcgrP0VhTco7Z1g4rVxs-H1nR87eJk-A8ygQFN18hrNz"
    + "nfZfj3XwG8FrSTIQZX3SZR4YhBHFBhmCrNfEQjgJJhg_0k_aS_32tCQTBfH8NVw6LQVnfkkQKBw_2pzh"
    + "qwSNSuOJiTGkib3dqIc1Uw"
  static let rs256 =
    "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6InItMSJ9.eyJpc3MiOiJwbGFubmluZyIsInN"
    + "1YiI6InBsYW5uaW5nIiwiYXVkIjoiaHR0cDovLzEyNy4wLjAuMTo4MDgwIiwiaWF0IjoxODAwMDAwMDA"
    + "wLCJleHAiOjE4MDAwMDAwNjAsImp0aSI6InJzYS1SUzI1NiJ9.Wyp2M94jUQSfqDcJQacALGMyYR8Tjv"
    + "hKRRSfhFayo2F_8oB156by3nvL6Zfeusk5FL0shz_08RDvOYtrSVJ5kpcF9BfvN5Ya3AKUnQMGpCEydt"
    + "cGyh4L6fAW82GsZEH7vbIkuClxESPrk5T74GmGxLt6aeYeAo874MhLn6kWJsP6Xy3GY-ZaMH81btG7QP"
    + "s8qUtQlOM_qmHKjxXYmrd8HjuRSVXehwIYurfbVjVWjX4T-rqQ-b1Ki7WGwHzn9tEp_DiqQ1FWg7O1hv"
    + "MxwnQHDAdpqHR3WKECLnaJghKbHl1qbM_eH21ZY5smwk7hlyrVNgDTP3VphjHjST0T-y3stA"
  static let ps256 =
    "eyJhbGciOiJQUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6InItMSJ9.eyJpc3MiOiJwbGFubmluZyIsInN"
    + "1YiI6InBsYW5uaW5nIiwiYXVkIjoiaHR0cDovLzEyNy4wLjAuMTo4MDgwIiwiaWF0IjoxODAwMDAwMDA"
    + "wLCJleHAiOjE4MDAwMDAwNjAsImp0aSI6InJzYS1QUzI1NiJ9.Ojkux74eBLTb1wF1hgq1Ll87t4-Dwg"
    + "ze7ZBj9pg6XmOSPSyuxaas4qlPgOlHB4kKOH01n7LQ6Ko0MMk0kavrYMz9mAyxa53zHLcNve8aEprWZ3"
    + "tmOi_C5iGCe_HN9s_Hn-2NCpGjC_zJ5RzYIVLIUeyNA7_5Xr3rer3hH8K5TezEIxVltfUEIdUtAyPrFA"
    + "dSn7V9HmFpnC7jDZrKGGOLIaNSW_wiUf8q7xXyYjYDhcQJC_bg9VGyVcXRcdQ7mtwUNEtmp-SXQQz7zk"
    + "9MmAwZP55Xu6QZc5HmIOjzqlBKrL3uN0PYyFvAsDeNoUwkVTxTqPYVcLp2aKoBj5x7EHNPcA"
  /// An HS256 assertion with the modulus as its secret.
  static let hs256 =
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6InItMSJ9.eyJpc3MiOiJwbGFubmluZyIsInN"
    + "1YiI6InBsYW5uaW5nIiwiYXVkIjoiaHR0cDovLzEyNy4wLjAuMTo4MDgwIiwiaWF0IjoxODAwMDAwMDA"
    + "wLCJleHAiOjE4MDAwMDAwNjAsImp0aSI6InJzYS1IUzI1NiJ9.9QVDPV3ZF_aFEdl6e7Bysxw1H3qrPY"
    + "zLNVb5KKTJFcg"
}
