import Cryptography
import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

/// Calls every route of a server, with right and wrong requests, and compares each answer with its
/// description.
struct EveryAnswer {
  let server: TestServer
  let device: Device
  let mistakes = TestServer.Lines()
  /// The operations that were successful at least once.
  let successes = TestServer.Lines()

  init() async throws {
    server = try await TestServer()
    device = Device(server: server)
  }

  private static let activity =
    #"{"title":"T","place":"P","with":"W","starts_at":1800000000,"ends_at":1800000000}"#

  func takeAll() async throws {
    await takeOpenRoutes()
    await takeSignIn()
    await takePasswords()
    let admin = try await Person.administrator(at: server)
    let technician = try await Person.technician(at: server)
    await takeJobs(technician)
    await takeAccounts(admin, technician)
    await takeOverview(admin)
    await takeRegistrationCode(admin)
    await takeOwn(technician)
    let rider = try await Person.signIn(
      at: server, client: "rider-app", scope: "openid dashboard",
      [("phone_number", "+919812345678")]
    )
    await call(rider, .get, Endpoint.dashboard.path, of: Endpoint.dashboard.path)
    await takeDeliveries(rider)
    await takeProducts(try await Person.owner(at: server), admin, technician)
    try await takeActivities()
    await takeOneSession(admin)
    try await takeIntrospection(technician)
    await takeOtherSystems(admin)
    try await takeOwnAccount(try await Person.administrator(at: server))
    try await takeProviders()
    try await takeSecondFactor()
    try await takeIdentities()
    try await takeContactProposals()
    await takeInvitations(try await takeResets())
    await takeDevelopment()
  }

  private func takeIntrospection(_ technician: Person) async throws {
    for scope in [ServiceScope.introspect, .writeJobs] {
      let other = server.restarted(
        with: Configuration.demo.clients,
        serviceAccounts: [try ServiceProgram.account(scopes: [scope])])
      for secret in [ServiceProgram.secret, "wrong"] {
        let form = Form([
          .init("token", technician.token), .init("client_id", "planning"),
          .init("client_secret", secret),
        ])
        let request = HTTPRequest(
          method: .post, path: Endpoint.introspect.path,
          fields: [HTTPField("Content-Type", "application/x-www-form-urlencoded")],
          body: Array(form.encoded.utf8))
        note(await other.answer(request), .post, Endpoint.introspect.path)
      }
    }
  }

  private func takeActivities() async throws {
    let mentor = try await Person.mentor(at: server, in: "north")
    await call(mentor, .get, Endpoint.me.path, of: Endpoint.me.path)
    await call(mentor, .get, Endpoint.activities.path, of: Endpoint.activities.path)
    for body in ["{}", Self.activity] {
      await call(mentor, .post, Endpoint.activities.path, of: Endpoint.activities.path, body)
    }
    for body in ["{}", #"{"notes":"Bring coffee"}"#] {
      await call(mentor, .patch, "/api/activities/north-1", of: Endpoint.activity(.id).path, body)
    }
    await call(
      mentor, .patch, "/api/activities/none", of: Endpoint.activity(.id).path, #"{"notes":""}"#
    )
    await call(mentor, .get, Endpoint.sessionEvents.path, of: Endpoint.sessionEvents.path)
    let form = [
      ("grant_type", "refresh_token"), ("client_id", "mentor-app"),
      ("refresh_token", mentor.refreshToken),
    ]
    for organization in ["east", "south"] {
      await self.form(Endpoint.token.path, form + [("organization", organization)], mentor.device)
    }
    await call(mentor, .get, Endpoint.sessionEvents.path, of: Endpoint.sessionEvents.path)
  }

  private func takeOpenRoutes() async {
    for path in [
      Endpoint.openIDConfiguration.path, Endpoint.serverMetadata.path, Endpoint.keys.path,
      Endpoint.description.path,
      Endpoint.alive.path, Endpoint.ready.path,
    ] {
      let answer = await server.get(path)
      note(answer, .get, path)
      guard let tag = answer.fields.first(where: { $0.isNamed("etag") }) else { continue }
      note(await server.get(path, [HTTPField("If-None-Match", tag.value)]), .get, path)
    }
    for name in ["rider-app", "no-such-app"] {
      note(await server.get(Endpoint.app(.init(name)).path), .get, Endpoint.app(.id).path)
    }
  }

  private func takeSignIn() async {
    await form(Endpoint.challenge.path, [])
    await form(Endpoint.challenge.path, [("client_id", "unknown")])
    await form(Endpoint.challenge.path, [("client_id", "technician-app")])
    await form(Endpoint.challenge.path, first("wrong"))
    let begun = await form(Endpoint.challenge.path, first("demo-Technician-1"))
    let session = begun.json["auth_session"]?.text ?? ""
    let next = [("client_id", "technician-app"), ("auth_session", session)]
    await form(Endpoint.challenge.path, next + [("resend", "true")])
    await form(Endpoint.challenge.path, next + [("otp", "wrong")])
    await deliverMessages(through: [server.messenger], in: server.world)
    await takeReceipts()
    await form(Endpoint.challenge.path, next + [("status", "true")])
    let code = await server.sentCode()
    let proved = await form(Endpoint.challenge.path, next + [("otp", code)])
    await form(Endpoint.challenge.path, next + [("otp", code)])
    await form(Endpoint.challenge.path, [("client_id", "rider-app")] + phone("+919812345600"))

    await form(Endpoint.token.path, [("client_id", "technician-app")])
    await form(Endpoint.token.path, [("client_id", "technician-app"), ("grant_type", "password")])
    await form(
      Endpoint.token.path,
      [
        ("client_id", "technician-app"), ("grant_type", "refresh_token"), ("refresh_token", "x"),
        ("resource", "https://api.example.com"),
      ])
    let redemption = [
      ("client_id", "technician-app"), ("grant_type", "authorization_code"),
      ("code", proved.json["authorization_code"]?.text ?? ""), ("code_verifier", device.verifier),
    ]
    let tokens = await form(Endpoint.token.path, redemption)
    await form(Endpoint.token.path, redemption)
    let token = tokens.json["refresh_token"]?.text ?? ""
    await form(Endpoint.revoke.path, [("client_id", "technician-app")])
    await form(Endpoint.revoke.path, [("client_id", "technician-app"), ("token", token)])
    await form(
      Endpoint.token.path,
      [
        ("client_id", "technician-app"), ("grant_type", "refresh_token"), ("refresh_token", token),
      ]
    )
    server.clock.advance(seconds: 61)
  }

  private func takeReceipts() async {
    let sent = "recording-" + (server.messenger.messages.last?.id ?? "")
    for (query, body) in [
      ("key=wrong", ""), ("key=right", "nonsense"), ("key=right", "hello"),
      ("key=right", sent + " delivered"),
    ] {
      let request = HTTPRequest(
        method: .post, path: "/messages/receipts/recording", query: query, body: Array(body.utf8)
      )
      note(await server.answer(request), .post, Endpoint.messageReceipts(.messenger).path)
    }
  }

  private func takePasswords() async {
    await form(Endpoint.forgotPassword.path, [])
    await form(Endpoint.forgotPassword.path, [("client_id", "rider-app"), ("username", "x")])
    let asked = await form(
      Endpoint.forgotPassword.path,
      [("client_id", "technician-app"), ("username", "tech@example.com")]
    )
    let reset = [("reset_session", asked.json["reset_session"]?.text ?? "")]
    let code = await server.sentCode()
    let right = ("password", "demo-Technician-1")
    await form(Endpoint.resetPassword.path, reset)
    await form(Endpoint.resetPassword.path, reset + [("otp", "wrong"), right])
    await form(Endpoint.resetPassword.path, reset + [("otp", code), ("password", "short")])
    await form(Endpoint.resetPassword.path, reset + [("otp", code), right])
    await form(Endpoint.resetPassword.path, reset + [("otp", code), right])
    for client in ["rider-app", "technician-app", "unknown"] {
      await form(
        Endpoint.accounts.path,
        [("client_id", client), ("phone_number", "+919812345600"), ("name", "Rani")]
      )
    }
  }

  private func first(_ password: String) -> [(String, String)] {
    [("client_id", "technician-app"), ("username", "tech@example.com"), ("password", password)]
      + terms
  }

  private func phone(_ number: String) -> [(String, String)] { [("phone_number", number)] + terms }

  private var terms: [(String, String)] {
    [
      ("response_type", "code"), ("scope", "openid offline_access account jobs"),
      ("code_challenge", Base64URL.encode(SHA256Digest.of(device.verifier))),
      ("code_challenge_method", "S256"),
    ]
  }

  private func takeAccounts(_ admin: Person, _ technician: Person) async {
    let path = Endpoint.adminAccounts.path
    await call(technician, .get, path, of: path)
    await call(admin, .get, path, of: path)
    await call(admin, .get, path, of: path, query: "limit=0")
    await call(admin, .get, path, of: path, query: "limit=1")
    await call(admin, .post, path, of: path, "{}")
    let body = AdministrationTests.nina
    await call(admin, .post, path, of: path, body, key: "k")
    await call(admin, .post, path, of: path, body + " ", key: "k")
    await call(admin, .post, path, of: path, body)
    let short = body.replacing("correct horse", with: "short").replacing("nina", with: "ina")
    await call(admin, .post, path, of: path, short)
    for id in ["pending-rider", "unknown"] {
      let account = path + "/" + id
      await call(admin, .get, account, of: Endpoint.adminAccount(.id).path)
      for status in ["rejected", "active", "rejected", "odd"] {
        let change = "{\"status\":\"\(status)\"}"
        await call(admin, .patch, account, of: Endpoint.adminAccount(.id).path, change)
      }
      await call(admin, .post, account + "/unlock", of: Endpoint.adminUnlock(.id).path)
      await call(admin, .post, account + "/reset", of: Endpoint.adminReset(.id).path)
    }
    for id in ["technician", "unknown"] {
      let sessions = path + "/\(id)/sessions"
      await call(admin, .get, sessions, of: Endpoint.adminSessions(.id).path)
    }
    let own = path + "/administrator"
    for place in ["/technician", "/unknown"] {
      await call(admin, .get, path + place + "/export", of: Endpoint.adminExport(.id).path)
    }
    for place in ["/pending-rider", "/pending-rider", "/administrator"] {
      await call(admin, .delete, path + place, of: Endpoint.adminAccount(.id).path)
    }
    for body in [
      #"{"name":"Tore","email":"tore@example.com","phone_number":"+15550101777"}"#,
      #"{"email":"owner@example.com"}"#, #"{"organizations":["east"]}"#, #"{"email":null}"#, "{}",
    ] {
      await call(
        admin, .patch, path + "/former-technician", of: Endpoint.adminAccount(.id).path, body)
    }
    await call(
      admin, .patch, own, of: Endpoint.adminAccount(.id).path, "{\"status\":\"deactivated\"}")
    await call(admin, .delete, path + "/mentor/sessions", of: Endpoint.adminSessions(.id).path)
    await call(admin, .delete, path + "/unknown/sessions", of: Endpoint.adminSessions(.id).path)
  }

  private func takeOverview(_ admin: Person) async {
    for path in [
      Endpoint.adminOrganizations.path, Endpoint.adminClients.path, Endpoint.adminMessages.path,
      Endpoint.adminEvents.path, Endpoint.adminOverview.path,
      Endpoint.adminListExport(.accounts).path, Endpoint.adminListExport(.events).path,
      Endpoint.adminListExport(.messages).path,
    ] {
      await call(admin, .get, path, of: path)
      note(await server.get(path), .get, path)
    }
    for path in [Endpoint.adminMessages.path, Endpoint.adminEvents.path] {
      await call(admin, .get, path, of: path, query: "cursor=x")
    }
    await takePolicies(admin)
  }

  private func takePolicies(_ admin: Person) async {
    for (list, template, id, patch) in [
      (
        Endpoint.adminClients.path, Endpoint.adminClient(.id).path, "rider-app",
        "{\"texts\":{\"sign_in\":\"{code}\"},\"lockout\":{\"failures\":4}}"
      ),
      (
        Endpoint.adminOrganizations.path, Endpoint.adminOrganization(.id).path, "south",
        "{\"policy\":{\"countries\":[\"+47\"],\"unlock\":\"none\"}}"
      ),
    ] {
      for path in [list + "/" + id, list + "/unknown"] {
        await call(admin, .get, path, of: template)
        for body in [patch, "[]", "{\"odd\":1}"] {
          await call(admin, .patch, path, of: template, body)
        }
        let stale = HTTPField("If-Match", "\"stale\"")
        note(await admin.call(.patch, path, patch, more: [stale]), .patch, template)
      }
      await call(admin, .get, list, of: list)
    }
    for (id, query) in [
      ("rider-app", nil), ("rider-app", "organization=south"),
      ("rider-app", "organization=unknown"),
      ("rider-app", "%zz"), ("unknown", nil),
    ] as [(String, String?)] {
      let path = Endpoint.adminClients.path + "/" + id + "/policy"
      await call(admin, .get, path, of: Endpoint.adminClientPolicy(.id).path, query: query)
    }
  }

  private func takeOwn(_ technician: Person) async {
    for method in [HTTPMethod.get, .post] {
      await call(technician, method, Endpoint.userInfo.path, of: Endpoint.userInfo.path)
    }
    for path in [
      Endpoint.me.path, Endpoint.jobs.path, Endpoint.dashboard.path, Endpoint.sessions.path,
    ] {
      await call(technician, .get, path, of: path)
      note(await server.get(path), .get, path)
    }
    for body in [
      "{}", #"{"current_password":"x","new_password":"short"}"#,
      #"{"current_password":"x","new_password":"demo-Technician-9"}"#,
      #"{"current_password":"demo-Technician-1","new_password":"demo-Technician-1"}"#,
    ] {
      await call(technician, .post, Endpoint.password.path, of: Endpoint.password.path, body)
    }
    let sessions = await technician.call(.get, Endpoint.sessions.path).json["sessions"]
    let own = sessions?.elements?.first?["id"]?.text ?? ""
    await call(
      technician, .delete, Endpoint.sessions.path + "/unknown", of: Endpoint.session(.id).path)
    await call(technician, .delete, Endpoint.sessions.path, of: Endpoint.sessions.path)
    server.clock.advance(seconds: 61)
    do {
      let again = try await Person.technician(at: server)
      await call(again, .delete, Endpoint.sessions.path + "/" + own, of: Endpoint.session(.id).path)
    } catch {
      mistakes.append("the technician cannot sign in again: \(error)")
    }
  }

  private func takeProducts(_ owner: Person, _ admin: Person, _ technician: Person) async {
    let products = Endpoint.products.path
    await call(owner, .get, products, of: products)
    await call(owner, .get, products, of: products, query: "cursor=x")
    await call(owner, .get, products, of: products, query: "a=%")
    await call(technician, .get, products, of: products)
    let moves = [
      "", #"{"to":"new-owner@example.com"}"#, #"{"to":"new-owner@example.com"}"#,
      #"{"to":"owner@example.com"}"#,
    ]
    for body in moves {
      let path = products + "/product-001/transfer"
      await call(owner, .post, path, of: Endpoint.productTransfer(.id).path, body)
      await call(
        admin, .post, "/admin" + path.dropFirst(4), of: Endpoint.adminProductTransfer(.id).path,
        body)
    }
    await takeOwnPhotos(owner)
    let requests = Endpoint.serviceRequests.path
    for id in ["product-002", "nothing"] {
      let request = #"{"product_id":"\#(id)","description":"It hums."}"#
      await call(owner, .post, requests, of: requests, request, key: "w")
    }
    for path in [Endpoint.adminProducts.path, Endpoint.adminServiceRequests.path] {
      await call(admin, .get, path, of: path)
      await call(admin, .get, path, of: path, query: "limit=0")
      await call(owner, .get, path, of: path)
    }
    for person in ["owner@example.com", "unknown@example.com"] {
      let path = Endpoint.adminProducts.path
      await call(admin, .post, path, of: path, Person.products(1...1, to: person), key: "i")
    }
  }

  /// Causes a notice about a new device, and a waiting password from an unknown device.
  ///
  /// - Returns: The administrator, with a token newer than those at the start.
  private func takeResets() async throws -> Person {
    server.clock.advance(seconds: 61)
    var admin = try await Person.administrator(at: server)
    var owner = try await Person.owner(at: server)
    server.clock.advance(seconds: 61)
    _ = try await Person.owner(at: server)
    let me = await owner.call(.get, Endpoint.me.path)
    let notice = me.json["notices"]?.elements?.first?["id"]?.text ?? ""
    for _ in 0..<2 {
      await call(owner, .delete, "/api/notices/\(notice)", of: Endpoint.notice(.id).path)
      await call(owner, .delete, Endpoint.passwordReset.path, of: Endpoint.passwordReset.path)
    }
    let account = Endpoint.adminAccounts.path + "/owner/password-reset"
    for step in ["cancel", "reject", "approve"] {
      await forgetOwner()
      admin = try await Person.administrator(at: server)
      await call(owner, .get, Endpoint.me.path, of: Endpoint.me.path)
      await call(owner, .get, Endpoint.sessionEvents.path, of: Endpoint.sessionEvents.path)
      await call(
        admin, .get, Endpoint.adminAccounts.path + "/owner", of: Endpoint.adminAccount(.id).path)
      let shown = await admin.call(.get, Endpoint.adminAccounts.path + "/owner")
      let seen = shown.json["password_available_at"]?.unixSeconds ?? 0
      switch step {
      case "cancel":
        await call(owner, .delete, Endpoint.passwordReset.path, of: Endpoint.passwordReset.path)
      case "reject": await call(admin, .delete, account, of: Endpoint.adminPasswordReset(.id).path)
      default:
        for body in ["{\"available_at\":\(seen)}", "{\"available_at\":\(seen)}", "{}"] {
          await call(
            admin, .post, account + "/approval", of: Endpoint.adminPasswordApproval(.id).path, body)
        }
        await call(admin, .delete, account, of: Endpoint.adminPasswordReset(.id).path)
        owner = try await Person.owner(at: server)
      }
    }
    await form(
      Endpoint.forgotPassword.path, [("client_id", "console"), ("username", "admin@example.com")])
    return admin
  }

  /// Resets the owner's password on a device that never signed in as the owner.
  private func forgetOwner() async {
    server.clock.advance(seconds: 61)
    let asked = await form(
      Endpoint.forgotPassword.path,
      [("client_id", "product-app"), ("username", "owner@example.com")]
    )
    await form(
      Endpoint.resetPassword.path,
      [
        ("reset_session", asked.json["reset_session"]?.text ?? ""),
        ("otp", await server.sentCode()),
        ("password", "demo-Owner-1"),
      ]
    )
    server.clock.advance(seconds: 61)
  }

  private func takeInvitations(_ admin: Person) async {
    var invitation = ""
    for id in ["new-owner", "new-owner", "unknown", "former-technician", "rider"] {
      let path = Endpoint.adminAccounts.path + "/" + id
      let made = await admin.call(.post, path + "/invitation")
      note(made, .post, Endpoint.adminInvitation(.id).path)
      invitation = made.json["invitation"]?.text ?? invitation
      if id == "new-owner" {
        await call(admin, .post, path + "/reset", of: Endpoint.adminReset(.id).path)
      }
    }
    let again = await admin.call(.post, Endpoint.adminAccounts.path + "/new-owner/invitation")
    note(again, .post, Endpoint.adminInvitation(.id).path)
    invitation = again.json["invitation"]?.text ?? invitation
    let use = [("client_id", "product-app"), ("invitation", invitation)]
    for password in ["short", "demo-Owner-2", "demo-Owner-2"] {
      await form(Endpoint.acceptInvitation.path, use + [("password", password)])
    }
    await form(Endpoint.acceptInvitation.path, use)
  }

  private func takeDevelopment() async {
    let inbox = Endpoint.developmentMessages.path
    note(await server.get(inbox), .get, inbox)
    note(await server.get(inbox, query: "a=%"), .get, inbox)
    for (path, body) in [
      (Endpoint.developmentClock.path, "{\"advance\":1}"), (Endpoint.developmentClock.path, "{}"),
      (Endpoint.developmentAccounts.path, "{\"count\":1}"),
      (Endpoint.developmentAccounts.path, "{}"),
    ] {
      let request = HTTPRequest(method: .post, path: path, body: Array(body.utf8))
      note(await server.answer(request), .post, path)
    }
  }

  @discardableResult
  func form(
    _ path: String, _ fields: [(String, String)], _ sender: Device? = nil
  ) async -> HTTPResponse {
    let form = Form(fields.map { Form.Field($0.0, $0.1) })
    let request = HTTPRequest(
      method: .post, path: path,
      fields: [
        HTTPField("Content-Type", "application/x-www-form-urlencoded"),
        (sender ?? device).proof("POST", path),
      ], body: Array(form.encoded.utf8)
    )
    let answer = await server.answer(request)
    note(answer, .post, path)
    return answer
  }

  /// Compares an answer with the description of its route and status.
  func note(_ answer: HTTPResponse, _ method: HTTPMethod, _ path: String) {
    for mistake in DescribedAnswers.mistakes(in: answer, to: method, path) {
      mistakes.append(mistake)
    }
    if let name = DescribedAnswers.success(of: answer, to: method, path) { successes.append(name) }
  }
}
