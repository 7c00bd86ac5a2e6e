import Cryptography
import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Proofs and tokens over HTTP")
struct ProofTests {
  @Test("T-01 a technician signs in and reads the assigned jobs")
  func whole() async throws {
    let device = Device(server: try await TestServer())
    let (token, json) = try await device.signIn()

    let jobs = await device.get(Endpoint.jobs.path, token: token)
    let me = await device.get(Endpoint.me.path, token: token)

    #expect(json["token_type"]?.text == "DPoP")
    #expect(json["session"]?["id"]?.text != nil)
    #expect(jobs.status == 200)
    #expect(try JSONReader.read(jobs.body)["jobs"]?.elements?.count == 6)
    #expect(try JSONReader.read(me.body)["email"]?.text == "tech@example.com")
  }

  static let flaws: [(String, Device.Flaws)] = [
    ("alg none", Device.Flaws(header: ["alg": .string("none")])),
    ("alg HS256", Device.Flaws(header: ["alg": .string("HS256")])),
    ("another typ", Device.Flaws(header: ["typ": .string("JWT")])),
    ("a typ of another kind", Device.Flaws(header: ["typ": .string("text/dpop+jwt")])),
    ("no typ", Device.Flaws(header: ["typ": .null])),
    ("no key", Device.Flaws(header: ["jwk": .null])),
    (
      "a private key",
      Device.Flaws(header: [
        "jwk": .members([
          JSONMember("kty", "EC"), JSONMember("crv", "P-256"), JSONMember("x", "AA"),
          JSONMember("y", "AA"), JSONMember("d", "AA"),
        ])
      ])
    ),
    (
      "a point off the curve",
      Device.Flaws(header: [
        "jwk": .members([
          JSONMember("kty", "EC"), JSONMember("crv", "P-256"),
          JSONMember("x", Base64URL.encode([UInt8](repeating: 1, count: 32))),
          JSONMember("y", Base64URL.encode([UInt8](repeating: 1, count: 32))),
        ])
      ])
    ),
    ("critical headers", Device.Flaws(header: ["crit": .array([.string("exp")])])),
    ("another method", Device.Flaws(claims: ["htm": .string("GET")])),
    ("another address", Device.Flaws(claims: ["htu": .string("http://evil.example/oauth/token")])),
    ("no identifier", Device.Flaws(claims: ["jti": .null])),
    ("an endless identifier", Device.Flaws(identifier: String(repeating: "j", count: 129))),
    ("a future time", Device.Flaws(claims: ["iat": .int(1_800_000_061)])),
    ("an old time", Device.Flaws(claims: ["iat": .int(1_799_999_939)])),
    ("another's signature", Device.Flaws(signer: SigningKey.generate())),
  ]

  @Test("L-18 flawed proofs are refused", arguments: flaws.indices)
  func flawed(_ index: Int) async throws {
    let device = Device(server: try await TestServer())
    let proof = device.proof("POST", Endpoint.challenge.path, Self.flaws[index].1)

    let answer = await device.post(
      Endpoint.challenge.path,
      [("client_id", "technician-app")],
      proof: [proof]
    )

    #expect(answer.status == 400, "\(Self.flaws[index].0)")
    #expect(answer.json["error"]?.text == "invalid_dpop_proof", "\(Self.flaws[index].0)")
  }

  @Test("P-09 a proof for another address or method is answered with the expected one")
  func expectedAddress() async throws {
    let device = Device(server: try await TestServer())
    let path = Endpoint.challenge.path

    for (claims, expected) in [
      (["htu": .string("http://evil.example" + path)], "htu must be `\(TestServer.issuer)\(path)`"),
      (["htm": .string("GET")], "htm must be POST"),
    ] as [([String: JSON], String)] {
      let answer = await device.post(
        path, [("client_id", "technician-app")],
        proof: [device.proof("POST", path, Device.Flaws(claims: claims))])
      #expect(answer.json["error_description"]?.text?.contains(expected) == true)
    }
  }

  @Test("P-09 a missing proof, and a proof without ath, are answered with what is missing")
  func missingParts() async throws {
    let device = Device(server: try await TestServer())
    let (token, _) = try await device.signIn()
    let (path, jobs) = (Endpoint.challenge.path, Endpoint.jobs.path)

    let none = await device.post(path, [("client_id", "technician-app")], proof: [])
    #expect(none.json["error_description"]?.text?.contains("DPoP is missing") == true)
    for (claims, expected) in [
      (["ath": .null], "ath is missing"), (["ath": .string("A")], "ath is of another token"),
    ] as [([String: JSON], String)] {
      let proof = device.proof("GET", jobs, token: token, Device.Flaws(claims: claims))
      let answer = await device.get(jobs, token: token, proof: [proof])
      #expect(answer.status == 401)
      #expect(String(decoding: answer.body, as: UTF8.self).contains(expected))
    }
  }

  @Test(
    "RFC 7515 section 4.1.9: typ is compared as a media type",
    arguments: ["DPoP+JWT", "application/dpop+jwt", "Application/DPoP+jwt"])
  func type(_ type: String) async throws {
    let device = Device(server: try await TestServer())
    let (token, _) = try await device.signIn()
    let path = Endpoint.jobs.path
    let proof = device.proof(
      "GET", path, token: token, Device.Flaws(header: ["typ": .string(type)]))

    #expect(await device.get(path, token: token, proof: [proof]).status == 200)
  }

  @Test("RFC 9110 section 11.4: several blanks can follow the scheme of a token")
  func blanks() async throws {
    let device = Device(server: try await TestServer())
    let (token, _) = try await device.signIn()
    let path = Endpoint.jobs.path

    for scheme in ["DPoP ", "dpop  "] {
      #expect(await device.get(path, token: token, scheme: scheme).status == 200)
    }
    for field in ["", " ", "DPoP", "DPoP \(token) x"] {
      let answer = await device.server.get(
        path, [HTTPField("Authorization", field), device.proof("GET", path, token: token)])
      #expect(answer.status == 401)
    }
  }

  @Test("L-18 a missing, repeated, malformed or reused proof is refused")
  func counted() async throws {
    let device = Device(server: try await TestServer())
    let path = Endpoint.challenge.path
    let one = device.proof("POST", path)

    for proofs in [[], [one, device.proof("POST", path)], [HTTPField("DPoP", "a.b")]] {
      let answer = await device.post(path, [("client_id", "technician-app")], proof: proofs)
      #expect(answer.json["error"]?.text == "invalid_dpop_proof")
    }
    let first = await device.post(path, [("client_id", "technician-app")], proof: [one])
    #expect(first.json["error"]?.text != "invalid_dpop_proof")
    let again = await device.post(path, [("client_id", "technician-app")], proof: [one])
    #expect(again.json["error"]?.text == "invalid_dpop_proof")
  }

  @Test("L-29 a device's clock may differ by a minute", arguments: [-60, 60] as [Int64])
  func tolerance(_ seconds: Int64) async throws {
    let device = Device(server: try await TestServer())
    let flaws = Device.Flaws(claims: ["iat": .int(1_800_000_000 + seconds)])
    let proof = device.proof("POST", Endpoint.challenge.path, flaws)

    let answer = await device.post(
      Endpoint.challenge.path,
      [("client_id", "technician-app")],
      proof: [proof]
    )

    #expect(answer.json["error"]?.text == "unsupported_response_type")
  }

  @Test("L-18 a bound token does not work as Bearer, with another key, or with another's proof")
  func bound() async throws {
    let server = try await TestServer()
    let device = Device(server: server)
    let attacker = Device(server: server)
    let (token, json) = try await device.signIn()
    let path = Endpoint.jobs.path
    let idToken = try #require(json["id_token"]?.text)
    let refresh = try #require(json["refresh_token"]?.text)

    #expect(await device.get(path, token: token, scheme: "Bearer").status == 401)
    #expect(await attacker.get(path, token: token).status == 401)
    #expect(await device.get(path, token: token, proof: [device.proof("GET", path)]).status == 401)
    #expect(await device.get(path, token: idToken).status == 401)
    #expect(await device.get(path, token: refresh).status == 401)
    #expect(await device.get(path, token: token + "x").status == 401)
    #expect(await server.get(path).status == 401)
    let two = [
      HTTPField("Authorization", "DPoP \(token)"), HTTPField("Authorization", "DPoP \(token)"),
    ]
    #expect(await server.get(path, two + [device.proof("GET", path, token: token)]).status == 401)
    let refused = await device.get(path, token: token, scheme: "Bearer")
    let challenge = refused.fields.first { $0.name == "WWW-Authenticate" }
    #expect(challenge?.value.contains("DPoP error=\"invalid_token\"") == true)
  }

  @Test(
    "An access token expires to the second", arguments: [(-1, 200), (0, 401)] as [(Int64, Int)])
  func expiry(_ offset: Int64, _ status: Int) async throws {
    let device = Device(server: try await TestServer())
    let (token, json) = try await device.signIn()
    device.server.clock.advance(seconds: (json["expires_in"]?.number ?? 0) + offset)

    #expect(await device.get(Endpoint.jobs.path, token: token).status == status)
  }

  @Test("Signing out ends the access token at once")
  func signedOut() async throws {
    let device = Device(server: try await TestServer())
    let (token, json) = try await device.signIn()
    let refresh = try #require(json["refresh_token"]?.text)
    let revoked = await device.post(
      Endpoint.revoke.path,
      [("client_id", "technician-app"), ("token", refresh)]
    )

    #expect(revoked.status == 200)
    #expect(await device.get(Endpoint.me.path, token: token).status == 401)
    let renewed = await device.post(
      Endpoint.token.path,
      [
        ("grant_type", "refresh_token"), ("client_id", "technician-app"),
        ("refresh_token", refresh),
      ]
    )
    #expect(renewed.json["reason"]?.text == "signed_out")
  }
}
