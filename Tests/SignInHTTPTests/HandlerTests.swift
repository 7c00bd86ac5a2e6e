import HTTPServer
import JSONText
import SignInHTTP
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Routes and answers")
struct HandlerTests {
  @Test("Both discovery documents are the same and name the first-party endpoint")
  func discovery() async throws {
    let server = try await TestServer()

    let one = await server.get(Endpoint.openIDConfiguration.path)
    let other = await server.get(Endpoint.serverMetadata.path)

    #expect(one.body == other.body)
    let json = try JSONReader.read(one.body)
    #expect(json["issuer"]?.text == TestServer.issuer)
    #expect(
      json["authorization_challenge_endpoint"]?.text == TestServer.issuer + Endpoint.challenge.path
    )
    #expect(json["code_challenge_methods_supported"] == .array([.string("S256")]))
  }

  @Test("Keys are published without their private part")
  func keys() async throws {
    let server = try await TestServer()

    let json = try JSONReader.read(await server.get(Endpoint.keys.path).body)

    let key = json["keys"]?.elements?.first
    #expect(key?["kid"]?.text == server.signingKey.id)
    #expect(key?["d"] == nil)
  }

  @Test("R-07 an app's name and default country are public")
  func app() async throws {
    let server = try await TestServer()

    let rider = try JSONReader.read(await server.get(Endpoint.app(.init("rider-app")).path).body)
    let expected = JSON.members([
      JSONMember("client_id", "rider-app"), JSONMember("name", "Riders"),
      JSONMember("default_country", "+91"),
    ])
    #expect(rider == expected)
    let technician = try JSONReader.read(
      await server.get(Endpoint.app(.init("technician-app")).path).body)
    #expect(technician["default_country"] == nil)
    #expect(await server.get(Endpoint.app(.init("no-such-app")).path).status == 404)
  }

  @Test(
    "L-13 malformed requests get their defined answers",
    arguments: [
      ("client_id=technician-app&client_id=technician-app", "invalid_request"),
      ("client_id=%zz", "invalid_request"), ("client_id=%ff", "invalid_request"),
      ("", "invalid_request"),
      ("client_id=unknown", "invalid_client"),
      ("client_id=technician-app", "unsupported_response_type"),
      ("client_id=technician-app&response_type=token", "unsupported_response_type"),
      ("client_id=technician-app&response_type=code", "invalid_request"),
      ("client_id=technician-app&auth_session=x&otp[]=1", "invalid_request"),
      ("client_id=technician-app&auth_session=x&otp=1&resend=true", "invalid_request"),
      ("client_id=technician-app&auth_session=x&otp=123456", "invalid_session"),
    ]
  )
  func malformed(_ body: String, _ error: String) async throws {
    let server = try await TestServer()
    let device = Device(server: server)
    let fields = [
      HTTPField("Content-Type", "application/x-www-form-urlencoded"),
      device.proof("POST", Endpoint.challenge.path),
    ]

    let response = await server.answer(
      HTTPRequest(
        method: .post,
        path: Endpoint.challenge.path,
        fields: fields,
        body: Array(body.utf8)
      )
    )

    #expect(try JSONReader.read(response.body)["error"]?.text == error)
    #expect(response.status == (error == "invalid_client" ? 401 : 400))
  }

  @Test(
    "Only PKCE with S256 and a complete challenge is accepted",
    arguments: ["plain", "s256", ""],
    [42, 44]
  )
  func downgrade(_ method: String, _ length: Int) async throws {
    let device = Device(server: try await TestServer())
    func ask(_ method: String, _ length: Int) async -> String? {
      await device.post(
        Endpoint.challenge.path,
        [
          ("client_id", "technician-app"), ("response_type", "code"),
          ("code_challenge", String(repeating: "c", count: length)),
          ("code_challenge_method", method), ("username", "u"), ("password", "p"),
        ]
      ).json["error"]?.text
    }

    #expect(await ask(method, 43) == "invalid_request")
    #expect(await ask("S256", length) == "invalid_request")
    #expect(await ask("S256", 43) == "invalid_credentials")
  }

  @Test("A wrong method is 405 with the allowed ones; a wrong content type is refused")
  func methods() async throws {
    let server = try await TestServer()

    let wrong = await server.get(Endpoint.token.path)
    #expect(wrong.status == 405)
    #expect(wrong.fields.contains(HTTPField("Allow", "POST")))
    let put = await server.answer(HTTPRequest(method: .put, path: Endpoint.jobs.path))
    #expect(put.fields.contains(HTTPField("Allow", "GET, HEAD")))
    let json = await server.answer(
      HTTPRequest(
        method: .post,
        path: Endpoint.token.path,
        fields: [HTTPField("Content-Type", "application/json")],
        body: Array("{}".utf8)
      )
    )
    #expect(json.status == 400)
  }

  @Test("Every answer has a Request-Id and strict headers, and personal ones are never cached")
  func headers() async throws {
    let server = try await TestServer()

    for path in [
      Endpoint.app(.init("rider-app")).path, Endpoint.jobs.path, "/nothing", Endpoint.alive.path,
    ] {
      let response = await server.get(path)
      #expect(response.fields.contains { $0.isNamed("request-id") && !$0.value.isEmpty })
      #expect(response.fields.contains(HTTPField("X-Content-Type-Options", "nosniff")))
      #expect(response.fields.contains(HTTPField("Cache-Control", "no-store")))
    }
    #expect(server.handler.refusal(status: 413, path: "").status == 413)
  }

  @Test("A body that is too large gets the limit of its path, and of a photo also its code")
  func tooLarge() async throws {
    let server = try await TestServer()
    func refused(_ path: String) -> HTTPResponse {
      server.handler.refusal(status: 413, path: path)
    }

    let other = refused(Endpoint.jobs.path)
    let photo = refused(Endpoint.adminProductPhoto(.init("a")).path)

    let text = String(decoding: other.body, as: UTF8.self)
    #expect(other.status == 413 && other.code == "malformed_request")
    for limit in ["65536 bytes", "a batch 1048576", "a photo 200000"] {
      #expect(text.contains(limit), "\(limit)")
    }
    #expect(photo.status == 413 && photo.code == "photo_too_large")
    #expect(String(decoding: photo.body, as: UTF8.self).contains("200000 bytes"))
  }

  @Test("L-13 a large body for an unreadable path gets an answer that the document lists")
  func tooLargeWithoutRoute() async throws {
    let server = try await TestServer()

    let response = server.handler.refusal(status: 413, path: "/admin/products/%00/photo")

    #expect(response.status == 413 && response.code == "malformed_request")
    let mistakes = DescribedAnswers.mistakes(
      in: response, to: .put, Endpoint.adminProductPhoto(.id).path)
    #expect(mistakes == [])
  }

  @Test("L-13 a large body without a place gets an answer that a client can repeat")
  func noPlaceForBody() async throws {
    let server = try await TestServer()

    for path in [Endpoint.adminProductPhoto(.init("a")).path, Endpoint.token.path, "/nothing"] {
      let response = server.handler.refusal(status: 503, path: path)

      #expect(response.status == 503, "\(path)")
      let body = String(decoding: response.body, as: UTF8.self)
      #expect(body.contains(ErrorCode.temporarilyUnavailable.rawValue), "\(path)")
      #expect(response.fields.contains(HTTPField("Retry-After", "1")))
    }
  }

  @Test("R-14 development routes do not exist in production")
  func production() async throws {
    let server = try await TestServer(isDevelopment: false)

    for path in [
      Endpoint.developmentMessages.path, Endpoint.developmentClock.path,
      Endpoint.developmentAccounts.path, "/",
    ] {
      #expect(await server.get(path).status == 404)
      #expect(await server.answer(HTTPRequest(method: .post, path: path)).status == 404)
    }
  }

  @Test(
    "L-42 development routes answer neither foreign host names nor pages of other sites",
    arguments: [
      ([], 200), ([("Host", "127.0.0.1:8080")], 200), ([("Host", "localhost:9")], 200),
      ([("Host", "evil.example")], 403), ([("Host", "127.0.0.1.evil.example:8080")], 403),
      ([("Host", "127.0.0.1:8080"), ("Sec-Fetch-Site", "same-origin")], 200),
      ([("Host", "127.0.0.1:8080"), ("Sec-Fetch-Site", "none")], 200),
      ([("Host", "127.0.0.1:8080"), ("Sec-Fetch-Site", "same-site")], 403),
      ([("Host", "127.0.0.1:8080"), ("sec-fetch-site", "cross-site")], 403),
      ([("Host", "127.0.0.1:8080"), ("Sec-Fetch-Site", "")], 403),
      ([("Host", "127.0.0.1:8080"), ("Origin", "http://127.0.0.1:8080")], 200),
      ([("Host", "127.0.0.1:8080"), ("Origin", "https://evil.example")], 403),
      ([("Host", "127.0.0.1:8080"), ("Origin", "null")], 403),
    ] as [([(String, String)], Int)]
  )
  func foreignPages(_ fields: [(String, String)], _ status: Int) async throws {
    let server = try await TestServer()
    for (method, path, body) in [
      (HTTPMethod.get, Endpoint.developmentMessages.path, ""),
      (.post, Endpoint.developmentClock.path, "{\"advance\":1}"),
      (.post, Endpoint.developmentAccounts.path, "{\"count\":1}"),
    ] {
      let before = server.clock.now()
      let answer = await server.answer(
        HTTPRequest(
          method: method, path: path, fields: fields.map { HTTPField($0.0, $0.1) },
          body: Array(body.utf8)
        )
      )
      #expect(answer.status == status, "\(path)")
      if status == 403 { #expect(server.clock.now() == before) }
    }
  }

  @Test("R-14 neither the demo page nor the inbox page is served in production")
  func demoPages() async throws {
    let file = WebAssets.File(bytes: [1], brotli: nil, tag: "\"t\"")
    let paths = [
      "index.html", "site.css", "dev/messages.html", "dev/messages.js", "rider-app/index.html",
    ]
    let assets = Dictionary(uniqueKeysWithValues: paths.map { ($0, file) })
    let server = try await TestServer(assets: assets, isDevelopment: false)

    #expect(await server.get("/app/rider-app/").status == 200)
    #expect(await server.get("/app/rider-app/deliveries/7").status == 404)
    let place = await server.get(
      "/app/rider-app/deliveries/7", [HTTPField("Accept", "text/html,*/*;q=0.8")])
    #expect(place.status == 200)
    for path in [
      "/", "/index.html", "/site.css", "/dev/messages.html", "/dev/messages.js", "/dev/messages",
      "/app", "/app/", "/app//", "/app/index.html", "/app/site.css", "/app/dev", "/app/dev/",
      "/app/dev/messages.html", "/app/dev/messages.js", "/app//index.html", "/app/../index.html",
      "/app/rider-app/../index.html", "/app/rider-app/../dev/messages.html",
      "/app/%2e%2e/index.html", "/app/./index.html",
    ] {
      let html = [HTTPField("Accept", "text/html")]
      #expect(await server.get(path, html).status == 404, "\(path)")
    }
  }

  @Test("P-09 a page of an app that is not configured does not exist")
  func unconfiguredApp() async throws {
    let file = WebAssets.File(bytes: [1], brotli: nil, tag: "\"t\"")
    let paths = ["rider-app/index.html", "other-app/index.html", "other-app/app.js"]
    let assets = Dictionary(uniqueKeysWithValues: paths.map { ($0, file) })
    let server = try await TestServer(assets: assets, isDevelopment: false)

    #expect(await server.get("/app/rider-app/").status == 200)
    for path in ["/app/other-app/", "/app/other-app", "/app/other-app/app.js"] {
      #expect(await server.get(path).status == 404, "\(path)")
      let page = await server.get(path, [HTTPField("Accept", "text/html")])
      #expect(page.status == 404, "\(path)")
    }
  }

  @Test("T-11 a password manager finds the form that changes a password, and the browser an icon")
  func wellKnown() async throws {
    let file = WebAssets.File(bytes: [1], brotli: nil, tag: "\"t\"")
    let paths = ["console/index.html", "product-app/index.html", "favicon.ico"]
    let assets = Dictionary(uniqueKeysWithValues: paths.map { ($0, file) })
    let server = try await TestServer(assets: assets, isDevelopment: false)

    let form = await server.get("/.well-known/change-password")
    let icon = await server.get("/favicon.ico")

    #expect(form.status == 302)
    let location = form.fields.first { $0.isNamed("location") }?.value
    #expect(location == "/app/product-app/devices/password")
    #expect(icon.status == 200)
    #expect(icon.fields.first { $0.isNamed("content-type") }?.value == "image/x-icon")
    let none = try await TestServer(assets: [:], isDevelopment: false)
    #expect(await none.get("/.well-known/change-password").status == 404)
  }

  @Test("A contact for reports of weaknesses is shown for half a year, if one is configured")
  func securityText() async throws {
    let server = try await TestServer(isDevelopment: false)
    let path = "/.well-known/security.txt"
    let handler = FieldpassHandler(
      world: server.world, assets: WebAssets(files: [:]), development: nil,
      securityContact: "mailto:security@example.com", log: { _ in })
    func answer(_ method: HTTPMethod) async -> HTTPResponse {
      await handler.answer(HTTPRequest(method: method, path: path, query: nil, fields: []))
    }

    let read = await answer(.get)
    let lines = String(decoding: read.body, as: UTF8.self).split(separator: "\n")
    let expiry = CalendarDay(server.clock.now()).adding(days: 180).text

    #expect(read.status == 200)
    #expect(read.fields.first { $0.isNamed("content-type") }?.value == "text/plain; charset=utf-8")
    #expect(
      lines == [
        "Contact: mailto:security@example.com", "Expires: \(expiry)T00:00:00Z",
        "Canonical: \(server.world.issuer)\(path)",
      ])
    #expect(await answer(.post).status == 405)
    #expect(await server.get(path).status == 404)
  }

  @Test("The development clock moves only forward")
  func clock() async throws {
    let server = try await TestServer()
    func advance(_ body: String) async -> HTTPResponse {
      await server.answer(
        HTTPRequest(method: .post, path: Endpoint.developmentClock.path, body: Array(body.utf8))
      )
    }

    let answer = await advance("{\"advance\":61}")
    #expect(try JSONReader.read(answer.body)["now"]?.number == 1_800_000_061)
    for body in ["{\"advance\":-1}", "{\"advance\":\"1\"}", "{}", "", "{\"advance\":999999999}"] {
      #expect(await advance(body).status == 400)
    }
  }

  @Test("The development inbox shows messages, newest first, and load accounts can be created")
  func inbox() async throws {
    let server = try await TestServer()
    _ = try await Device(server: server).signIn()

    let rows = try JSONReader.read(
      await server.get(Endpoint.developmentMessages.path, query: "to=%2B15550101234").body
    )
    #expect(rows.elements?.first?["to"]?.text == "+15550101234")
    let odd = await server.get(Endpoint.developmentMessages.path, query: "to=unknown")
    #expect(odd.body == Array("[]".utf8))
    #expect(await server.get(Endpoint.developmentMessages.path, query: "a=%").status == 400)
    let made = await server.answer(
      HTTPRequest(
        method: .post,
        path: Endpoint.developmentAccounts.path,
        body: Array("{\"count\":3}".utf8)
      )
    )
    #expect(try JSONReader.read(made.body)["count"]?.number == 3)
  }

  @Test("Web files have validators and are compressed for clients that accept it")
  func files() async throws {
    let file = WebAssets.File(bytes: Array("<p>".utf8), brotli: [1, 2], tag: "\"t\"")
    let server = try await TestServer(assets: ["technician-app/index.html": file])
    let host = HTTPField("Host", "127.0.0.1:8080")
    let path = "/app/technician-app/"

    let page = await server.get(path, [host])
    #expect(page.status == 200 && page.body == file.bytes)
    #expect(page.fields.contains(HTTPField("Content-Type", "text/html; charset=utf-8")))
    let policy = page.fields.first { $0.isNamed("content-security-policy") }?.value
    #expect(policy?.contains("script-src 'self' 'wasm-unsafe-eval'") == true)
    let packed = await server.get(path, [host, HTTPField("Accept-Encoding", "gzip, br")])
    #expect(packed.body == [1, 2])
    for refused in ["br;q=0", "br; q=0.0", "br;q=0.000 ", "gzip"] {
      let answer = await server.get(path, [host, HTTPField("Accept-Encoding", refused)])
      #expect(answer.body == file.bytes, "\(refused)")
    }
    // A proxy that compresses a file makes its tag weak.
    for tag in ["\"t\"", "W/\"t\"", "\"s\", \"t\""] {
      let known = await server.get(path, [host, HTTPField("If-None-Match", tag)])
      #expect(known.status == 304 && known.body.isEmpty, "\(tag)")
    }
    #expect(await server.get("/app/technician-app", [host]).status == 308)
    #expect(await server.get("/app/technician-app/../../etc/passwd", [host]).status == 404)
    let moved = await server.get(path, [HTTPField("Host", "localhost:8080")])
    #expect(moved.status == 307)
    let posted = await server.answer(
      HTTPRequest(method: .post, path: path, fields: [host])
    )
    #expect(posted.status == 405)
  }

  @Test("Liveness, readiness and request counts are answered")
  func operation() async throws {
    let server = try await TestServer()

    #expect(await server.get(Endpoint.alive.path).status == 200)
    #expect(await server.get(Endpoint.ready.path).status == 200)
    let metrics = await server.metrics()
    #expect(metrics.contains("fieldpass_answers_total{route=\"/livez\",status=\"200\"} 1"))
  }

  @Test("T-14 the log is JSON and contains no secret of a complete sign-in")
  func log() async throws {
    let server = try await TestServer()
    let (token, json) = try await Device(server: server).signIn()

    let log = server.logged.all.joined(separator: "\n")
    let code = server.messenger.messages.last.map { String($0.text.revealed.prefix(6)) } ?? ""
    for secret in [
      token, code, "demo-Technician-1", "tech@example.com", json["refresh_token"]?.text ?? "",
      json["id_token"]?.text ?? "",
    ] {
      #expect(!secret.isEmpty && !log.contains(secret))
    }
    for line in server.logged.all {
      #expect(try JSONReader.read(Array(line.utf8))["request_id"]?.text?.isEmpty == false)
    }
  }
}

@Suite("Proof ledger")
struct MemoryProofLedgerTests {
  @Test("A proof is accepted once while it could be valid")
  func once() {
    let ledger = MemoryProofLedger()
    let start = Instant(seconds: 1_800_000_000)
    let life = MemoryProofLedger.generationSeconds
    func record(_ name: String, after seconds: Int64) -> Bool {
      let now = start.adding(seconds: seconds)
      return ledger.record(name, from: nil, until: now.adding(seconds: 121), now: now) == .recorded
    }

    #expect(record("a", after: 0))
    #expect(!record("a", after: 0))
    #expect(record("b", after: life))
    #expect(!record("a", after: life + 1))
    #expect(record("c", after: 3 * life))
    #expect(record("a", after: 3 * life + 1))
  }
}
