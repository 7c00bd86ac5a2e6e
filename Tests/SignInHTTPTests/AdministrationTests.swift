import HTTPServer
import JSONText
import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

@Suite("Administration over HTTP")
struct AdministrationTests {
  static let nina = """
    {"name":"Nina","role":"technician","email":"nina@example.com",\
    "phone_number":"+15550109999","password":"correct horse"}
    """

  @Test("T-16 an administrator creates, finds, deactivates and reactivates a technician")
  func technician() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)

    let made = await admin.call(.post, Endpoint.adminAccounts.path, Self.nina)
    let id = try #require(made.json["id"]?.text)
    let path = Endpoint.adminAccounts.path + "/" + id

    #expect(made.status == 201)
    #expect(made.fields.contains(HTTPField("Location", path)))
    #expect(await admin.call(.get, path).body == made.body)
    let found = await admin.call(
      .get, Endpoint.adminAccounts.path, query: "query=NINA&status=active")
    #expect(found.json["accounts"]?.elements == [made.json])
    let nina = try await Person.signIn(
      at: server, client: "technician-app", scope: "openid offline_access",
      [("username", "nina@example.com"), ("password", "correct horse")]
    )
    #expect(await nina.call(.get, Endpoint.me.path).status == 200)

    let off = await admin.call(.patch, path, "{\"status\":\"deactivated\"}")
    #expect(off.status == 200 && off.json["status"]?.text == "deactivated")
    #expect(await nina.call(.get, Endpoint.me.path).status == 401)
    let illegal = await admin.call(.patch, path, "{\"status\":\"rejected\"}")
    #expect(illegal.status == 409 && illegal.code == "illegal_transition")
    let on = await admin.call(.patch, path, "{\"status\":\"active\"}")
    #expect(on.json["status"]?.text == "active")
  }

  @Test("R-11 an administrator approves or rejects a pending rider")
  func rider() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let path = Endpoint.adminAccounts.path + "/pending-rider"

    let pending = await admin.call(
      .get, Endpoint.adminAccounts.path, query: "status=pending&role=rider")
    #expect(pending.json["accounts"]?.elements?.map { $0["id"]?.text } == ["pending-rider"])
    #expect(
      await admin.call(.patch, path, "{\"status\":\"rejected\"}").json["status"]?.text == "rejected"
    )
    let early = await admin.call(.patch, path, "{\"status\":\"deactivated\"}")
    #expect(early.code == "illegal_transition")
    #expect(
      await admin.call(.patch, path, "{\"status\":\"active\"}").json["status"]?.text == "active"
    )
    let rider = try await Person.signIn(
      at: server, client: "rider-app", scope: "openid", [("phone_number", "+919812345679")]
    )
    #expect(await rider.call(.get, Endpoint.me.path).json["role"]?.text == "rider")
  }

  @Test(
    "An unknown member is refused by name, and nothing changes",
    arguments: [
      (
        HTTPMethod.patch, "/admin/accounts/technician",
        #"{"status":"deactivated","roles":"owner"}"#,
        "roles"
      ),
      (.post, "/admin/accounts", nina.replacing("}", with: #","admin":true}"#), "admin"),
      (
        .post, "/admin/products",
        #"{"owner":"owner@example.com","products":[{"id":"p","colour":"red"}]}"#,
        "products.0.colour"
      ),
      (
        .post, "/admin/accounts/technician/password-reset/approval",
        #"{"available_at":1,"note":""}"#, "note"
      ),
    ])
  func unknownMembers(
    _ method: HTTPMethod, _ path: String, _ body: String, _ name: String
  ) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let before = try await server.world.store.read { transaction throws(StoreFault) in
      try transaction.accounts(AccountQuery(), after: nil, limit: 99)
    }

    let answer = await admin.call(method, path, body)

    #expect(answer.status == 400)
    #expect(answer.code == "invalid_request")
    #expect(answer.json["detail"]?.text == "\(name) is not a member of this request")
    let after = try await server.world.store.read { transaction throws(StoreFault) in
      try transaction.accounts(AccountQuery(), after: nil, limit: 99)
    }
    #expect(after == before)
  }

  @Test(
    "The name of an unknown member is repeated up to its limit",
    arguments: [
      (Schema.shownNameLimit, ""), (Schema.shownNameLimit + 1, "…"),
    ])
  func longName(_ length: Int, _ ending: String) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let name = String(repeating: "n", count: length)

    let answer = await admin.call(
      .patch, "/admin/accounts/technician", #"{"status":"active","\#(name)":1}"#)

    let shown = String(name.prefix(Schema.shownNameLimit)) + ending
    #expect(answer.json["detail"]?.text == "\(shown) is not a member of this request")
  }

  @Test(
    "An unknown member with null is refused, even in a policy",
    arguments: [
      ("/admin/clients/rider-app", #"{"lockuot":null}"#, "lockuot"),
      ("/admin/clients/rider-app", #"{"lockout":{"foo":null}}"#, "lockout.foo"),
      ("/admin/organizations/north", #"{"foo":null}"#, "foo"),
      ("/admin/organizations/north", #"{"policy":{"foo":null}}"#, "policy.foo"),
    ])
  func unknownNull(_ path: String, _ body: String, _ name: String) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)

    let answer = await admin.call(.patch, path, body)

    #expect(answer.status == 400)
    #expect(answer.json["detail"]?.text == "\(name) is not a member of this request")
    let known = await admin.call(.patch, "/admin/clients/rider-app", #"{"lockout":null}"#)
    #expect(known.status == 200)
  }

  static let administration: [(HTTPMethod, String)] = [
    (.get, "/admin/accounts"), (.post, "/admin/accounts"), (.get, "/admin/accounts/technician"),
    (.patch, "/admin/accounts/technician"), (.post, "/admin/accounts/technician/unlock"),
    (.post, "/admin/accounts/technician/reset"), (.get, "/admin/accounts/technician/sessions"),
    (.delete, "/admin/accounts/technician/sessions"), (.get, "/admin/organizations"),
    (.get, "/admin/clients"), (.get, "/admin/messages"), (.get, "/admin/events"),
    (.get, "/admin/clients/console"), (.patch, "/admin/clients/console"),
    (.get, "/admin/organizations/north"), (.patch, "/admin/organizations/north"),
  ]

  @Test("Only administrators with the scope get an answer", arguments: administration.indices)
  func scope(_ index: Int) async throws {
    let (method, path) = Self.administration[index]
    let server = try await TestServer()
    let technician = try await Person.technician(at: server)
    let unscoped = try await Person.administrator(at: server, scope: "openid offline_access")

    for person in [technician, unscoped] {
      let refused = await person.call(method, path)
      #expect(refused.status == 403 && refused.code == "insufficient_scope")
      let challenge = refused.fields.first { $0.isNamed("www-authenticate") }
      #expect(challenge?.value == "DPoP error=\"insufficient_scope\", scope=\"admin\"")
    }
    let unsigned = await server.answer(HTTPRequest(method: method, path: path))
    #expect(unsigned.status == 401)
  }

  @Test("L-50 a former administrator loses the session of the console at once")
  func demoted() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    try await server.world.store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(AccountID("administrator")) else { return }
      account.role = .technician
      try transaction.update(account)
    }

    #expect(await admin.call(.get, Endpoint.adminAccounts.path).status == 401)
  }

  @Test("An app that may request admin gets it for administrators only")
  func granted() async throws {
    var client = Configuration.demo.clients[0]
    client.scopes.append("admin")
    let server = try await TestServer(clients: [client])

    let technician = try await Person.technician(at: server)

    #expect(await technician.call(.get, Endpoint.adminAccounts.path).status == 403)
    #expect(await technician.call(.get, Endpoint.me.path).status == 200)
  }

  @Test("The same key and body create one account; another body with that key is refused")
  func idempotent() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let path = Endpoint.adminAccounts.path

    let first = await admin.call(.post, path, Self.nina, key: "key-1")
    let again = await admin.call(.post, path, Self.nina, key: "key-1")
    let other = await admin.call(.post, path, Self.nina + " ", key: "key-1")
    let fresh = await admin.call(.post, path, Self.nina, key: "key-2")

    #expect(first.status == 201 && again.status == 201 && again.body == first.body)
    #expect(other.status == 422 && other.code == "idempotency_key_reused")
    #expect(fresh.status == 409 && fresh.code == "account_exists")
    #expect(fresh.mistakes == ["email belongs to another account"])
  }

  @Test(
    "T-16 a permission is refused if its organization is null or empty, because it would be global",
    arguments: ["null", #""""#, "1"])
  func permissionWithoutOrganization(_ organization: String) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let body = #"{"permissions":[{"level":"viewer","organization":\#(organization)}]}"#

    let refused = await admin.call(
      .patch, Endpoint.adminAccounts.path + "/technician", body)

    #expect(refused.status == 400)
    #expect(refused.mistakes == ["permissions is malformed"])
  }

  @Test("T-16 every wrong member of an account is named in one answer, and none is written")
  func allMistakes() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let wrong = """
      {"name":"","email":7,"phone_number":"1","organizations":["north", 7],"permissions":[{}]}
      """

    let made = await admin.call(.post, Endpoint.adminAccounts.path, wrong)
    let changed = await admin.call(.patch, Endpoint.adminAccounts.path + "/technician", wrong)
    let null = await admin.call(
      .patch, Endpoint.adminAccounts.path + "/technician", #"{"name":null,"role":"king"}"#)
    let empty = await admin.call(.patch, Endpoint.adminAccounts.path + "/technician", "{}")

    let common = ["email", "organizations", "permissions", "name", "phone_number"]
      .map { $0 + " is malformed" }
    #expect(made.status == 400 && Set(made.mistakes) == Set(common + ["role is missing"]))
    #expect(changed.status == 400 && Set(changed.mistakes) == Set(common))
    #expect(null.mistakes == ["role is malformed", "name is null"])
    #expect(empty.status == 400 && empty.mistakes.isEmpty)
    let after = await admin.call(.get, Endpoint.adminAccounts.path + "/technician")
    #expect(after.json["name"]?.text == "Tara Lind")
  }

  @Test(
    "An Idempotency-Key has 1 to 255 visible characters",
    arguments: [
      ("", 400), ("k", 201), (String(repeating: "k", count: 254), 201),
      (String(repeating: "k", count: 255), 201), (String(repeating: "k", count: 256), 400),
      ("two words", 400), ("ø", 400),
    ]
  )
  func keys(_ key: String, _ status: Int) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)

    #expect(
      await admin.call(.post, Endpoint.adminAccounts.path, Self.nina, key: key).status == status)
  }

  @Test(
    "L-13 malformed bodies are refused, and their values are never repeated",
    arguments: [
      "", "[]", "{", "{}", "null", "{\"name\":\"x\"}", "{\"name\":1}",
      "{\"name\":\"x\",\"role\":\"king\",\"phone_number\":\"+15550109999\"}",
      "{\"name\":\"x\",\"role\":\"rider\",\"phone_number\":\"secret-12345\"}",
      "{\"name\":\"x\",\"role\":\"owner\",\"phone_number\":\"+15550109999\"}",
      "{\"name\":\"x\",\"role\":\"owner\",\"email\":\"x\",\"phone_number\":\"+15550109999\"}",
      "{\"name\":\"\",\"role\":\"rider\",\"phone_number\":\"+15550109999\"}",
      "{\"name\":\"x\",\"role\":\"rider\",\"phone_number\":\"+15550109999\","
        + "\"organizations\":\"north\"}",
      "{\"name\":\"x\",\"role\":\"rider\",\"phone_number\":\"+15550109999\","
        + "\"organizations\":[\"nowhere\"]}",
    ]
  )
  func malformed(_ body: String) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)

    let answer = await admin.call(.post, Endpoint.adminAccounts.path, body)

    #expect(answer.status == 400 && answer.code == "invalid_request")
    #expect(!String(decoding: answer.body, as: UTF8.self).contains("secret-12345"))
    let change = await admin.call(
      .patch, Endpoint.adminAccounts.path + "/technician", "{\"status\":\"odd\"}")
    #expect(change.code == "invalid_request")
  }

  @Test(
    "A malformed list request is refused",
    arguments: [
      "limit=0", "limit=201", "limit=x", "limit=1&limit=2", "status=odd", "role=odd", "cursor=x",
      "query=" + String(repeating: "q", count: 129), "query=%zz",
    ]
  )
  func lists(_ query: String) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)

    let answer = await admin.call(.get, Endpoint.adminAccounts.path, query: query)

    #expect(answer.status == 400 && answer.code == "invalid_request")
  }

  @Test("A query of 128 bytes is accepted, and pages can be followed")
  func pages() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let longest = "query=" + String(repeating: "q", count: 128)
    #expect(await admin.call(.get, Endpoint.adminAccounts.path, query: longest).status == 200)

    var names: [String?] = []
    var query: String? = "limit=3"
    while let asked = query {
      let page = await admin.call(.get, Endpoint.adminAccounts.path, query: asked).json
      names += page["accounts"]?.elements?.map { $0["id"]?.text } ?? []
      query = page["cursor"]?.text.map { "limit=3&cursor=\($0)" }
    }

    #expect(Set(names) == Set(Demo.people.map { $0.account.id.text }))
    #expect(names.count == Demo.people.count)
  }

  @Test("Unlocking and resetting end a lockout; an unknown account is 404")
  func unlocked() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let path = Endpoint.adminAccounts.path + "/technician"
    for action in ["/unlock", "/reset"] {
      let device = Device(server: server)
      let wrong = [
        ("response_type", "code"), ("client_id", "technician-app"), ("scope", "openid"),
        ("code_challenge", String(repeating: "c", count: 43)), ("code_challenge_method", "S256"),
        ("username", "tech@example.com"), ("password", "wrong"),
      ]
      for _ in 0..<5 { _ = await device.post(Endpoint.challenge.path, wrong) }
      #expect(await admin.call(.get, path).json["locked_until"]?.number == 1_800_000_900)

      let opened = await admin.call(.post, path + action)

      #expect(opened.status == 200 && opened.json["locked_until"] == nil)
      #expect(opened.json["has_password"]?.flag == (action == "/unlock"))
    }
    for action in ["", "/unlock", "/reset", "/sessions"] {
      let method: HTTPMethod = ["", "/sessions"].contains(action) ? .get : .post
      let missing = await admin.call(method, Endpoint.adminAccounts.path + "/unknown" + action)
      #expect(missing.status == 404 && missing.code == "account_not_found")
    }
  }

  @Test("An administrator sees and ends sessions, and cannot deactivate their own account")
  func sessions() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let technician = try await Person.technician(at: server)
    let path = Endpoint.adminAccounts.path + "/technician/sessions"

    let listed = await admin.call(.get, path)
    #expect(listed.json["sessions"]?.elements?.count == 1)
    #expect(await admin.call(.delete, path).status == 204)
    #expect(await technician.call(.get, Endpoint.me.path).status == 401)
    #expect(await admin.call(.get, path).json["sessions"]?.elements?.isEmpty == true)
    let own = await admin.call(
      .patch, Endpoint.adminAccounts.path + "/administrator", "{\"status\":\"deactivated\"}"
    )
    #expect(own.status == 409 && own.code == "own_account")
  }

  @Test("A person sees and ends their own sessions and no others")
  func ownSessions() async throws {
    let server = try await TestServer()
    let phone = try await Person.technician(at: server)
    server.clock.advance(seconds: 61)
    let tablet = try await Person.technician(at: server)
    let admin = try await Person.administrator(at: server)

    let entries = await phone.call(.get, Endpoint.sessions.path).json["sessions"]?.elements ?? []
    #expect(entries.map { $0["current"]?.flag } == [false, true])
    let other = try #require(entries.first?["id"]?.text)
    let stolen = await admin.call(.delete, Endpoint.sessions.path + "/" + other)
    #expect(stolen.status == 404 && stolen.code == "session_not_found")
    #expect(await phone.call(.delete, Endpoint.sessions.path + "/" + other).status == 204)
    #expect(await phone.call(.delete, Endpoint.sessions.path + "/" + other).status == 204)
    #expect(await tablet.call(.get, Endpoint.me.path).status == 401)
    #expect(await phone.call(.delete, Endpoint.sessions.path).status == 204)
    #expect(await phone.call(.get, Endpoint.me.path).status == 401)
    #expect(await admin.call(.get, Endpoint.me.path).status == 200)
  }

  @Test(
    "R-11 and T-16 the security log records who decided what about which account, and from where")
  func events() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let path = Endpoint.adminAccounts.path + "/technician"
    for status in ["deactivated", "active"] {
      _ = await admin.call(.patch, path, "{\"status\":\"\(status)\"}")
    }
    _ = await admin.call(.post, path + "/unlock")

    let first = await admin.call(
      .get, Endpoint.adminEvents.path, query: "account=technician&limit=2"
    )
    .json
    let cursor = try #require(first["cursor"]?.text)
    let query = "account=technician&limit=2&cursor=\(cursor)"
    let rest = await admin.call(.get, Endpoint.adminEvents.path, query: query).json

    let events = (first["events"]?.elements ?? []) + (rest["events"]?.elements ?? [])
    #expect(
      events.map { $0["code"]?.text } == [
        "account.unlocked", "account.reactivated", "account.deactivated",
      ]
    )
    for event in events {
      #expect(event["detail"]?.text == "administrator" && event["client"]?.text == "console")
      #expect(event["peer"]?.text == "127.0.0.1" && event["proof_key"]?.text != nil)
    }
    #expect(rest["cursor"] == nil)
    let chain = try await verifyEvents(in: server.world.store)
    #expect(chain != .broken(at: 1))
  }

  @Test("Apps are shown in the form of the configuration: the shown text configures the same apps")
  func clients() async throws {
    var clients = Configuration.demo.clients
    clients[0].policy.countries = ["+47"]
    clients[0].policy[.lockoutFailures] = 4
    clients[0].policy[.appDaily] = 77
    clients[0].policy[.deviceSends] = 3
    clients[0].policy[.idle] = 61
    let server = try await TestServer(clients: clients)
    let admin = try await Person.administrator(at: server)

    let shown = await admin.call(.get, Endpoint.adminClients.path).json["clients"]?.elements ?? []
    // The changes of administrators are shown beside the configuration's keys.
    let written = shown.map { entry in
      JSON.object((entry.objectMembers ?? []).filter { $0.key != "changes" })
    }
    let file = JSON.members([JSONMember("clients", .array(written))])

    let read = Configuration.parse(file.utf8, development: true, stores: [], messengers: [])
    guard case .success(let configuration) = read else {
      Issue.record("what is shown is no configuration: \(read)")
      return
    }
    let second = try await TestServer(clients: configuration.clients)
    let other = try await Person.administrator(at: second)
    let again = await other.call(.get, Endpoint.adminClients.path).json["clients"]?.elements
    #expect(again == shown && shown.count == clients.count)
    let organizations = await admin.call(.get, Endpoint.adminOrganizations.path).json
    #expect(
      organizations["organizations"]?.elements?.map { $0["id"]?.text } == ["north", "south"]
    )
  }

  @Test("The delivery log shows neither codes nor complete numbers")
  func messages() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let code = server.messenger.messages.last.map { String($0.text.revealed.prefix(6)) } ?? "?"

    let answer = await admin.call(.get, Endpoint.adminMessages.path)

    let text = String(decoding: answer.body, as: UTF8.self)
    #expect(answer.json["messages"]?.elements?.first?["state"]?.text == "handed_over")
    #expect(text.contains("***-***-1238") && !text.contains("+1555"))
    #expect(!text.contains("\"\(code)"))
  }
}

extension HTTPResponse {
  /// The mistakes of a problem document, each as its member and problem.
  fileprivate var mistakes: [String] {
    (json["mistakes"]?.elements ?? []).map {
      "\($0["path"]?.text ?? "") \($0["problem"]?.text ?? "")"
    }
  }
}
