import HTTPServer
import JSONText
import SignInHTTP
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Policies over HTTP")
struct PolicyRouteTests {
  private static let technicians = Endpoint.adminClients.path + "/technician-app"
  private static let north = Endpoint.adminOrganizations.path + "/north"

  @Test("T-05 an administrator sets the lockout to three wrong answers, and it applies at once")
  func lock() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)

    let changed = await admin.call(.patch, Self.technicians, "{\"lockout\":{\"failures\":3}}")

    #expect(changed.status == 200 && changed.json["lockout"]?["failures"]?.number == 3)
    #expect(changed.json["lockout"]?["stop_after"]?.number == 100)
    #expect(changed.json["changes"]?["lockout"] == .members([JSONMember("failures", 3)]))
    #expect(await admin.call(.get, Self.technicians).body == changed.body)
    let device = Device(server: server)
    let wrong = [
      ("response_type", "code"), ("client_id", "technician-app"), ("scope", "openid"),
      ("code_challenge", String(repeating: "c", count: 43)), ("code_challenge_method", "S256"),
      ("username", "tech@example.com"), ("password", "wrong"),
    ]
    var errors: [String?] = []
    for _ in 0..<3 {
      errors.append(await device.post(Endpoint.challenge.path, wrong).json["error"]?.text)
    }
    #expect(errors == ["invalid_credentials", "invalid_credentials", "account_locked"])
    let back = await admin.call(.patch, Self.technicians, "{\"lockout\":null}")
    #expect(back.json["lockout"]?["failures"]?.number == 5)
    #expect(back.json["changes"] == .object([]))
  }

  @Test("S-07 an organization's times reach its people's apps, even in open sessions")
  func organization() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let mentor = try await Person.signIn(
      at: server, client: "mentor-app", scope: "openid",
      [("username", "mentor@example.com"), ("password", "demo-Mentor-1")]
    )

    let changed = await admin.call(
      .patch, Self.north, "{\"policy\":{\"background_seconds\":42}}"
    )

    #expect(changed.json["policy"] == .members([JSONMember("background_seconds", 42)]))
    let session = await mentor.call(.get, Endpoint.me.path).json["session"]
    #expect(session?["background_timeout"]?.number == 42)
    #expect(session?["unlock"]?.text == "biometric")
  }

  @Test("A change based on an outdated read is refused")
  func precondition() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let read = await admin.call(.get, Self.technicians)
    let tag = try #require(read.fields.first { $0.isNamed("etag") }?.value)
    let match = HTTPField("If-Match", tag)

    let first = await admin.call(.patch, Self.technicians, "{\"unlock\":\"none\"}", more: [match])
    let second = await admin.call(
      .patch, Self.technicians, "{\"unlock\":\"biometric\"}",
      more: [HTTPField("If-Match", "\"other\", \(newTag(first))")]
    )
    let stale = await admin.call(.patch, Self.technicians, "{\"unlock\":null}", more: [match])
    let any = await admin.call(
      .patch, Self.technicians, "{\"unlock\":null}", more: [HTTPField("If-Match", "*")]
    )

    #expect(first.status == 200 && second.status == 200)
    #expect(stale.status == 412 && stale.code == "precondition_failed")
    #expect(any.status == 200 && any.json["changes"] == .object([]))
  }

  @Test("L-54 only a star without quotes matches each version; a condition without a tag does not")
  func spellingsOfCondition() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let tag = newTag(await admin.call(.get, Self.technicians))

    for condition in ["", ",", "\"*\"", "\"\"", "W/\(tag)", "*, \"other\"", "\"*\", *"] {
      let answer = await admin.call(
        .patch, Self.technicians, "{\"unlock\":\"none\"}", more: [HTTPField("If-Match", condition)])
      #expect(answer.status == 412, "\(condition)")
    }
    let listed = await admin.call(
      .patch, Self.technicians, "{\"unlock\":\"none\"}",
      more: [HTTPField("If-Match", "\"other\",\t\(tag)\t")])
    #expect(listed.status == 200)
    let repeated = await admin.call(
      .patch, Self.technicians, "{\"unlock\":null}",
      more: [HTTPField("If-Match", "\"other\""), HTTPField("If-Match", newTag(listed))])
    #expect(repeated.status == 200)
  }

  private func newTag(_ answer: HTTPResponse) -> String {
    answer.fields.first { $0.isNamed("etag") }?.value ?? ""
  }

  @Test("Every mistake of a change is reported with its path, and nothing changes")
  func mistakes() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)

    let answer = await admin.call(
      .patch, Self.technicians,
      "{\"lockout\":{\"failures\":2},\"code\":{\"digits\":\"six\"},\"roles\":[\"rider\"]}"
    )

    #expect(answer.status == 422 && answer.code == "invalid_policy")
    let mistakes = answer.json["mistakes"]?.elements ?? []
    #expect(mistakes.map { $0["path"]?.text } == ["roles", "lockout.failures", "code.digits"])
    #expect(mistakes[1]["problem"]?.text == "is too small")
    #expect(mistakes[1]["remedy"]?.text == "write a whole number from 3 to 20")
    let shown = await admin.call(.get, Self.technicians)
    #expect(shown.json["changes"] == .object([]))
  }

  @Test(
    "A number at either end of its range is accepted, and just outside it is refused",
    arguments: [
      ("lockout.failures", 3, 20), ("code.life_seconds", 60, 600), ("code.digits", 6, 8),
      ("messages.per_prefix_per_day", 0, 10_000_000), ("background_seconds", 0, 86_400),
      ("lockout.stop_after", 10, 100), ("access_token_seconds", 60, 3600),
    ] as [(String, Int64, Int64)]
  )
  func limits(_ path: String, _ low: Int64, _ high: Int64) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let keys = path.split(separator: ".").map(String.init)

    for (number, isRight) in [
      (low - 1, false), (low, true), (low + 1, true), (high - 1, true), (high, true),
      (high + 1, false),
    ] {
      let inner = "{\"\(keys[keys.count - 1])\":\(number)}"
      let body = keys.count == 1 ? inner : "{\"\(keys[0])\":\(inner)}"
      let answer = await admin.call(.patch, Self.technicians, body)
      #expect(answer.status == (isRight ? 200 : 422), "\(path) \(number)")
    }
  }

  @Test("L-13 a body that is not a patch is refused, and unknown policies are not found")
  func malformed() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)

    for body in ["", "[]", "null", "{", "5"] {
      for path in [Self.technicians, Self.north] {
        #expect(await admin.call(.patch, path, body).code == "invalid_request")
      }
    }
    let app = await admin.call(.patch, Endpoint.adminClients.path + "/unknown", "{}")
    let organization = await admin.call(.get, Endpoint.adminOrganizations.path + "/unknown")
    #expect(app.status == 404 && app.code == "client_not_found")
    #expect(organization.status == 404 && organization.code == "organization_not_found")
  }

  @Test("A patch may have the media type of a merge patch")
  func mergePatch() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let request = HTTPRequest(
      method: .patch, path: Self.north,
      fields: [
        HTTPField("Authorization", "DPoP \(admin.token)"),
        admin.device.proof("PATCH", Self.north, token: admin.token),
        HTTPField("Content-Type", "application/merge-patch+json"),
      ], body: Array("{\"policy\":{\"unlock\":\"biometric\"}}".utf8)
    )

    #expect(await server.answer(request).status == 200)
  }
}
