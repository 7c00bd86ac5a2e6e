import HTTPServer
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInHTTP

@Suite("Pages for people")
struct PageForPersonTests {
  private static let navigation = [
    HTTPField("Accept", "text/html,application/xhtml+xml,*/*;q=0.8"),
    HTTPField("Sec-Fetch-Dest", "document"),
  ]

  private func isPage(_ response: HTTPResponse) -> Bool {
    let text = String(decoding: response.body, as: UTF8.self)
    return response.value(of: "content-type") == "text/html; charset=utf-8"
      && text.contains("<h1>") && !text.contains("{\"")
  }

  @Test("L-56 an address that a person opens is refused with a page, an API's with JSON")
  func refusals() async throws {
    let server = try await TestServer(isDevelopment: false)
    for (method, path, status) in [
      (HTTPMethod.get, "/nothing", 404), (.get, "/app/none/", 404),
      (.post, "/oauth/authorize", 405),
      (.get, Endpoint.jobs.path, 401), (.get, Endpoint.token.path, 405),
      (.get, "/app/..%2f", 404),
    ] {
      let opened = await server.handler.answer(
        HTTPRequest(method: method, path: path, fields: Self.navigation))
      let called = await server.handler.answer(
        HTTPRequest(
          method: method, path: path,
          fields: [HTTPField("Accept", "*/*"), HTTPField("Sec-Fetch-Dest", "empty")]))
      #expect(opened.status == status && isPage(opened), "\(path)")
      #expect(called.status == status && !isPage(called), "\(path)")
    }
  }

  @Test("L-56 a library that accepts HTML gets JSON from an API")
  func library() async throws {
    let server = try await TestServer(isDevelopment: false)
    let html = [HTTPField("Accept", "text/html, image/gif, */*; q=.2")]
    #expect(
      !isPage(
        await server.handler.answer(
          HTTPRequest(method: .get, path: Endpoint.jobs.path, fields: html))))
    #expect(
      isPage(
        await server.handler.answer(
          HTTPRequest(method: .get, path: "/app/none/", fields: html))))
  }

  @Test(
    "L-56 a request that was not read is refused with a page too",
    arguments: [400, 408, 413, 414, 429, 431, 501, 503, 505])
  func unread(_ status: Int) async throws {
    let server = try await TestServer(isDevelopment: false)
    for path in ["", "/app/rider-app/", Endpoint.providerCallback(.init("login")).path] {
      let page = server.handler.refusal(
        status: status, to: HTTPRequest(method: .get, path: path, fields: Self.navigation))
      #expect(page.status == status && isPage(page))
      #expect(page.value(of: "cache-control") == "no-store")
      #expect(page.value(of: "retry-after") == (status == 503 ? "1" : nil))
      #expect(!isPage(server.handler.refusal(status: status, path: path)))
    }
  }

  @Test("L-56 an error page speaks the person's language", arguments: ["en", "hi", "nb"])
  func language(_ tag: String) async throws {
    let server = try await TestServer(isDevelopment: false)
    for status in [400, 404, 503] {
      let page = server.handler.refusal(
        status: status,
        to: HTTPRequest(
          method: .get, path: "/", fields: Self.navigation + [HTTPField("Accept-Language", tag)]))
      #expect(String(decoding: page.body, as: UTF8.self).contains("lang=\"\(tag)\""))
    }
  }

  @Test(
    "L-56 other parameters of a provider's answer are of no concern",
    arguments: [
      "&utm=a|b", "&q=100%", "&error_description=a&error_description=b", "&x=%ff",
      "&scope=a&scope=b",
    ])
  func callback(_ more: String) async throws {
    let world = try await ProviderServer()
    let (address, cookie) = await world.open(await world.push())
    let state = queryParameters(of: address)["state"] ?? ""

    let back = await world.server.get(
      Endpoint.providerCallback(.init("login")).path, query: "state=\(state)&code=c\(more)",
      [cookie])

    #expect(back.status == 303)
    #expect(queryParameters(of: back.value(of: "location") ?? "")["code"] != nil)
    let posted = await world.server.answer(
      HTTPRequest(
        method: .post, path: Endpoint.providerCallback(.init("login")).path,
        fields: [HTTPField("Content-Type", "application/x-www-form-urlencoded")],
        body: Array("state=\(state)&code=c\(more)".utf8)))
    #expect(posted.status == 303)
    let opened = await world.server.get(
      Endpoint.authorize.path,
      query: "client_id=technician-app&request_uri=\(await world.push())\(more)")
    #expect(opened.status == 303)
  }

  @Test("L-56 a repeated parameter that counts is refused with a page")
  func repeated() async throws {
    let world = try await ProviderServer()
    let (address, cookie) = await world.open(await world.push())
    let state = queryParameters(of: address)["state"] ?? ""
    for more in ["&code=d", "&state=\(state)"] {
      let answer = await world.server.get(
        Endpoint.providerCallback(.init("login")).path, query: "state=\(state)&code=c\(more)",
        [cookie])
      #expect(answer.status == 400 && isPage(answer))
    }
    #expect(await world.callback(state, cookie).status == 303)
  }

  @Test("L-56 an app keeps the query of its address when the browser is sent on")
  func movedQuery() async throws {
    let file = WebAssets.File(bytes: [1], brotli: nil, tag: "\"t\"")
    let server = try await TestServer(assets: ["technician-app/index.html": file])
    let moved = await server.get(
      "/app/technician-app/", query: "utm=a|b", [HTTPField("Host", "localhost:8080")])
    let slashed = await server.get(
      "/app/technician-app", query: "q=100%", [HTTPField("Host", "127.0.0.1:8080")])
    #expect(
      moved.value(of: "location") == TestServer.issuer + "/app/technician-app/?utm=a|b")
    #expect(slashed.value(of: "location") == "/app/technician-app/?q=100%")
  }
}
