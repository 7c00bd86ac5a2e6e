import Cryptography
import HTTPServer
import JSONText
import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP
@testable import SignInService

@Suite("Service accounts")
struct ServiceAccountTests {
  private func program(
    secret: String? = ServiceProgram.secret, throttlesOrigins: Bool = true
  ) async throws -> ServiceProgram {
    let server = try await TestServer(
      serviceAccounts: [try ServiceProgram.account(secret: secret)],
      throttlesOrigins: throttlesOrigins)
    return ServiceProgram(server: server)
  }

  private func events(_ server: TestServer) async throws -> [SecurityEvent] {
    await server.world.linkEvents()
    return try await server.world.store.read { (transaction) throws(StoreFault) in
      try transaction.events(after: 0, limit: 1000)
    }
  }

  @Test("A secret in the form or in HTTP Basic gets an RFC 9068 token without a session")
  func secrets() async throws {
    let program = try await program()
    let basic = ServiceProgram.basic("planning", ServiceProgram.secret)

    for answer in [await program.askWithSecret(), await program.ask([:], [basic])] {
      #expect(answer.status == 200)
      #expect(answer.json["token_type"]?.text == "Bearer")
      #expect(answer.json["expires_in"] == .int(ServiceAccount.tokenSeconds))
      #expect(answer.json["scope"]?.text == "jobs:write changes:read")
      #expect(answer.json["refresh_token"] == nil && answer.json["session"] == nil)
      let jws = try #require(CompactJWS(parsing: answer.json["access_token"]?.text ?? ""))
      #expect(jws.header["typ"]?.text == "at+jwt")
      #expect(jws.claims["sub"]?.text == "planning")
      #expect(jws.claims["client_id"]?.text == "planning")
      #expect(jws.claims["sid"] == nil)
    }
    let issued = try await events(program.server).filter { $0.code == .serviceTokenIssued }
    #expect(issued.map(\.client) == [ClientID("planning"), ClientID("planning")])
    #expect(issued.allSatisfy { $0.detail == TestServer.issuer })
  }

  @Test("A secret with characters that forms encode is accepted encoded and as it is")
  func encodedSecret() async throws {
    let secret = "a+b/c%20d=" + String(repeating: "s", count: 32)
    let program = try await program(secret: secret)
    let encoded = Form([.init("v", secret)]).encoded.dropFirst(2)

    for text in [secret, String(encoded)] {
      let answer = await program.ask([:], [ServiceProgram.basic("planning", text)])
      #expect(answer.status == 200)
    }
  }

  @Test("A wrong secret and an unknown account get the same answer: 401, with a scheme, and logged")
  func wrongSecret() async throws {
    let program = try await program()
    let wrong = String(repeating: "t", count: 32)

    let answers = [
      await program.askWithSecret(wrong),
      await program.ask(["client_id": "unknown", "client_secret": ServiceProgram.secret]),
      await program.ask([:], [ServiceProgram.basic("planning", wrong)]),
    ]

    for answer in answers {
      #expect(answer.status == 401 && answer.json["error"]?.text == "invalid_client")
      #expect(answer.json == answers[0].json)
      #expect(answer.fields.contains { $0.isNamed("www-authenticate") })
    }
    let refused = try await events(program.server).filter { $0.code == .serviceRefused }
    #expect(refused.map(\.client) == [ClientID("planning"), nil])
    #expect(refused.first?.detail == "secret")
  }

  @Test("No credential, two credentials or a different client_id are refused by name")
  func ways() async throws {
    let program = try await program()
    let basic = ServiceProgram.basic("planning", ServiceProgram.secret)

    let none = await program.ask(["client_id": "planning"])
    let two = await program.ask(["client_secret": ServiceProgram.secret], [basic])
    let other = await program.ask(["client_id": "other"], [basic])
    let scheme = await program.ask([:], [HTTPField("Authorization", "Bearer x")])

    #expect(none.status == 401 && none.json["error"]?.text == "invalid_client")
    #expect(two.status == 400 && two.json["error"]?.text == "invalid_request")
    #expect(other.status == 400 && other.json["error"]?.text == "invalid_request")
    #expect(scheme.status == 401 && scheme.json["error"]?.text == "invalid_client")
  }

  @Test("The last wrong secret of an address is refused, and afterwards the right one too")
  func throttled() async throws {
    let program = try await program()
    let limit = ServiceFailures.addressLimitPerHour
    let wrong = String(repeating: "t", count: 32)
    for _ in 1..<limit { _ = await program.askWithSecret(wrong) }

    #expect(await program.askWithSecret().status == 200)
    #expect(await program.askWithSecret(wrong).status == 401)
    let refused = await program.askWithSecret()
    #expect(refused.status == 429 && refused.json["error"]?.text == "rate_limited")
    #expect(refused.fields.contains { $0.isNamed("retry-after") })

    program.server.clock.advance(seconds: Throttle.Limit.hourSeconds)
    #expect(await program.askWithSecret().status == 200)
  }

  @Test("A scope of the account is granted alone; a scope it lacks refuses the request")
  func scopes() async throws {
    let program = try await program()

    let one = await program.askWithSecret(scope: "changes:read")
    let many = await program.askWithSecret(scope: "changes:read products:write")

    #expect(one.json["scope"]?.text == "changes:read")
    #expect(many.status == 400 && many.json["error"]?.text == "invalid_scope")
  }

  @Test("An assertion gets a token once; its repetition is refused, even after a restart")
  func assertions() async throws {
    let program = try await program(secret: nil)
    let assertion = program.assertion()

    #expect(await program.askWithAssertion(assertion).status == 200)
    #expect(await program.askWithAssertion(assertion).json["error"]?.text == "invalid_client")
    let account = try ServiceProgram.account(secret: nil)
    let restarted = ServiceProgram(
      server: program.server.restarted(with: [], serviceAccounts: [account]))
    #expect(await restarted.askWithAssertion(assertion).status == 401)
    #expect(await restarted.askWithAssertion(program.assertion()).status == 200)
    let details = try await events(program.server).compactMap(\.detail)
    #expect(details.contains("assertion_repeated"))
  }

  @Test("An assertion with one mistake is refused")
  func wrongAssertions() async throws {
    let program = try await program(secret: nil, throttlesOrigins: false)
    let now = program.server.clock.now().seconds
    let limit = now + ServiceAccount.assertionSeconds + ServiceAssertion.clockToleranceSeconds
    let expired = now - ServiceAssertion.clockToleranceSeconds
    let long = String(repeating: "j", count: ServiceAssertion.identifierLimits.upperBound)
    let wrong: [[String: JSON]] = [
      ["iss": .string("other")], ["sub": .string("other")], ["iss": .null],
      ["aud": .string("https://other.example")],
      ["aud": .array([.string(TestServer.issuer), .string("https://other.example")])],
      ["aud": .null],
      ["aud": .array([])], ["exp": .null], ["exp": .int(expired)], ["exp": .int(limit + 1)],
      ["jti": .null], ["jti": .string("")], ["jti": .string(long + "j")],
      ["iat": .int(now + ServiceAssertion.clockToleranceSeconds + 1)], ["nbf": .string("x")],
    ]
    for claims in wrong {
      let answer = await program.askWithAssertion(program.assertion(claims))
      #expect(answer.status == 401, "\(claims)")
    }
    let right: [[String: JSON]] = [
      ["exp": .int(expired + 1)], ["exp": .int(limit)], ["jti": .string(long)],
      ["aud": .string(TestServer.issuer + Endpoint.token.path)],
      [
        "aud": .array([
          .string(TestServer.issuer), .string(TestServer.issuer + Endpoint.token.path),
        ])
      ],
      ["iat": .int(now + ServiceAssertion.clockToleranceSeconds)],
    ]
    for claims in right {
      let answer = await program.askWithAssertion(program.assertion(claims))
      #expect(answer.status == 200, "\(claims)")
    }
    for (header, key) in [
      (["alg": .string("none")], ServiceProgram.key),
      (["alg": .string("HS256")], ServiceProgram.key),
      (["kid": .string("k-2")], ServiceProgram.key), (["crit": .array([])], ServiceProgram.key),
      ([:], SigningKey.generate()),
    ] as [([String: JSON], SigningKey)] {
      let answer = await program.askWithAssertion(program.assertion(header: header, key: key))
      #expect(answer.status == 401, "\(header)")
    }
  }

  @Test("A proof binds the token to its key")
  func bound() async throws {
    let program = try await program()
    let device = Device(server: program.server)
    let answer = await program.ask(
      ["client_id": "planning", "client_secret": ServiceProgram.secret],
      [device.proof("POST", Endpoint.token.path)])

    #expect(answer.json["token_type"]?.text == "DPoP")
    let jws = try #require(CompactJWS(parsing: answer.json["access_token"]?.text ?? ""))
    #expect(jws.claims["cnf"]?["jkt"]?.text == device.key.publicKey.thumbprint)
  }

  @Test("A service account's token opens no route of a person")
  func otherRoutes() async throws {
    let program = try await program()
    let token = try await program.token()

    for path in [Endpoint.me.path, Endpoint.jobs.path, Endpoint.adminAccounts.path] {
      let answer = await program.server.get(path, [HTTPField("Authorization", "Bearer \(token)")])
      #expect(answer.status == 401, "\(path)")
    }
  }

  @Test(
    "A secret of 31 or 513 bytes is refused, of 32 and 512 accepted", arguments: [31, 32, 512, 513])
  func secretLength(_ length: Int) {
    let secret = Secret(String(repeating: "s", count: length))
    let isTaken = (try? ServiceAccount.Credential(secret: secret)) != nil

    #expect(isTaken == ServiceAccount.secretByteLimits.contains(length))
  }

  @Test("A key set with a private key, no key, too many keys or another curve reports the mistake")
  func keySets() throws {
    let key = ServiceProgram.key.publicKey.jwk(keyID: "k-1")
    func set(_ keys: [JSON]) -> [UInt8] { JSON.members([JSONMember("keys", .array(keys))]).utf8 }
    func problem(_ bytes: [UInt8]) -> String? {
      do throws(ServiceCredentialMistake) {
        _ = try ServiceAccount.Credential(keySet: bytes)
        return nil
      } catch {
        return error.problem
      }
    }
    let members = key.objectMembers ?? []
    let hidden = JSON.object(members + [JSONMember("d", "AA")])
    let unnamed = JSON.object(members.filter { $0.key != "kid" })
    let most = ServiceKey.countLimits.upperBound

    #expect(problem(set([key])) == nil)
    #expect(problem(set(Array(repeating: unnamed, count: most))) == nil)
    #expect(problem(set(Array(repeating: unnamed, count: most + 1)))?.contains("17 keys") == true)
    #expect(problem(set([]))?.contains("0 keys") == true)
    #expect(problem(set([key, key]))?.contains("the same id") == true)
    #expect(problem(set([hidden]))?.contains("private") == true)
    #expect(problem(set([.object([JSONMember("kty", "RSA")])]))?.contains("of 0 bits") == true)
    #expect(problem(set([.object([JSONMember("kty", "EC")])]))?.contains("P-256") == true)
    #expect(problem(Array("{".utf8)) == "is not JSON")
  }
}
