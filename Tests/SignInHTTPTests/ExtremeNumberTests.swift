import HTTPServer
import JSONText
import SignInHTTP
import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

/// Texts of numbers at or beyond the limits of integer types.
enum ExtremeText {
  static let all: [String] =
    [Int64.min, -(1 << 53), Int64(Int32.min), -1, 0, 1].map { "\($0)" }
    + [Int64(Int32.max) + 1, 1 << 53, Int64.max].map { "\($0)" }
    + ["9223372036854775808", "-9223372036854775809", "1e400", "-1e400", "0.5"]
    + [String(repeating: "9", count: 4000)]
}

@Suite("L-36 Extreme numbers in requests")
struct ExtremeNumberTests {
  @Test("L-36 a query with any number gets an answer", arguments: ExtremeText.all)
  func queries(number: String) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let forged = Base64URL.encode(Array("\(number)/technician".utf8))

    for path in [
      Endpoint.adminAccounts.path, Endpoint.adminEvents.path, Endpoint.adminMessages.path,
      Endpoint.adminProducts.path,
    ] {
      for query in ["limit=\(number)", "cursor=\(number)", "cursor=\(forged)"] {
        let answer = await admin.call(.get, path, query: query)
        #expect([200, 400].contains(answer.status), "\(path)?\(query.prefix(60))")
      }
    }
    for query in ["cursor=\(number)", "cursor=\(forged)"] {
      #expect(await admin.call(.get, Endpoint.products.path, query: query).status < 500)
    }
  }

  @Test("L-36 a policy with any number is a mistake or is applied", arguments: ExtremeText.all)
  func policies(number: String) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)

    for key in PolicyKey.allCases {
      var patch = number
      for step in key.rawValue.split(separator: ".").reversed() { patch = "{\"\(step)\":\(patch)}" }
      let client = await admin.call(.patch, "/admin/clients/rider-app", patch)
      let organization = await admin.call(
        .patch, "/admin/organizations/south", "{\"policy\":\(patch)}"
      )
      #expect([200, 400, 422].contains(client.status), "\(key.rawValue)")
      #expect([200, 400, 422].contains(organization.status), "\(key.rawValue)")
    }
    let device = Device(server: server)
    #expect(await device.begin().status < 500)
  }

  @Test("L-36 a proof with any time is refused", arguments: ExtremeText.all)
  func proofs(number: String) async throws {
    let server = try await TestServer()
    let device = Device(server: server)
    let issuedAt = try JSONReader.read(Array(number.utf8))

    let answer = await device.post(
      Endpoint.challenge.path, [("client_id", "technician-app")],
      proof: [device.proof("POST", Endpoint.challenge.path, .init(claims: ["iat": issuedAt]))]
    )

    #expect(answer.json["error"]?.text == "invalid_dpop_proof")
  }

  @Test("L-36 a token with an extreme expiry is refused or works", arguments: ExtremeText.all)
  func accessTokens(number: String) async throws {
    let server = try await TestServer()
    let device = Device(server: server)
    let (access, _) = try await device.signIn()
    let genuine = try #require(CompactJWS(parsing: access))
    var claims = genuine.claims.objectMembers ?? []
    claims.removeAll { $0.isNamed("exp") || $0.isNamed("iat") }
    let extreme = try JSONReader.read(Array(number.utf8))
    claims += [JSONMember("exp", extreme), JSONMember("iat", extreme)]

    let token = CompactJWS.sign(
      header: genuine.header, claims: .object(claims), with: server.signingKey.signing
    )

    // Only one of them is after the current time and in a year of four digits.
    let isLive = number == "\(Int64(Int32.max) + 1)"
    #expect(await device.get(Endpoint.me.path, token: token).status == (isLive ? 200 : 401))
  }

  @Test("L-36 a refresh token of any generation is refused", arguments: ExtremeText.all)
  func generations(number: String) async throws {
    let server = try await TestServer()
    let device = Device(server: server)
    let (_, tokens) = try await device.signIn()
    let parts = try #require(tokens["refresh_token"]?.text?.split(separator: "."))

    let answer = await device.post(
      Endpoint.token.path,
      [
        ("grant_type", "refresh_token"), ("client_id", "technician-app"),
        ("refresh_token", "\(parts[0]).\(number).\(parts[2])"),
      ]
    )

    #expect(answer.status == (parts[1] == number ? 200 : 400))
  }

  @Test("L-36 a development clock refuses a step or moves by it", arguments: ExtremeText.all)
  func development(number: String) async throws {
    let server = try await TestServer()

    for (path, name) in [
      (Endpoint.developmentClock.path, "advance"), (Endpoint.developmentAccounts.path, "count"),
    ] {
      for _ in 0..<3 {
        let answer = await server.answer(
          HTTPRequest(
            method: .post, path: path, fields: [HTTPField("Content-Type", "application/json")],
            body: Array("{\"\(name)\":\(number)}".utf8)))
        #expect([200, 201, 400].contains(answer.status))
      }
    }
  }
}

@Suite("L-35 Hostile text in requests")
struct HostileTextTests {
  /// The largest body of combining marks, in an order that is slow to normalize.
  static let marks = String(repeating: "\u{301}\u{323}", count: 16_000)
  static let wordy = String(repeating: "x ", count: 30_000)
  static let blanks = String(repeating: " ", count: 60_000)

  /// Parameters that may be compared, hashed or searched.
  static let names = [
    "client_id", "scope", "username", "phone_number", "ui_locales", "response_type", "grant_type",
    "auth_session", "otp", "code", "refresh_token", "token", "organization", "nonce", "password",
    "code_challenge", "code_challenge_method", "email", "name", "new_password", "channel", "status",
  ]

  @Test("L-35 no parameter of a form costs more than linear time", arguments: names)
  func forms(name: String) async throws {
    let server = try await TestServer()
    let device = Device(server: server)
    let usual = [
      ("response_type", "code"), ("client_id", "technician-app"), ("grant_type", "refresh_token"),
      ("scope", "openid"), ("username", "tech@example.com"), ("password", "wrong"),
    ]
    // The value is sent without escapes, as a hostile client sends it.
    for value in [Self.marks, Self.wordy, Self.blanks] {
      let fields = usual.filter { $0.0 != name }.map { "\($0.0)=\($0.1)" } + ["\(name)=\(value)"]
      for path in [
        Endpoint.challenge.path, Endpoint.token.path, Endpoint.revoke.path, Endpoint.accounts.path,
        Endpoint.forgotPassword.path, Endpoint.resetPassword.path,
      ] {
        let request = HTTPRequest(
          method: .post, path: path,
          fields: [
            HTTPField("Content-Type", "application/x-www-form-urlencoded"),
            device.proof("POST", path),
          ],
          body: Array(fields.joined(separator: "&").utf8)
        )
        let took = await time(request, at: server)
        #expect(took < .seconds(1), "\(path) \(name)")
      }
    }
  }

  @Test("L-35 no JSON body costs more than linear time")
  func documents() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let bodies = [
      "{\"name\":\"\(Self.marks)\"}", "{\"\(Self.marks)\":1}", "{\"status\":\"\(Self.blanks)\"}",
      "{\"lockout\":{\"\(String(repeating: "failures", count: 7000))\":1}}",
      "{" + (0..<6000).map { "\"failure\($0)\":1" }.joined(separator: ",") + "}",
      "{" + (0..<250).map { "\"failure\($0)\":1" }.joined(separator: ",") + "}",
      "{\"products\":[" + repeatElement("{}", count: 16_000).joined(separator: ",") + "]}",
      String(repeating: "[", count: 60_000),
    ]
    for body in bodies {
      for (method, path) in [
        (HTTPMethod.post, Endpoint.adminAccounts.path), (.patch, "/admin/clients/rider-app"),
        (.patch, "/admin/organizations/south"), (.post, Endpoint.adminProducts.path),
        (.patch, "/admin/accounts/technician"),
      ] {
        let began = ContinuousClock.now
        let answer = await admin.call(method, path, body)
        #expect(ContinuousClock.now - began < .seconds(1), "\(path) \(body.prefix(40))")
        #expect(answer.status < 500)
      }
    }
  }

  @Test("L-35 no path, query or header costs more than linear time")
  func heads() async throws {
    let server = try await TestServer()
    let many = String(repeating: "\u{301}\u{323}", count: 250)
    let escaped = Form([.init("a", many)]).encoded.dropFirst(2)
    let some = String(repeating: "\u{301}\u{323}", count: 64)
    let names = [
      "Accept-Language", "Authorization", "DPoP", "If-None-Match", "If-Match", "Accept-Encoding",
      "Content-Type", "X-Forwarded-For", "Idempotency-Key", "Accept",
    ]
    let fields = names.flatMap { name in
      [some, String(repeating: "a,", count: 600)].map {
        HTTPField(name, $0)
      }
    }
    for path in [
      "/api/products/\(escaped)", "/admin/accounts/\(escaped)", "/app/x", Endpoint.me.path,
    ] {
      let request = HTTPRequest(
        method: .get, path: path, query: "cursor=\(escaped)&q=\(escaped)", fields: fields
      )
      #expect(await time(request, at: server) < .seconds(1), "\(path.prefix(40))")
    }
  }

  private func time(_ request: HTTPRequest, at server: TestServer) async -> Duration {
    let began = ContinuousClock.now
    let answer = await server.answer(request)
    #expect(answer.status < 500)
    return ContinuousClock.now - began
  }
}
