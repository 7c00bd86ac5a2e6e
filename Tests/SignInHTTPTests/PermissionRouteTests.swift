import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

/// T-16: an administrator of one organization gets nothing of another organization.
///
/// Every route of administration needs a case here; a route without one fails the test.
@Suite("Permissions of administration")
struct PermissionRouteTests {
  /// The answer to a request about another organization's record.
  enum ClientEnvironment {
    /// The same answer as for a record that does not exist.
    case hidden(String)
    /// The operation needs a global permission.
    case denied
    /// A list without records of the other organization.
    case narrowed
    /// The same answer as for a name that is not configured.
    case refused
    /// A list with a refused item, as for an account that does not exist.
    case refusedItem
  }

  /// A request.
  ///
  /// `ORG` in it is replaced by an organization.
  struct Case {
    var path: String
    var query: String?
    var body: String?
    let outside: ClientEnvironment
  }

  static let account = ClientEnvironment.hidden("account_not_found")
  private static let product = """
    {"id":"ORG-2","name":"x","model":"x","serial_number":"x","category":"x"}
    """
  private static let newcomer = """
    {"name":"New","role":"technician","email":"new@example.com","phone_number":"+15550109998",\
    "organizations":["ORG"]}
    """

  /// The cases by method and path of the route.
  static let cases: [String: Case] = [
    "GET /admin/accounts": Case(path: "/admin/accounts", outside: .narrowed),
    "POST /admin/accounts": Case(path: "/admin/accounts", body: newcomer, outside: .refused),
    "GET /admin/accounts/{id}": Case(path: "/admin/accounts/ORG-owner", outside: account),
    "PATCH /admin/accounts/{id}": Case(
      path: "/admin/accounts/ORG-owner", body: #"{"name":"Other"}"#, outside: account),
    "DELETE /admin/accounts/{id}": Case(path: "/admin/accounts/ORG-owner", outside: account),
    "GET /admin/accounts/{id}/export": Case(
      path: "/admin/accounts/ORG-owner/export", outside: account),
    "POST /admin/accounts/{id}/unlock": Case(
      path: "/admin/accounts/ORG-owner/unlock", outside: account),
    "POST /admin/accounts/{id}/reset": Case(
      path: "/admin/accounts/ORG-owner/reset", outside: account),
    "POST /admin/accounts/{id}/invitation": Case(
      path: "/admin/accounts/ORG-owner/invitation", body: #"{"send":true}"#, outside: account),
    "DELETE /admin/accounts/{id}/erasure": Case(
      path: "/admin/accounts/ORG-owner/erasure", outside: account),
    "DELETE /admin/accounts/{id}/password-reset": Case(
      path: "/admin/accounts/ORG-owner/password-reset", outside: account),
    "POST /admin/accounts/{id}/password-reset/approval": Case(
      path: "/admin/accounts/ORG-owner/password-reset/approval", body: #"{"available_at":1}"#,
      outside: account),
    "GET /admin/accounts/{id}/sessions": Case(
      path: "/admin/accounts/ORG-owner/sessions", outside: account),
    "DELETE /admin/accounts/{id}/sessions": Case(
      path: "/admin/accounts/ORG-owner/sessions", outside: account),
    "DELETE /admin/accounts/{id}/sessions/{session}": Case(
      path: "/admin/accounts/ORG-owner/sessions/none", outside: account),
    "GET /admin/accounts/{id}/identities": Case(
      path: "/admin/accounts/ORG-owner/identities", outside: account),
    "POST /admin/accounts/{id}/identities": Case(
      path: "/admin/accounts/ORG-owner/identities",
      body: #"{"provider":"ORG-login","subject":"ORG"}"#, outside: account),
    "DELETE /admin/accounts/{id}/identities/{identity}": Case(
      path: "/admin/accounts/ORG-owner/identities/none", outside: account),
    "GET /admin/organizations": Case(path: "/admin/organizations", outside: .narrowed),
    "GET /admin/organizations/{id}": Case(
      path: "/admin/organizations/ORG", outside: .hidden("organization_not_found")),
    "PATCH /admin/organizations/{id}": Case(
      path: "/admin/organizations/ORG", body: #"{"policy":{"background_seconds":60}}"#,
      outside: .hidden("organization_not_found")),
    "GET /admin/clients": Case(path: "/admin/clients", outside: .narrowed),
    "GET /admin/clients/{id}": Case(path: "/admin/clients/rider-app", outside: .denied),
    "PATCH /admin/clients/{id}": Case(
      path: "/admin/clients/rider-app", body: #"{"idle_seconds":3600}"#, outside: .denied),
    "GET /admin/clients/{id}/policy": Case(
      path: "/admin/clients/mentor-app/policy", query: "organization=ORG",
      outside: .hidden("organization_not_found")),
    "GET /admin/providers": Case(path: "/admin/providers", outside: .denied),
    "POST /admin/providers/{name}/check": Case(
      path: "/admin/providers/login/check", outside: .denied),
    "GET /admin/products": Case(path: "/admin/products", outside: .narrowed),
    "POST /admin/products": Case(
      path: "/admin/products", body: #"{"owner":"ORG@example.com","products":[\#(product)]}"#,
      outside: account),
    "POST /admin/products/{id}/transfer": Case(
      path: "/admin/products/ORG-1/transfer", body: #"{"to":"ORG-second@example.com"}"#,
      outside: .hidden("account_not_found")),
    "GET /admin/service-requests": Case(path: "/admin/service-requests", outside: .narrowed),
    "GET /admin/overview": Case(path: "/admin/overview", outside: .narrowed),
    "GET /admin/messages": Case(path: "/admin/messages", outside: .narrowed),
    "GET /admin/events": Case(path: "/admin/events", outside: .narrowed),
    "GET /admin/exports/accounts": Case(path: "/admin/exports/accounts", outside: .narrowed),
    "GET /admin/exports/events": Case(path: "/admin/exports/events", outside: .narrowed),
    "GET /admin/exports/messages": Case(path: "/admin/exports/messages", outside: .narrowed),
  ].merging(dataCases) { first, _ in first }

  static let routes = Route.all.filter(\.endpoint.isOfAdministration)

  private static func name(_ route: Route) -> String { "\(route.method.rawValue) \(route.path)" }

  @Test("T-16 every route of administration names a permission and has a case here")
  func table() {
    #expect(Set(Self.routes.map(Self.name)) == Set(Self.cases.keys))
    #expect(Self.routes.allSatisfy { $0.permission != nil })
    let unnamed = Route(.put, .adminProducts, .admin, answer: { _, _ in .text("") }, .sample)
    #expect(Route.unguarded([unnamed]) == ["PUT /admin/products"])
  }

  @Test("T-16 no operation reaches another organization or changes anything in it")
  func outside() async throws {
    let server = try await TestServer()
    try await server.populate()
    let north = try await server.administrator(.administrator, of: "north")
    let before = try await server.records(of: "south")

    for route in Self.routes {
      let request = try #require(Self.cases[Self.name(route)])
      let answer = await north.call(route, request, "south")
      switch request.outside {
      case .hidden(let code):
        #expect(answer.status == 404 && answer.code == code, "\(Self.name(route))")
      case .denied:
        #expect(answer.status == 403 && answer.code == "permission_denied", "\(Self.name(route))")
      case .refused: #expect(answer.status == 400, "\(Self.name(route))")
      case .refusedItem:
        let item = answer.json["results"]?.elements?.first
        #expect(item?["code"]?.text == "account_not_found", "\(Self.name(route))")
      case .narrowed:
        #expect(answer.status == 200, "\(Self.name(route))")
        let text = String(decoding: answer.body, as: UTF8.self)
        // An account in both organizations shows the other one's name only.
        let isLeaked = text.contains("south-") || text.contains(#""id":"south""#)
        #expect(!isLeaked, "\(Self.name(route)) answers \(text)")
      }
    }

    #expect(try await server.records(of: "south") == before)
  }

  @Test("T-16 the same requests work in the administrator's own organization")
  func inside() async throws {
    for route in Self.routes {
      let server = try await TestServer()
      try await server.populate()
      let north = try await server.administrator(.administrator, of: "north")
      let request = try #require(Self.cases[Self.name(route)])
      let answer = await north.call(route, request, "north")
      switch request.outside {
      case .denied: #expect(answer.status == 403, "\(Self.name(route))")
      case .refusedItem:
        let item = answer.json["results"]?.elements?.first
        #expect(item?["result"]?.text == "created", "\(Self.name(route))")
      case .hidden, .narrowed, .refused:
        let isDone =
          answer.status < 300 || answer.code == "password_reset_not_found"
          // The body is not a whole photo.
          || answer.code == "photo_damaged"
          || answer.code == "identity_not_found" || answer.code == "session_not_found"
          || answer.code == "photo_not_found" || answer.code == "change_not_found"
        #expect(isDone, "\(Self.name(route)) \(answer.status) \(answer.code ?? "")")
      }
      if case .narrowed = request.outside {
        let text = String(decoding: answer.body, as: UTF8.self)
        // An app does not belong to an organization; its members use it.
        let own = route.path == Endpoint.adminClients.path ? "product-app" : "north"
        #expect(text.contains(own), "\(Self.name(route)) answers \(text)")
      }
    }
  }

  @Test(
    "T-16 a lower level is refused exactly what it may not do",
    arguments: [Permission.Level.viewer, .support])
  func levels(_ level: Permission.Level) async throws {
    for route in Self.routes {
      let server = try await TestServer()
      try await server.populate()
      let person = try await server.administrator(level, of: "north")
      let request = try #require(Self.cases[Self.name(route)])
      let need = try #require(route.permission)
      let answer = await person.call(route, request, "north")
      let isDenied = answer.status == 403 && answer.code == "permission_denied"
      #expect(isDenied == (need.level > level || need.isEverywhere), "\(Self.name(route))")
    }
  }

  @Test("T-16 an administrator without any permission is refused everything")
  func none() async throws {
    let server = try await TestServer()
    try await server.populate()
    let person = try await server.administrator(nil, of: "north")
    for route in Self.routes {
      let request = try #require(Self.cases[Self.name(route)])
      let answer = await person.call(route, request, "north")
      #expect(answer.code == "insufficient_scope", "\(Self.name(route))")
    }
  }

  @Test("T-16 an administrator of one organization gets the apps that its members can use, by name")
  func apps() async throws {
    let server = try await TestServer()
    try await server.populate()
    let person = try await server.administrator(.viewer, of: "north")

    let listed = await person.call(.get, "/admin/clients")
    let me = await person.call(.get, "/api/me")

    let clients = try #require(listed.json["clients"]?.elements)
    #expect(clients.map { $0["id"]?.text } == ["console", "mentor-app", "product-app"])
    #expect(clients.allSatisfy { $0.objectMembers?.map(\.key) == ["id", "name"] })
    // Each of them can read the policy for the organization's people.
    for client in clients {
      let path = "/admin/clients/\(client["id"]?.text ?? "")/policy"
      #expect(await person.call(.get, path, query: "organization=north").status == 200)
      #expect(await person.call(.get, path).code == "client_not_found")
    }
    #expect(
      me.json["permissions"]
        == .array([
          .members([JSONMember("level", "viewer"), JSONMember("organization", "north")])
        ]))
  }

  @Test("T-16 the overview of an organization counts only its accounts")
  func overview() async throws {
    let server = try await TestServer()
    try await server.populate()
    let north = try await server.administrator(.viewer, of: "north")
    let admin = try await Person.administrator(at: server)
    let now = server.clock.now()
    try await server.world.store.transact { (transaction) throws(StoreFault) in
      for name in ["north", "south"] {
        try transaction.record(
          .locked, about: AccountID("\(name)-owner"),
          by: AccountEditingRules.operatorCommand.caller, at: now)
      }
    }

    let own = try #require(
      OverviewAnswer(json: await north.call(.get, Endpoint.adminOverview.path).json))
    let all = try #require(
      OverviewAnswer(json: await admin.call(.get, Endpoint.adminOverview.path).json))

    #expect(own.organizations == [OrganizationID("north")] && all.organizations == nil)
    #expect(own.days.last?.locks == 1 && all.days.last?.locks == 2)
    #expect(own.openSessions < all.openSessions)
  }

  @Test("L-49 an administrator of an organization cannot count the events of others")
  func eventCounts() async throws {
    let server = try await TestServer()
    try await server.populate()
    let north = try await server.administrator(.administrator, of: "north")
    let admin = try await Person.administrator(at: server)
    let now = server.clock.now()
    try await server.world.store.transact { (transaction) throws(StoreFault) in
      for name in ["north", "south", "south", "south", "north"] {
        try transaction.record(
          .locked, about: AccountID("\(name)-owner"),
          by: AccountEditingRules.operatorCommand.caller, at: now)
      }
    }
    let path = Endpoint.adminEvents.path
    let first = await north.call(.get, path, query: "kind=locks&limit=1").json
    let cursor = try #require(first["cursor"]?.text)
    let rest = await north.call(.get, path, query: "kind=locks&limit=1&cursor=\(cursor)").json
    let table = await north.call(.get, "/admin/exports/events", query: "kind=locks")
    let all = await admin.call(.get, path, query: "kind=locks&limit=1").json

    let listed = (first["events"]?.elements ?? []) + (rest["events"]?.elements ?? [])
    #expect(listed.map { $0["account"]?.text } == ["north-owner", "north-owner"])
    #expect(listed.allSatisfy { $0["sequence"] == nil && $0["hash"] != nil })
    #expect(Int64(cursor) == nil && rest["cursor"] == nil)
    let lines = String(decoding: table.body, as: UTF8.self).split(whereSeparator: \.isNewline)
    #expect(lines.count == 3 && lines.dropFirst().allSatisfy { $0.hasPrefix(",") })
    let export = await north.call(.get, "/admin/accounts/north-owner/export").json
    let exported = try #require(export["events"]?.elements)
    #expect(exported.count == 3 && exported.allSatisfy { $0["sequence"] == nil })
    // A reader of everything has numbers, which are of no use to the other one.
    let number = try #require(all["cursor"]?.text)
    #expect(Int64(number) != nil && all["events"]?.elements?.first?["sequence"] != nil)
    for (person, cursor) in [(north, number), (admin, cursor), (north, cursor + "A")] {
      let refused = await person.call(.get, path, query: "cursor=\(cursor)")
      #expect(refused.status == 400 && refused.code == "invalid_request")
    }
  }

  @Test("T-16 support sends an invitation without seeing it")
  func invitation() async throws {
    let server = try await TestServer()
    try await server.populate()
    let person = try await server.administrator(.support, of: "north")
    let path = "/admin/accounts/north-owner/invitation"

    let shown = await person.call(.post, path)
    let sent = await person.call(.post, path, #"{"send":true}"#)

    #expect(shown.status == 403 && shown.code == "permission_denied")
    #expect(sent.status == 201 && sent.json["invitation"] == nil && sent.json["link"] == nil)
    await deliverMessages(through: [server.messenger], in: server.world)
    let text = server.messenger.messages.last?.text.revealed ?? ""
    #expect(text.contains("/app/product-app/#invitation="))
  }
}

extension Person {
  fileprivate func call(
    _ route: Route, _ request: PermissionRouteTests.Case, _ organization: String
  ) async -> HTTPResponse {
    func filled(_ text: String) -> String { text.replacing("ORG", with: organization) }
    return await call(
      route.method, filled(request.path), query: request.query.map(filled),
      request.body.map(filled)
    )
  }
}

extension TestServer {
  /// Adds an owner with a product, a request, a message and an event to both organizations.
  fileprivate func populate() async throws {
    for (index, name) in ["north", "south"].enumerated() {
      let owner = try account("\(name)-owner", "\(name)@example.com", 100 + index, in: name)
      let second = try account(
        "\(name)-second", "\(name)-second@example.com", 200 + index, in: name)
      let now = clock.now()
      let entry = try #require(
        ProductEntry(
          json: JSONReader.read(
            Array(
              #"{"id":"\#(name)-1","name":"x","model":"x","serial_number":"x","category":"x"}"#
                .utf8))))
      var message = OutboxMessage(
        id: "\(name)-message", to: .phone(try #require(owner.phone)), sealedText: [1],
        createdAt: now,
        expiresAt: now, leasedUntil: now, tries: 0, state: .handedOver
      )
      message.organization = OrganizationID(name)
      let sent = message
      try await world.store.transact { (transaction) throws(StoreFault) in
        try transaction.insert(owner)
        try transaction.insert(second)
        try transaction.insert(sent)
        try transaction.save(
          Product(entry: entry, createdAt: now, holder: .owner(owner.id), position: 1))
        try transaction.insert(
          ServiceRequestEntry(
            id: "\(name)-request", product: entry.id, productName: "x", account: owner.id,
            description: "x", createdAt: now))
        try transaction.saveData(of: owner.id, in: name, at: now)
        try transaction.record(
          .accountApproved, about: owner.id, detail: "\(name)-detail",
          by: AccountEditingRules.operatorCommand.caller, at: now)
      }
    }
  }

  private func account(
    _ id: String, _ email: String, _ number: Int, in organization: String
  ) throws -> Account {
    Account(
      id: AccountID(id), email: try EmailAddress(parsing: email),
      phone: try PhoneNumber(parsing: "+15550107\(number)"), name: id, role: .owner,
      status: .active, passwordHash: nil, organizations: [OrganizationID(organization)],
      createdAt: clock.now(), emailProof: .administrator, phoneProof: .administrator
    )
  }

  /// Signs in an administrator of one organization, who is also its member.
  func administrator(
    _ level: Permission.Level?, of organization: String
  ) async throws -> Person {
    let hash = try await world.passwords.hash(Secret("local-Admin-1"))
    let account = Account(
      id: AccountID("\(organization)-admin"),
      email: try EmailAddress(parsing: "\(organization)-admin@example.com"),
      phone: try PhoneNumber(parsing: "+15550107999"), name: "Local", role: .administrator,
      status: .active, passwordHash: hash, organizations: [OrganizationID(organization)],
      permission: Permission(
        level.map { [Permission.Grant($0, in: OrganizationID(organization))] } ?? []),
      createdAt: clock.now()
    )
    try await world.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(account)
    }
    return try await Person.signIn(
      at: self, client: "console", scope: "openid offline_access account admin",
      [("username", "\(organization)-admin@example.com"), ("password", "local-Admin-1")]
    )
  }

  /// The records of an organization that must not change.
  fileprivate func records(of organization: String) async throws -> [String] {
    await world.linkEvents()
    return try await world.store.read { (transaction) throws(StoreFault) in
      let owner = AccountID("\(organization)-owner")
      return [
        String(describing: try transaction.account(owner)),
        String(describing: try transaction.account(AccountID("\(organization)-second"))),
        String(describing: try transaction.product(ProductID("\(organization)-1"))),
        String(describing: try transaction.product(ProductID("\(organization)-2"))),
        String(describing: try transaction.jobs(of: owner)),
        String(describing: try transaction.deliveries(of: owner, from: .earliest, until: .latest)),
        String(
          describing: try transaction.activities(
            of: owner, in: OrganizationID(organization), limit: 100)),
        String(describing: try transaction.invitation(of: owner)),
        String(try transaction.events(of: owner, before: nil, limit: 100).count),
        String(
          describing: try transaction.policyChanges(of: .organization(OrganizationID(organization)))
        ),
      ]
    }
  }
}
