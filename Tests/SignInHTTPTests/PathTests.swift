import HTTPServer
import SignInWire
import Testing

@testable import SignInHTTP

@Suite("Paths with parameters")
struct PathTests {
  static let table = RouteTable(
    [Endpoint.adminAccounts, .adminAccount(.id), .adminUnlock(.id)].map { endpoint in
      Route(.get, endpoint, .open, answer: { _ in .text("") }, .sample)
    })

  @Test(
    "A parameter is one segment, decoded",
    arguments: [
      ("/admin/accounts/x", "x"), ("/admin/accounts/a-b_c.d", "a-b_c.d"),
      ("/admin/accounts/%61", "a"), ("/admin/accounts/%C3%B8", "ø"),
      ("/admin/accounts/...", "..."), ("/admin/accounts/a+b", "a+b"),
    ]
  )
  func decoded(_ path: String, _ value: String) {
    let match = Self.table.match(path)

    #expect(match?.name == Endpoint.adminAccount(.id).path)
    #expect(match?.parameters == ["id": value])
  }

  @Test(
    "L-13 a path that two readers could understand differently matches no route",
    arguments: [
      "/admin/accounts/", "/admin/accounts//unlock", "/admin/accounts/.", "/admin/accounts/..",
      "/admin/accounts/%2e%2E", "/admin/accounts/a%2fb", "/admin/accounts/a%2Funlock",
      "/admin/accounts/%", "/admin/accounts/%4", "/admin/accounts/%zz", "/admin/accounts/%00",
      "/admin/accounts/%7F", "/admin/accounts/%0a", "/admin/accounts/%ff",
      "/admin/accounts/%C0%AF", "/admin/accounts/x/", "/admin/accounts/x/y",
      "//admin/accounts/x", "/admin//accounts/x", "/%61dmin/accounts/x", "admin/accounts/x",
    ]
  )
  func refused(_ path: String) {
    #expect(Self.table.match(path) == nil)
  }

  @Test("An exact path has priority over one with parameters, and methods share a path")
  func order() {
    #expect(Self.table.match("/admin/accounts")?.parameters.isEmpty == true)
    #expect(Self.table.match("/admin/accounts/x/unlock")?.name == Endpoint.adminUnlock(.id).path)
  }

  @Test("A wrong method is 405 with Allow, and the log has the route, not the requested path")
  func methods() async throws {
    let server = try await TestServer()

    let put = await server.answer(
      HTTPRequest(method: .put, path: "/admin/accounts/secret-name")
    )

    #expect(put.status == 405)
    #expect(put.fields.contains(HTTPField("Allow", "GET, HEAD, PATCH, DELETE")))
    #expect(!server.logged.all.joined().contains("secret-name"))
    #expect(await server.get("/admin/accounts/..").status == 404)
    #expect(await server.get("/admin/accounts/%2e%2e").status == 404)
  }
}
