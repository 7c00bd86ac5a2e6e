import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

@Suite("Sign-in at a provider over HTTP")
struct ProviderRouteTests {
  @Test("P-10 the challenge endpoint answers redirect_to_web, and the app gets tokens at the end")
  func whole() async throws {
    let world = try await ProviderServer()
    let first = await world.device.post(Endpoint.challenge.path, world.terms)
    #expect(first.status == 403)
    #expect(first.json["error"]?.text == "redirect_to_web")
    #expect(first.json["expires_in"]?.number == 300)
    let (address, cookie) = await world.open(first.json["request_uri"]?.text ?? "")
    #expect(address.hasPrefix("https://login.example/authorize?tenant=1&response_type=code&"))
    let back = await world.callback(queryParameters(of: address)["state"] ?? "", cookie)
    #expect(back.status == 303)
    let result = back.value(of: "location") ?? ""
    #expect(result.hasPrefix("http://127.0.0.1:8080/app/technician-app/?code="))
    #expect(queryParameters(of: result)["state"] == "s 1")
    #expect(queryParameters(of: result)["iss"] == TestServer.issuer)
    let tokens = await world.device.post(
      Endpoint.token.path,
      [
        ("client_id", "technician-app"), ("grant_type", "authorization_code"),
        ("code", queryParameters(of: result)["code"] ?? ""),
        ("code_verifier", world.device.verifier),
      ])
    #expect(tokens.status == 200)
    #expect(tokens.json["access_token"] != nil)
  }

  @Test("L-19 the cookie has every attribute that protects it")
  func cookie() async throws {
    let world = try await ProviderServer()
    let answer = await world.authorize(await world.push())
    let field = answer.value(of: "set-cookie") ?? ""
    #expect(field.hasSuffix("; Path=/; Max-Age=1800; HttpOnly; SameSite=Lax"))
    // The test server has no TLS.
    #expect(field.hasPrefix("fieldpass-browser="))
    #expect(answer.value(of: "cache-control") == "no-store")
    #expect(answer.value(of: "referrer-policy") == "no-referrer")
  }

  @Test("L-19 a browser with two cookies or a malformed one is another browser")
  func cookies() async throws {
    let world = try await ProviderServer()
    for edit in ["%; %", "other=1; %x", "fieldpass-browser="] {
      let (address, cookie) = await world.open(await world.push())
      let changed = HTTPField("Cookie", edit.replacing("%", with: cookie.value))
      let back = await world.callback(queryParameters(of: address)["state"] ?? "", changed)
      #expect(back.status == 400)
    }
    let (address, cookie) = await world.open(await world.push())
    let beside = HTTPField("Cookie", "a=b; " + cookie.value + "; c=d")
    #expect(await world.callback(queryParameters(of: address)["state"] ?? "", beside).status == 303)
  }

  @Test("two sign-ins of one browser do not disturb each other")
  func twoTabs() async throws {
    let world = try await ProviderServer()
    let (one, cookie) = await world.open(await world.push())
    let second = await world.authorize(await world.push(), [cookie])
    let other = second.value(of: "location") ?? ""
    for address in [one, other] {
      #expect(
        await world.callback(queryParameters(of: address)["state"] ?? "", cookie).status == 303)
    }
  }

  @Test("P-03 a refusal without state comes back to the app, also if the provider posts it")
  func refusedWithoutState() async throws {
    let world = try await ProviderServer()
    let (_, cookie) = await world.open(await world.push())
    let posted = await world.post([("error", "access_denied")])
    let location = posted.value(of: "location") ?? ""
    #expect(location == TestServer.issuer + "/providers/login/callback?error=access_denied")
    let back = await world.server.get(
      Endpoint.providerCallback(.init("login")).path, query: "error=access_denied", [cookie])
    #expect(back.status == 303)
    let result = queryParameters(of: back.value(of: "location") ?? "")
    #expect(result["reason"] == "cancelled")
    #expect(result["state"] == "s 1")
    for query in ["error=access_denied", "code=c", ""] {
      let again = await world.server.get(
        Endpoint.providerCallback(.init("login")).path, query: query, [cookie])
      #expect(again.status == 400)
    }
  }

  @Test("a provider that posts its answer is answered with a GET of the same parameters")
  func posted() async throws {
    let world = try await ProviderServer()
    let (address, cookie) = await world.open(await world.push())
    let state = queryParameters(of: address)["state"] ?? ""
    let posted = await world.post([("state", state), ("code", "a b"), ("extra", "x")])
    #expect(posted.status == 303)
    let location = posted.value(of: "location") ?? ""
    #expect(location.hasPrefix(TestServer.issuer + "/providers/login/callback?"))
    #expect(queryParameters(of: location)["code"] == "a b")
    #expect(queryParameters(of: location)["extra"] == nil)
    #expect(await world.callback(state, cookie).status == 303)
    let unknown = await world.post(
      [("state", state)], path: Endpoint.providerCallback(.init("other")).path)
    #expect(unknown.status == 400)
  }

  @Test(
    "a page says in the person's language why the sign-in cannot continue",
    arguments: [
      ("en", "This sign-in has ended"), ("nb-NO", "Denne innloggingen er avsluttet"),
      ("hi", "यह साइन इन समाप्त हो गया है"), ("fr", "This sign-in has ended"),
    ])
  func page(_ language: String, _ title: String) async throws {
    let world = try await ProviderServer()
    let page = await world.authorize("urn:none", [HTTPField("Accept-Language", language)])
    #expect(page.status == 400)
    #expect(page.value(of: "content-type") == "text/html; charset=utf-8")
    let text = String(decoding: page.body, as: UTF8.self)
    #expect(text.contains("<h1>\(title)</h1>"))
    let policy = page.value(of: "content-security-policy") ?? ""
    #expect(policy.contains("style-src 'sha256-"))
    #expect(policy.contains("frame-ancestors 'none'"))
  }

  @Test(
    "after a sign-out at a provider the person sees a page in the browser's language",
    arguments: [
      ("en", "You are signed out"), ("nb", "Du er logget ut"), ("fr", "You are signed out"),
    ])
  func signedOutPage(_ language: String, _ title: String) async throws {
    let world = try await ProviderServer()
    let page = await world.server.get(
      Endpoint.signedOut.path, query: "state=x", [HTTPField("Accept-Language", language)])
    #expect(page.status == 200)
    #expect(String(decoding: page.body, as: UTF8.self).contains("<h1>\(title)</h1>"))
    #expect(page.value(of: "content-security-policy")?.contains("style-src 'sha256-") == true)
  }

  @Test("a HEAD request of a link preview does not open a request")
  func preview() async throws {
    let world = try await ProviderServer()
    let request = await world.push()
    let query = Form([.init("client_id", "technician-app"), .init("request_uri", request)])
    let head = await world.server.answer(
      HTTPRequest(method: .head, path: Endpoint.authorize.path, query: query.encoded))
    #expect(head.status == 400)
    #expect(await world.authorize(request).status == 303)
  }

  @Test("P-10 an app's public information names its providers")
  func listed() async throws {
    let world = try await ProviderServer()
    let app = await world.server.get(Endpoint.app(.init("technician-app")).path).json
    #expect(app["providers"]?.elements?.first?["label"]?.text == "login")
    #expect(app["providers"]?.elements?.first?["available"]?.flag == true)
    #expect(await world.server.get(Endpoint.app(.init("rider-app")).path).json["providers"] == nil)
    let metadata = await world.server.get(Endpoint.openIDConfiguration.path).json
    #expect(metadata["require_pushed_authorization_requests"]?.flag == true)
  }

  @Test("P-10 the token endpoint answers with a prompt if a code of this server follows")
  func secondFactor() async throws {
    let world = try await ProviderServer(secondFactor: .always)
    let answer = await world.redeem()
    #expect(answer.status == 403)
    #expect(answer.json["error"]?.text == "insufficient_authorization")
    #expect(answer.json["auth_session"]?.text?.isEmpty == false)
    #expect(answer.json["challenge"]?["digits"]?.number == 6)
    #expect(answer.value(of: "cache-control") == "no-store")
    #expect(await (try ProviderServer()).redeem().status == 200)
  }

  @Test("a request_uri is not accepted inside a pushed request")
  func nested() async throws {
    let world = try await ProviderServer()
    let answer = await world.device.post(
      Endpoint.pushedRequest.path, world.terms + [("request_uri", "urn:x")])
    #expect(answer.json["error"]?.text == "invalid_request")
  }

  private static let pages: [([(String, String)], Bool)] = [
    ([], true), ([("Origin", "https://evil.example")], true),
    ([("Sec-Fetch-Site", "same-origin")], true), ([("Sec-Fetch-Site", "same-site")], true),
    ([("Sec-Fetch-Site", "none")], true), ([("Sec-Fetch-Site", "cross-site")], false),
    ([("Sec-Fetch-Site", "cross-site"), ("Origin", "https://evil.example")], false),
    ([("Sec-Fetch-Site", "cross-site"), ("Origin", "null")], false),
    ([("Sec-Fetch-Site", "cross-site"), ("Origin", ProviderServer.page)], true),
    (
      [
        ("Sec-Fetch-Site", "cross-site"), ("Origin", ProviderServer.page),
        ("Origin", "https://evil.example"),
      ], false
    ),
  ]

  @Test("L-09 a page of a site that the app does not name begins no sign-in", arguments: pages)
  func foreignPage(_ fields: [(String, String)], _ isAdmitted: Bool) async throws {
    let world = try await ProviderServer()
    let form = Form(world.terms.map { Form.Field($0.0, $0.1) }).encoded
    for (path, status) in [(Endpoint.pushedRequest.path, 201), (Endpoint.challenge.path, 403)] {
      let answer = await world.server.answer(
        HTTPRequest(
          method: .post, path: path,
          fields: [
            HTTPField("Content-Type", "application/x-www-form-urlencoded"),
            world.device.proof("POST", path),
          ] + fields.map { HTTPField($0.0, $0.1) }, body: Array(form.utf8)))
      #expect(answer.status == (isAdmitted ? status : 400))
      #expect((answer.json["request_uri"] != nil) == isAdmitted)
    }
  }

  @Test("P-09 an administrator lists the providers and checks one")
  func administration() async throws {
    let world = try await ProviderServer()
    let admin = try await Person.administrator(at: world.server)
    let listed =
      await admin.call(.get, Endpoint.adminProviders.path).json["providers"]?.elements ?? []
    #expect(listed.map { $0["name"]?.text } == ["login"])
    #expect(listed.first?["clients"]?.elements?.map { $0.text } == ["technician-app"])
    #expect(
      listed.first?["redirect_uri"]?.text == world.server.world.issuer
        + "/providers/login/callback")
    #expect(listed.first?["available"]?.flag == true)

    let checked = await admin.call(.post, "/admin/providers/login/check").json
    // This provider accepts every code, which the check must notice.
    #expect(checked["passed"]?.flag == false)
    let step = checked["steps"]?.elements?.first
    #expect(step?["subject"]?.text == "client authentication")
    #expect(step?["mistakes"]?.elements?.first?["problem"]?.text?.contains("invalid_grant") == true)
    let unknown = await admin.call(.post, "/admin/providers/none/check")
    #expect(unknown.status == 404 && unknown.code == "provider_not_found")
  }

  @Test("T-16 a new number and address of a provider are accepted or declined over HTTP")
  func proposals() async throws {
    let world = try await ProviderServer()
    let person = try await world.person(phone: "+4790000077", email: "new@example.com")
    let me = await person.call(.get, Endpoint.me.path).json
    let shown = me["contact_proposals"]?.elements ?? []
    #expect(shown.map { $0["channel"]?.text } == ["phone", "email"])
    #expect(shown.map { $0["value"]?.text } == ["+4790000077", "new@example.com"])
    #expect(shown.allSatisfy { $0["provider"]?.text == "login" })
    // The open app learns the same.
    let events = await person.call(.get, Endpoint.sessionEvents.path).json
    #expect(events["contact_proposals"] == me["contact_proposals"])

    let paths = shown.map { Endpoint.contactProposal(.init($0["id"]?.text ?? "")).path }
    #expect(await person.call(.post, paths[0]).status == 204)
    #expect(await person.call(.delete, paths[1]).status == 204)

    let after = await person.call(.get, Endpoint.me.path).json
    #expect(after["phone"]?.text == "***-***-0077")
    #expect(after["email"]?.text == "tech@example.com")
    #expect(after["contact_proposals"] == nil)
    for path in paths {
      for method in [HTTPMethod.post, .delete] {
        let refused = await person.call(method, path)
        #expect(refused.status == 404 && refused.code == "proposal_not_found")
      }
    }
    // What was declined is not proposed again.
    let again = try await world.person(phone: "+4790000077", email: "new@example.com")
    #expect(await again.call(.get, Endpoint.me.path).json["contact_proposals"] == nil)
  }

  @Test("A number that another account has proved is refused with account_exists")
  func takenProposal() async throws {
    let world = try await ProviderServer()
    let person = try await world.person(phone: "+4790000077", email: "tech@example.com")
    let shown = await person.call(.get, Endpoint.me.path).json["contact_proposals"]?.elements
    let id = try #require(shown?.first?["id"]?.text)
    let other = Account(
      id: AccountID("other"), email: try EmailAddress(parsing: "other@example.com"),
      phone: try PhoneNumber(parsing: "+4790000077"), name: "Other", role: .technician,
      status: .active, passwordHash: nil, organizations: [], createdAt: world.server.clock.now(),
      phoneProof: .code)
    try await world.server.world.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(other)
    }
    let refused = await person.call(.post, Endpoint.contactProposal(.init(id)).path)
    #expect(refused.status == 409 && refused.code == "account_exists")
  }
}
