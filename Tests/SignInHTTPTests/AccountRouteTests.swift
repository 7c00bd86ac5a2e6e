import HTTPServer
import JSONText
import SignInHTTP
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Forgotten passwords and registration over HTTP")
struct AccountRouteTests {
  enum Body: CaseIterable { case form, json }

  private func post(
    _ path: String, _ fields: [(String, String)], as body: Body = .json, _ more: [HTTPField] = [],
    to server: TestServer
  ) async -> HTTPResponse {
    let bytes: [UInt8]
    let type: String
    switch body {
    case .form:
      bytes = Array(Form(fields.map { Form.Field($0.0, $0.1) }).encoded.utf8)
      type = "application/x-www-form-urlencoded"
    case .json:
      bytes = JSON.object(fields.map { JSONMember($0.0, $0.1) }).utf8
      type = "application/json; charset=utf-8"
    }
    return await server.answer(
      HTTPRequest(
        method: .post, path: path, fields: [HTTPField("Content-Type", type)] + more, body: bytes,
        peer: "192.0.2.9"
      )
    )
  }

  private func forget(
    _ username: String, as body: Body = .json, _ more: [HTTPField] = [], to server: TestServer
  ) async -> HTTPResponse {
    let fields = [("client_id", "technician-app"), ("username", username)]
    return await post(Endpoint.forgotPassword.path, fields, as: body, more, to: server)
  }

  @Test(
    "T-11 forgot and reset, as forms and as JSON; the earlier session ends",
    arguments: Body.allCases)
  func whole(_ body: Body) async throws {
    let server = try await TestServer()
    let device = Device(server: server)
    let (token, _) = try await device.signIn()

    let forgot = await forget("tech@example.com", as: body, to: server)
    let answer = try #require(ResetAnswer(json: try JSONReader.read(forgot.body)))
    let fields = [
      ("reset_session", answer.resetSession.revealed), ("otp", await server.sentCode()),
      ("password", "mossy stones & lichen"),
    ]
    let reset = await post(Endpoint.resetPassword.path, fields, as: body, to: server)

    #expect(forgot.status == 200)
    #expect(answer.challenge.destination == PhoneNumber.withoutDigits)
    #expect(forgot.fields.contains(HTTPField("Cache-Control", "no-store")))
    #expect(reset.status == 204 && reset.body.isEmpty)
    #expect(await device.get(Endpoint.jobs.path, token: token).status == 401)
    let old = await device.begin()
    #expect(old.json["error"]?.text == "invalid_credentials")
  }

  @Test("T-03 L-12 unknown and known e-mails: same status, headers and length of the body")
  func concealed() async throws {
    let server = try await TestServer()

    let known = await forget("tech@example.com", to: server)
    let deactivated = await forget("former@example.com", to: server)
    let unknown = await forget("unknown@example.com", to: server)
    let odd = await forget("🔑\u{0}", to: server)

    for other in [deactivated, unknown, odd] {
      #expect(other.status == known.status)
      #expect(other.body.count == known.body.count)
      #expect(other.fields.map(\.name) == known.fields.map(\.name))
    }
    _ = await server.sentCode()
    #expect(server.messenger.messages.count == 1)
  }

  @Test("T-11 a key proved at the start binds the reset; a bad proof is refused")
  func bound() async throws {
    let server = try await TestServer()
    let device = Device(server: server)
    let proof = device.proof("POST", Endpoint.forgotPassword.path)
    let forgot = await forget("tech@example.com", [proof], to: server)
    let session = try #require(try JSONReader.read(forgot.body)["reset_session"]?.text)
    let fields = [
      ("reset_session", session), ("otp", await server.sentCode()), ("password", "mossy stones"),
    ]

    let bare = await post(Endpoint.resetPassword.path, fields, to: server)
    #expect(try JSONReader.read(bare.body)["error"]?.text == "invalid_session")
    let bad = await forget("tech@example.com", [HTTPField("DPoP", "a.b.c")], to: server)
    #expect(try JSONReader.read(bad.body)["error"]?.text == "invalid_dpop_proof")
    let right = device.proof("POST", Endpoint.resetPassword.path)
    #expect(await post(Endpoint.resetPassword.path, fields, [right], to: server).status == 204)
  }

  @Test(
    "L-13 malformed requests get their defined answers",
    arguments: [
      ("/password/forgot", "{}", "invalid_request"), ("/password/forgot", "[]", "invalid_request"),
      ("/password/forgot", "{", "invalid_request"),
      ("/password/forgot", #"{"client_id":"technician-app"}"#, "invalid_request"),
      ("/password/forgot", #"{"client_id":"technician-app","username":1}"#, "invalid_request"),
      ("/password/forgot", #"{"client_id":"x","username":"u"}"#, "invalid_client"),
      ("/password/forgot", #"{"client_id":"rider-app","username":"u"}"#, "unauthorized_client"),
      ("/password/forgot", #"{"client_id":"a","client_id":"b"}"#, "invalid_request"),
      ("/password/reset", "{}", "invalid_request"),
      (
        "/password/reset", #"{"reset_session":"x","otp":"1","password":"short"}"#,
        "password_too_short"
      ),
      (
        "/password/reset", #"{"reset_session":"x","otp":"1","password":"password"}"#,
        "password_too_common"
      ),
      (
        "/password/reset", #"{"reset_session":"x","otp":"1","password":"mossy stones"}"#,
        "invalid_session"
      ),
      ("/accounts", #"{"client_id":"rider-app","name":"A"}"#, "invalid_request"),
      (
        "/accounts", #"{"client_id":"rider-app","phone_number":"+919812340000"}"#,
        "invalid_request"
      ),
      (
        "/accounts", #"{"client_id":"rider-app","phone_number":"+4790000009","name":"A"}"#,
        "invalid_request"
      ),
      (
        "/accounts",
        #"{"client_id":"technician-app","phone_number":"+919812340000","name":"A"}"#,
        "unauthorized_client"
      ),
    ]
  )
  func malformed(_ path: String, _ body: String, _ error: String) async throws {
    let server = try await TestServer()

    let response = await server.answer(
      HTTPRequest(
        method: .post, path: path, fields: [HTTPField("Content-Type", "application/json")],
        body: Array(body.utf8)
      )
    )

    #expect(try JSONReader.read(response.body)["error"]?.text == error)
    #expect(response.status == (error == "invalid_client" ? 401 : 400))
  }

  @Test("Other content types are refused", arguments: ["", "text/plain", "application/jsonx"])
  func types(_ type: String) async throws {
    let server = try await TestServer()

    let response = await server.answer(
      HTTPRequest(
        method: .post, path: Endpoint.accounts.path, fields: [HTTPField("Content-Type", type)],
        body: Array("{}".utf8)
      )
    )

    #expect(response.status == 400)
  }

  @Test(
    "R-11 a rider registers: 202 and pending, registered before or not", arguments: Body.allCases)
  func register(_ body: Body) async throws {
    let server = try await TestServer()
    func ask(_ number: String) async -> HTTPResponse {
      let fields = [("client_id", "rider-app"), ("phone_number", number), ("name", "Asha Rao")]
      return await post(Endpoint.accounts.path, fields, as: body, to: server)
    }

    for number in ["+919800000001", "+919800000001", "+919812345678", "+919812345679"] {
      let response = await ask(number)
      #expect(response.status == 202)
      #expect(response.body == Array(#"{"status":"pending"}"#.utf8))
    }
  }

  @Test(
    "R-11 where a code proves the number, every number gets one answer, and the policy approves",
    arguments: [
      ("number", ["active", "active", "active"]),
      ("administrator_after_code", ["active", "pending", "pending"]),
    ])
  func registerWithCode(_ approval: String, _ statuses: [String]) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let changed = await admin.call(
      .patch, "/admin/clients/rider-app", #"{"registration_approval":"\#(approval)"}"#)
    #expect(changed.status == 200)

    // An approved, a pending and an unknown number.
    for (number, status) in zip(["+919812345678", "+919812345679", "+919800000001"], statuses) {
      let fields = [("client_id", "rider-app"), ("phone_number", number), ("name", "Asha Rao")]
      let begun = await post(Endpoint.accounts.path, fields, as: .json, to: server)
      #expect(begun.status == 202)
      let answer = try JSONReader.read(begun.body)
      #expect(answer.objectMembers?.map(\.key) == ["status", "registration_session", "challenge"])
      #expect(answer["status"]?.text == "code_sent")
      let session = answer["registration_session"]?.text ?? ""
      #expect(!session.contains("Asha") && session.utf8.count <= 512)
      let proved = await post(
        Endpoint.verifyRegistration.path,
        [("registration_session", session), ("otp", await server.sentCode())], as: .json,
        to: server)
      #expect(proved.status == 200)
      #expect(proved.body == Array(#"{"status":"\#(status)"}"#.utf8))
    }
  }

  @Test("R-11 the policy `list` needs a file of numbers, and the default sends no code")
  func registerWithoutList() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let refused = await admin.call(
      .patch, "/admin/clients/rider-app", #"{"registration_approval":"list"}"#)
    #expect((400..<500).contains(refused.status))
    #expect(String(decoding: refused.body, as: UTF8.self).contains("registration_numbers_file"))

    let fields = [
      ("client_id", "rider-app"), ("phone_number", "+919800000001"), ("name", "Asha Rao"),
    ]
    let answer = await post(Endpoint.accounts.path, fields, as: .json, to: server)
    #expect(answer.status == 202 && answer.body == Array(#"{"status":"pending"}"#.utf8))
    await deliverMessages(through: [server.messenger], in: server.world)
    #expect(!server.messenger.messages.contains { $0.text.revealed.contains("sign up") })
  }

  @Test("Security events are counted by code, each once, and have the peer's address")
  func counted() async throws {
    let server = try await TestServer()
    _ = await forget("tech@example.com", to: server)
    _ = await forget("unknown@example.com", to: server)
    let line = #"fieldpass_events_total{code="password.reset_requested"} "#
    func metrics() async -> String { await server.metrics() }

    #expect(await metrics().contains(line + "2\n"))
    #expect(await metrics().contains(line + "2\n"))
    _ = await forget("tech@example.com", to: server)
    #expect(await metrics().contains(line + "3\n"))
    await server.world.linkEvents()
    let events = try await listEvents(of: nil, limit: 9, in: server.world.store)
    #expect(events.allSatisfy { $0.peer == "192.0.2.9" && $0.proofKeyThumbprint == nil })
    #expect(events.map(\.account) == [AccountID("technician"), nil, AccountID("technician")])
  }

  @Test("Behind a trusted proxy, events name the address that the proxy saw")
  func proxied() async throws {
    let server = try await TestServer()
    let handler = FieldpassHandler(
      world: server.world, assets: WebAssets(files: [:]), development: nil,
      proxies: TrustedProxies([try NetworkRange(parsing: "10.0.0.1")]), log: { _ in }
    )
    let body = JSON.members([
      JSONMember("client_id", "technician-app"), JSONMember("username", "tech@example.com"),
    ])

    _ = await handler.answer(
      HTTPRequest(
        method: .post, path: Endpoint.forgotPassword.path,
        fields: [
          HTTPField("Content-Type", "application/json"),
          HTTPField("X-Forwarded-For", "203.0.113.5, 198.51.100.7"),
        ],
        body: body.utf8, peer: "10.0.0.1"
      )
    )

    await server.world.linkEvents()
    let events = try await listEvents(of: nil, limit: 1, in: server.world.store)
    #expect(events.first?.peer == "198.51.100.7")
  }
}
