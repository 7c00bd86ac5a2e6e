import HTTPServer
import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP
@testable import SignInService

@Suite("Pages of other origins")
struct CrossOriginTests {
  private static let page = "https://app.example.com"

  private func server() async throws -> TestServer {
    try await TestServer(
      clients: Configuration.demo.clients.map { client in
        var client = client
        if client.id == ClientID("technician-app") { client.origins = [Self.page] }
        return client
      })
  }

  private func ask(
    _ server: TestServer, _ method: HTTPMethod, _ path: String, from origins: [String],
    asking: String? = nil
  ) async -> HTTPResponse {
    var fields = origins.map { HTTPField("Origin", $0) }
    if let asking { fields.append(HTTPField("Access-Control-Request-Method", asking)) }
    return await server.answer(HTTPRequest(method: method, path: path, fields: fields))
  }

  private func value(_ name: String, of answer: HTTPResponse) -> [String] {
    answer.fields.filter { $0.name.lowercased() == name }.map(\.value)
  }

  @Test(
    "A configured origin may use the routes that libraries use and read their answers",
    arguments: CrossOrigin.paths.sorted())
  func permitted(path: String) async throws {
    let server = try await server()
    let isRead = [
      Endpoint.openIDConfiguration.path, Endpoint.serverMetadata.path, Endpoint.keys.path,
    ]
    .contains(path)

    let asked = await ask(server, .options, path, from: [Self.page], asking: "POST")
    let answer = await ask(server, isRead ? .get : .post, path, from: [Self.page])

    #expect(asked.status == 204 && asked.body.isEmpty)
    #expect(
      value("access-control-allow-headers", of: asked) == ["Authorization, Content-Type, DPoP"])
    for each in [asked, answer] {
      #expect(value("access-control-allow-origin", of: each) == [Self.page])
      #expect(value("access-control-allow-credentials", of: each) == [])
      #expect(value("cross-origin-resource-policy", of: each) == ["cross-origin"])
      #expect(value("vary", of: each) == ["Origin"])
    }
    let readable = value("access-control-expose-headers", of: answer).joined()
    for name in ["Date", "Retry-After", "ETag", "DPoP-Nonce", "WWW-Authenticate", "Request-Id"] {
      #expect(readable.contains(name), "\(name)")
    }
  }

  @Test(
    "Other origins and other routes get no permission",
    arguments: [
      (Endpoint.token.path, ["https://evil.example"]), (Endpoint.token.path, ["null"]),
      (Endpoint.token.path, ["https://app.example.com.evil.example"]),
      (Endpoint.token.path, ["https://APP.example.com"]),
      (Endpoint.token.path, [page, page]), (Endpoint.token.path, []),
      (Endpoint.challenge.path, [page]),
      (Endpoint.me.path, [page]), (Endpoint.adminAccounts.path, [page]), ("/nothing", [page]),
    ])
  func refused(path: String, origins: [String]) async throws {
    let server = try await server()

    for method in [HTTPMethod.options, .get, .post] {
      let answer = await ask(server, method, path, from: origins, asking: "POST")

      #expect(answer.status >= 400)
      #expect(!answer.fields.contains { $0.name.lowercased().hasPrefix("access-control-") })
      #expect(value("cross-origin-resource-policy", of: answer) == ["same-origin"])
    }
  }

  @Test("An OPTIONS request that is not a preflight is refused as before")
  func plainOptions() async throws {
    let server = try await server()

    let answer = await ask(server, .options, Endpoint.token.path, from: [Self.page])

    #expect(answer.status == 405)
    #expect(value("allow", of: answer) == ["POST"])
  }

  @Test("Discovery and keys may be cached for five minutes and are not sent twice")
  func caching() async throws {
    let server = try await server()

    for path in [
      Endpoint.openIDConfiguration.path, Endpoint.serverMetadata.path, Endpoint.keys.path,
    ] {
      let answer = await server.get(path)
      let tag = try #require(value("etag", of: answer).first)
      let again = await server.get(path, [HTTPField("If-None-Match", "\"x\", \(tag)")])

      #expect(answer.status == 200 && again.status == 304 && again.body.isEmpty)
      #expect(value("cache-control", of: answer) == ["public, max-age=300"])
      #expect(value("cache-control", of: again) == ["public, max-age=300"])
      #expect(value("content-security-policy", of: answer).count == 1)
      #expect(await server.get(path, [HTTPField("If-None-Match", "\"x\"")]).status == 200)
    }
  }
}
