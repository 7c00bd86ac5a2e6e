import HTTPServer
import JSONText
import SignInHTTP
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

extension Person {
  /// Signs the demo product owner in.
  static func owner(
    at server: TestServer, scope: String = "openid offline_access account products"
  ) async throws -> Person {
    try await signIn(
      at: server, client: "product-app", scope: scope,
      [("username", "owner@example.com"), ("password", "demo-Owner-1")]
    )
  }

  static func newOwner(at server: TestServer) async throws -> Person {
    try await signIn(
      at: server, client: "product-app", scope: "openid offline_access account products",
      [("username", "new-owner@example.com"), ("password", "demo-Owner-2")]
    )
  }

  /// Reads all changes since `cursor`, page by page.
  func sync(since cursor: String? = nil) async throws -> (
    products: [ProductEntry], removed: [String], cursor: String, pages: Int
  ) {
    var products: [ProductEntry] = []
    var removed: [String] = []
    var cursor = cursor
    for page in 1... {
      let response = await call(
        .get, Endpoint.products.path, query: cursor.map { "cursor=\($0)" }
      )
      let answer = try #require(ProductsAnswer(json: response.json))
      products += answer.products
      removed += answer.removed.map(\.text)
      cursor = answer.cursor
      if answer.isComplete { return (products, removed, answer.cursor, page) }
    }
    preconditionFailure("pages end")
  }
}

extension HTTPResponse {
  func field(_ name: StaticString) -> String? { fields.first { $0.isNamed(name) }?.value }
}

@Suite("Products over HTTP")
struct ProductTests {
  static func transfer(_ id: String) -> String { "/api/products/\(id)/transfer" }

  @Test("O-08 the product owner's first sync brings all sixty products with their details")
  func first() async throws {
    let server = try await TestServer()
    let owner = try await Person.owner(at: server)

    let response = await owner.call(.get, Endpoint.products.path)
    let products = try #require(response.json["products"]?.elements)

    #expect(response.status == 200 && products.count == 60)
    #expect(response.json["removed"] == .array([]) && response.json["complete"] == .bool(true))
    #expect(response.field("cache-control") == "no-store")
    #expect(Set(products.map { $0["status"]?.text }) == ["active", "expiring", "expired"])
    for name in ["id", "name", "model", "serial_number", "purchased_on", "warranty_expires_on"] {
      #expect(products.allSatisfy { $0[name] != nil }, "\(name)")
    }
    #expect(products.contains { $0["purchased_on"] == .null })
    #expect(products.contains { $0["warranty_expires_on"] == .null })
  }

  @Test("O-05 a sync without changes is empty, and an ETag makes it a 304")
  func nothingNew() async throws {
    let server = try await TestServer()
    let owner = try await Person.owner(at: server)
    let cursor = try await owner.sync().cursor

    let empty = await owner.call(.get, Endpoint.products.path, query: "cursor=\(cursor)")
    let tag = try #require(empty.field("etag"))
    let same = await owner.get(cursor, tag: tag)

    #expect(empty.json["products"] == .array([]) && empty.json["removed"] == .array([]))
    #expect(same.status == 304 && same.body.isEmpty && same.field("etag") == tag)
    #expect(await owner.get(cursor, tag: "W/\"other\"").status == 200)
    #expect(await owner.get(cursor, tag: "\"x\", \(tag)").status == 304)
    #expect(await owner.get(nil, tag: tag).status == 200)
  }

  @Test("O-03 a transfer moves the product from one list to the other at once")
  func transferred() async throws {
    let server = try await TestServer()
    let owner = try await Person.owner(at: server)
    let receiver = try await Person.newOwner(at: server)
    let before = (try await owner.sync().cursor, try await receiver.sync().cursor)
    let tag = try #require(await owner.get(before.0, tag: "W/\"\"").field("etag"))

    let answer = await owner.call(
      .post, Self.transfer("product-002"), #"{"to":"New-Owner@example.com"}"#
    )
    let left = try await owner.sync(since: before.0)
    let come = try await receiver.sync(since: before.1)

    #expect(answer.status == 200 && answer.json["to"]?.text == "new-owner@example.com")
    #expect(left.removed == ["product-002"] && left.products.isEmpty)
    #expect(come.products.map(\.id.text) == ["product-002"] && come.removed.isEmpty)
    #expect(try await owner.sync().products.count == 59)
    #expect(await owner.get(before.0, tag: tag).status == 200)
    let again = await owner.call(
      .post, Self.transfer("product-002"), #"{"to":"new-owner@example.com"}"#
    )
    #expect(again.status == 404 && again.code == "product_not_found")
  }

  @Test("O-03 a product that came back is in the list again, and no longer in the other list")
  func thereAndBack() async throws {
    let server = try await TestServer()
    let owner = try await Person.owner(at: server)
    let receiver = try await Person.newOwner(at: server)
    let before = try await owner.sync().cursor
    _ = await owner.call(
      .post, Self.transfer("product-001"), #"{"to":"new-owner@example.com"}"#)
    let between = try await receiver.sync().cursor
    _ = await receiver.call(.post, Self.transfer("product-001"), #"{"to":"owner@example.com"}"#)

    let here = try await owner.sync(since: before)
    let there = try await receiver.sync(since: between)

    #expect(here.products.map(\.id.text) == ["product-001"] && here.removed.isEmpty)
    #expect(there.products.isEmpty && there.removed == ["product-001"])
  }

  @Test("T-03 a transfer to an unknown address looks like any other and waits for a new account")
  func concealed() async throws {
    let server = try await TestServer()
    let owner = try await Person.owner(at: server)
    let admin = try await Person.administrator(at: server)
    let before = try await owner.sync().cursor

    let known = await owner.call(
      .post, Self.transfer("product-003"), #"{"to":"new-owner@example.com"}"#)
    let unknown = await owner.call(
      .post, Self.transfer("product-004"), #"{"to":"unknown@example.com"}"#)
    let technician = await owner.call(
      .post, Self.transfer("product-005"), #"{"to":"tech@example.com"}"#)

    #expect([known, unknown, technician].map(\.status) == [200, 200, 200])
    #expect(
      Set([known, unknown, technician].map { $0.json.objectMembers?.map(\.key) ?? [] }).count == 1)
    let removedIDs = ["product-003", "product-004", "product-005"]
    #expect(try await owner.sync(since: before).removed == removedIDs)

    let made = await admin.call(
      .post, Endpoint.adminAccounts.path,
      """
      {"name":"Sam Owner","role":"owner","email":"unknown@example.com",\
      "phone_number":"+15550108888","password":"correct horse"}
      """
    )
    let newOwner = try await Person.signIn(
      at: server, client: "product-app", scope: "openid products",
      [("username", "unknown@example.com"), ("password", "correct horse")]
    )
    #expect(made.status == 201)
    #expect(try await newOwner.sync().products.map(\.id.text) == ["product-004"])
  }

  @Test("O-03 a request sent twice with one key is done once")
  func onceOnly() async throws {
    let server = try await TestServer()
    let owner = try await Person.owner(at: server)
    let body = #"{"to":"new-owner@example.com"}"#
    let request = #"{"product_id":"product-007","description":"It hums.\nLoudly."}"#

    let moved = await owner.call(.post, Self.transfer("product-006"), body, key: "k-1")
    let again = await owner.call(.post, Self.transfer("product-006"), body, key: "k-1")
    let other = await owner.call(.post, Self.transfer("product-007"), body, key: "k-1")
    let raised = await owner.call(.post, Endpoint.serviceRequests.path, request, key: "k-2")
    let repeated = await owner.call(.post, Endpoint.serviceRequests.path, request, key: "k-2")

    #expect(moved.status == 200 && again.status == 200 && moved.body == again.body)
    #expect(other.status == 422 && other.code == "idempotency_key_reused")
    #expect(raised.status == 201 && raised.body == repeated.body)
    let admin = try await Person.administrator(at: server)
    let list = await admin.call(.get, Endpoint.adminServiceRequests.path)
    #expect(list.json["service_requests"]?.elements == [raised.json])
    #expect(raised.json["product_name"]?.text == "Induction hob, four zones")
  }

  @Test("L-49 a key that was used for one organization does nothing for the same id in another")
  func onceOnlyInOneOrganization() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let path = "/admin/products/product-008/transfer"
    func give(_ query: String?) async -> HTTPResponse {
      await admin.call(
        .post, path, query: query, #"{"to":"new-owner@example.com"}"#, key: "k-1")
    }

    let moved = await give(nil)
    let other = await give("organization=north")

    #expect(moved.status == 200)
    #expect(other.status == 422 && other.code == "idempotency_key_reused")
    #expect(await give(nil).body == moved.body)
  }

  @Test("O-03 requests for other people's products, or malformed ones, are refused")
  func refused() async throws {
    let server = try await TestServer()
    let owner = try await Person.owner(at: server)
    let receiver = try await Person.newOwner(at: server)
    let path = Self.transfer("product-001")

    for (who, body, status) in [
      (receiver, #"{"to":"new-owner@example.com"}"#, 404), (owner, #"{"to":"unknown"}"#, 400),
      (owner, #"{}"#, 400), (owner, #"{"to":"owner@example.com"}"#, 409),
    ] {
      #expect(await who.call(.post, path, body).status == status, "\(body)")
    }
    for (body, status) in [
      (#"{"product_id":"product-001"}"#, 400), (#"{"description":"x"}"#, 400),
      (#"{"product_id":"product-001","description":" "}"#, 400),
      (#"{"product_id":"nothing","description":"x"}"#, 404),
    ] {
      #expect(
        await owner.call(.post, Endpoint.serviceRequests.path, body).status == status, "\(body)")
    }
    #expect(try await owner.sync().products.count == 60)
  }

  @Test("L-33 an unknown cursor gets 410: changed, from another account, or ninety days old")
  func unknownCursor() async throws {
    let server = try await TestServer()
    let owner = try await Person.owner(at: server)
    let receiver = try await Person.newOwner(at: server)
    let cursor = try await owner.sync().cursor
    let turned = String(cursor.dropLast()) + (cursor.last == "A" ? "E" : "A")

    for wrong in ["x", "%2B", turned, String(cursor.dropLast(4)), cursor + "AAAA"] {
      let answer = await owner.call(.get, Endpoint.products.path, query: "cursor=\(wrong)")
      #expect(answer.status == 410 && answer.code == "unknown_cursor", "\(wrong)")
    }
    let foreign = await receiver.call(.get, Endpoint.products.path, query: "cursor=\(cursor)")
    #expect(foreign.status == 410)
  }

  @Test("L-33 a cursor is valid for ninety days, to the second", arguments: [-1, 0])
  func oldCursor(_ offset: Int64) async throws {
    var client = try #require(Configuration.demo.clients.first { $0.id.text == "product-app" })
    client.policy[.session] = 365 * 24 * 60 * 60
    client.policy[.idle] = client.policy[.session]
    let server = try await TestServer(clients: [client])
    let cursor = try await Person.owner(at: server).sync().cursor

    server.clock.advance(seconds: ProductFeed.retentionSeconds + offset)
    let owner = try await Person.owner(at: server)
    let answer = await owner.call(.get, Endpoint.products.path, query: "cursor=\(cursor)")

    #expect(answer.status == (offset < 0 ? 200 : 410))
  }

  @Test("O-02 a warranty that expires overnight comes with the next sync")
  func overnight() async throws {
    let server = try await TestServer()
    // From noon in UTC on, the day is the same everywhere to the west.
    server.clock.advance(seconds: 4 * 60 * 60)
    let cursor = try await Person.owner(at: server).sync().cursor

    server.clock.advance(seconds: 24 * 60 * 60)
    let turned = try await Person.owner(at: server).sync(since: cursor)
    let today = CalendarDay(server.clock.now())

    // The first product expired yesterday. The second expires in thirty days.
    #expect(turned.products.map { $0.status(on: today) } == [.expired, .expiring])
    #expect(turned.products.map(\.id.text) == ["product-015", "product-021"])
  }

  @Test("O-05 a long list comes in pages, and each can be requested again")
  func pages() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let page = ProductFeed.pageLimit
    for start in stride(from: 1, through: page, by: 100) {
      try await admin.bring(start...(start + 99), to: "new-owner@example.com")
    }
    let owner = try await Person.newOwner(at: server)
    #expect(try await owner.sync().pages == 1)

    try await admin.bring((page + 1)...(page + 1), to: "new-owner@example.com")
    let first = await owner.call(.get, Endpoint.products.path)
    let again = await owner.call(.get, Endpoint.products.path)
    let cursor = try #require(first.json["cursor"]?.text)
    let second = await owner.call(.get, Endpoint.products.path, query: "cursor=\(cursor)")

    #expect(first.json["complete"] == .bool(false) && first.json["cursor"] == again.json["cursor"])
    #expect(first.json["products"]?.elements?.count == page)
    #expect(second.json["products"]?.elements?.count == 1)
    #expect(second.json["complete"] == .bool(true))
  }

  @Test("O-09 an answer is compressed for clients that accept gzip")
  func compressed() async throws {
    let owner = try await Person.owner(at: try await TestServer())

    for (accepted, encoding) in [
      ("gzip", "gzip"), ("br, GZIP;q=0.5", "gzip"), ("br,\tgzip\t;q=0.001", "gzip"),
      ("gzip;q=0", nil), ("gzip; q=0.", nil), ("gzip;Q=0.000", nil), ("br", nil), ("xgzip", nil),
    ] {
      let answer = await owner.get(nil, HTTPField("Accept-Encoding", accepted))
      #expect(answer.field("content-encoding") == encoding, "\(accepted)")
      #expect(answer.field("vary") == "Accept-Encoding")
      #expect(encoding == nil || answer.body.count < 6000)
    }
  }

  @Test("Products need a token with the scope products")
  func scope() async throws {
    let server = try await TestServer()
    let other = try await Person.owner(at: server, scope: "openid")

    for (method, path) in [
      (HTTPMethod.get, Endpoint.products.path), (.post, Self.transfer("product-001")),
      (.post, Endpoint.serviceRequests.path),
    ] {
      let answer = await other.call(method, path, method == .post ? "{}" : nil)
      #expect(answer.status == 403 && answer.code == "insufficient_scope", "\(path)")
      #expect(answer.field("www-authenticate")?.contains(#"scope="products""#) == true)
    }
    #expect(await server.get(Endpoint.products.path).status == 401)
  }

  @Test("An administrator sees the owner of each product and reassigns a waiting product")
  func administration() async throws {
    let server = try await TestServer()
    let owner = try await Person.owner(at: server)
    let admin = try await Person.administrator(at: server)
    _ = await owner.call(.post, Self.transfer("product-060"), #"{"to":"typo@example.com"}"#)

    let list = await admin.call(.get, Endpoint.adminProducts.path, query: "limit=1")
    let given = await admin.call(
      .post, "/admin/products/product-060/transfer", #"{"to":"owner@example.com"}"#)

    let first = try #require(list.json["products"]?.elements?.first)
    #expect(first["id"]?.text == "product-060" && first["awaiting"]?.text == "typo@example.com")
    #expect(list.json["cursor"]?.text != nil)
    #expect(given.status == 200)
    #expect(try await owner.sync().products.count == 60)
    for path in [Endpoint.adminProducts.path, Endpoint.adminServiceRequests.path] {
      #expect(await owner.call(.get, path).status == 403)
    }
  }

  @Test("An import brings 1 to 200 products, all or none", arguments: [0, 1, 200, 201])
  func imports(_ count: Int) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)

    let answer = await admin.call(
      .post, Endpoint.adminProducts.path,
      Person.products(count == 0 ? nil : 1...count, to: "new-owner@example.com")
    )

    let isTaken = (1...ProductImport.limit).contains(count)
    #expect(answer.status == (isTaken ? 201 : 400))
    let owner = try await Person.newOwner(at: server)
    #expect(try await owner.sync().products.count == (isTaken ? count : 0))
    let stolen =
      #"{"owner":"new-owner@example.com","products":[{"id":"product-001","name":"x","#
      + #""model":"x","serial_number":"x","category":"x"}]}"#
    #expect(await admin.call(.post, Endpoint.adminProducts.path, stolen).status == 400)
    #expect(
      await admin.call(
        .post, Endpoint.adminProducts.path, Person.products(1...1, to: "unknown@example.com")
      ).status == 404)
  }
}

extension Person {
  static func products(_ numbers: ClosedRange<Int>?, to owner: String) -> String {
    let entries = (numbers.map { Array($0) } ?? []).map { number in
      #"{"id":"bulk-\#(number)","name":"Thing \#(number)","model":"T-\#(number % 7)","#
        + #""serial_number":"T\#(number)","category":"Thing","warranty_expires_on":"2030-01-01"}"#
    }
    return #"{"owner":"\#(owner)","products":[\#(entries.joined(separator: ","))]}"#
  }

  fileprivate func bring(_ numbers: ClosedRange<Int>, to owner: String) async throws {
    let answer = await call(.post, Endpoint.adminProducts.path, Self.products(numbers, to: owner))
    try #require(answer.status == 201)
  }

  fileprivate func get(
    _ cursor: String?, tag: String? = nil, _ more: HTTPField...
  ) async -> HTTPResponse {
    let fields = [
      HTTPField("Authorization", "DPoP \(token)"),
      device.proof("GET", Endpoint.products.path, token: token),
    ]
    let match = tag.map { [HTTPField("If-None-Match", $0)] } ?? []
    return await device.server.answer(
      HTTPRequest(
        method: .get, path: Endpoint.products.path, query: cursor.map { "cursor=\($0)" },
        fields: fields + match + more
      )
    )
  }

  fileprivate func get(_ cursor: String?, _ more: HTTPField) async -> HTTPResponse {
    await get(cursor, tag: nil, more)
  }
}
