import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

@Suite("Scopes")
struct ScopeTests {
  /// The scopes of the wire contract, written a second time.
  static let contract: [(path: String, scope: Scope)] = [
    ("/api/me", .openID), ("/api/sessions", .account), ("/api/password", .account),
    ("/api/notices", .account), ("/api/identities", .account),
    ("/api/contact-proposals", .account), ("/api/account-changes", .account),
    ("/api/contact-changes", .account), ("/api/erasure", .account),
    ("/api/jobs", .jobs), ("/api/dashboard", .dashboard), ("/api/deliveries", .dashboard),
    ("/api/activities", .activities), ("/api/products", .products),
    ("/api/service-requests", .products), ("/admin/", .admin),
  ]

  /// The routes that service accounts may also use.
  static let services: [(paths: [String], scope: ServiceScope)] = [
    (["/admin/jobs/{id}", "/admin/jobs:batch"], .writeJobs),
    (["/admin/deliveries/{id}", "/admin/deliveries:batch"], .writeDeliveries),
    (["/admin/activities/{id}", "/admin/activities:batch"], .writeActivities),
    (
      ["/admin/products/{id}", "/admin/products:batch", "/admin/products/{id}/photo"],
      .writeProducts
    ),
    (["/admin/changes"], .readChanges),
  ]

  @Test("L-43 every route of data needs the scope that the contract names")
  func table() {
    for route in Route.all where route.endpoint.isOfData {
      var needed = Self.contract.first { route.path.hasPrefix($0.path) }?.scope
      // Reading who one is needs less than changing it.
      if route.method == .patch, route.path == Endpoint.me.path { needed = .account }
      let access: RouteAccess =
        if route.path == Endpoint.sessionEvents.path {
          .session
        } else if let service = Self.services.first(where: { service in
          service.paths.contains(route.path)
        }) {
          .service(service.scope)
        } else {
          needed.map { RouteAccess.scope($0) } ?? .open
        }
      #expect(route.access == access, "\(route.method.rawValue) \(route.path)")
    }
  }

  @Test("L-43 the handler does not start with a route of data that needs no token")
  func unguarded() {
    #expect(Route.unguarded(Route.all) == [])
    let routes = [
      Route(.get, .jobs, .open, answer: { _ in .text("") }, .sample),
      Route(.put, .adminProducts, proved: { _, _ in .text("") }, .sample),
      Route(.get, .alive, .open, answer: { _ in .text("") }, .sample),
      Route(.get, .me, .openID, answer: { _, _ in .text("") }, .sample),
    ]

    #expect(Route.unguarded(routes) == ["GET /api/jobs", "PUT /admin/products"])
  }

  @Test(
    "L-43 a token without a scope is refused by every route that needs one, and nothing happens")
  func none() async throws {
    let server = try await TestServer()
    let person = try await Person.administrator(at: server, scope: "offline_access")

    for route in Route.all {
      guard case .scope(let scope) = route.access else { continue }
      await expectRefusal(of: person, by: route, for: scope)
    }

    let events = await person.call(.get, Endpoint.sessionEvents.path)
    #expect(events.status == 200, "no session was ended: its own events need no scope")
  }

  @Test("L-43 every other scope is refused too", arguments: Scope.allCases)
  func others(_ needed: Scope) async throws {
    let server = try await TestServer()
    let rest = [Scope.openID, .offlineAccess, .account, .admin].filter { $0 != needed }
    let person = try await Person.administrator(
      at: server, scope: rest.map(\.rawValue).joined(separator: " "))

    for route in Route.all where route.access == .scope(needed) {
      await expectRefusal(of: person, by: route, for: needed)
    }
  }

  private func expectRefusal(of person: Person, by route: Route, for scope: Scope) async {
    let path = route.path.replacing("{id}", with: "x")
    let answer = await person.call(route.method, path, "{}")
    #expect(answer.status == 403 && answer.code == "insufficient_scope", "\(path)")
    let challenge = answer.fields.first { $0.isNamed("www-authenticate") }?.value
    #expect(challenge == "DPoP error=\"insufficient_scope\", scope=\"\(scope.rawValue)\"")
  }

  @Test(
    "L-43 without a token every route of data answers 401, and a route with a proof answers 4xx")
  func unsigned() async throws {
    let server = try await TestServer()

    for route in Route.all {
      let path = route.path.replacing("{id}", with: "x")
      let answer = await server.answer(HTTPRequest(method: route.method, path: path))
      switch route.access {
      case .scope, .session, .service: #expect(answer.status == 401, "\(path)")
      case .proof: #expect((400...401).contains(answer.status), "\(path)")
      case .open, .development: #expect(answer.status != 403, "\(path)")
      }
    }
  }

  @Test("An app may always request account and the scope of its home, and no other home's")
  func allowed() async throws {
    var client = Configuration.demo.clients[0]
    client.scopes = ["openid"]
    let server = try await TestServer(clients: [client])

    let technician = try await Person.signIn(
      at: server, client: client.id.text, scope: "openid account jobs products dashboard admin",
      [("username", "tech@example.com"), ("password", "demo-Technician-1")]
    )

    for (path, status) in [
      (Endpoint.me.path, 200), (Endpoint.sessions.path, 200), (Endpoint.jobs.path, 200),
      (Endpoint.products.path, 403), (Endpoint.dashboard.path, 403),
      (Endpoint.adminAccounts.path, 403),
    ] {
      #expect(await technician.call(.get, path).status == status, "\(path)")
    }
  }
}
