import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Searches for products and service requests over HTTP")
struct ProductSearchTests {
  private func ids(_ answer: HTTPResponse, in list: String = "products") -> [String] {
    answer.json[list]?.elements?.compactMap { $0["id"]?.text } ?? []
  }

  private func raise(_ product: String, by owner: Person) async throws -> String {
    let answer = await owner.call(
      .post, Endpoint.serviceRequests.path,
      #"{"product_id":"\#(product)","description":"It hums."}"#)
    return try #require(answer.json["id"]?.text)
  }

  @Test("T-16 a product is found by the start of its serial number as it was read aloud")
  func serialNumber() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let owner = try await Person.owner(at: server)
    let product = try #require(
      try await owner.sync().products.first { $0.id.text == "product-007" })
    let serial = product.serialNumber
    let aloud = serial.lowercased().split { $0 == "-" || $0 == " " }.joined(separator: "%20")

    for typed in [aloud, String(serial.filter { $0 != "-" && $0 != " " }), "%20" + aloud + "-"] {
      let answer = await admin.call(.get, Endpoint.adminProducts.path, query: "query=\(typed)")
      #expect(ids(answer).contains("product-007"), "\(typed): \(ids(answer))")
    }
    let none = await admin.call(.get, Endpoint.adminProducts.path, query: "query=nothing")
    #expect(none.status == 200 && ids(none).isEmpty)
    let all = await admin.call(.get, Endpoint.adminProducts.path, query: "query=&limit=200")
    #expect(ids(all).count == 60)
  }

  @Test("T-16 a found list is paged with the same text and account")
  func pages() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    _ = await admin.call(
      .post, Endpoint.adminProducts.path, Person.products(1...7, to: "new-owner@example.com"))
    for filter in ["query=thing", "query=T&account=new-owner", "account=new-owner"] {
      var found: [String] = []
      var cursor: String?
      repeat {
        let answer = await admin.call(
          .get, Endpoint.adminProducts.path,
          query: filter + "&limit=3" + (cursor.map { "&cursor=\($0)" } ?? ""))
        #expect(answer.status == 200)
        found += ids(answer)
        cursor = answer.json["cursor"]?.text
      } while cursor != nil
      #expect(found == (1...7).reversed().map { "bulk-\($0)" }, "\(filter)")
    }
  }

  @Test(
    "L-33 the text of a search has at most 200 code points",
    arguments: [(199, 200), (200, 200), (201, 400)])
  func textLimit(_ count: Int, _ status: Int) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let text = String(repeating: "%C3%A6", count: count)

    for path in [Endpoint.adminProducts.path, Endpoint.adminServiceRequests.path] {
      let answer = await admin.call(.get, path, query: "query=\(text)")
      #expect(answer.status == status, "\(path)")
      #expect(answer.json["code"]?.text == (status == 400 ? "invalid_request" : nil))
    }
  }

  @Test("L-33 an account that is no identifier is refused", arguments: ["a%20b", "%00", "a/b"])
  func account(_ account: String) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)

    for path in [Endpoint.adminProducts.path, Endpoint.adminServiceRequests.path] {
      let answer = await admin.call(.get, path, query: "account=\(account)")
      #expect(answer.status == 400 && answer.json["code"]?.text == "invalid_request", "\(path)")
      let unknown = await admin.call(.get, path, query: "account=unknown")
      #expect(unknown.status == 200)
    }
  }

  @Test("T-16 a service request is found by its number and by its account")
  func requests() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let owner = try await Person.owner(at: server)
    let numbers = [
      try await raise("product-001", by: owner), try await raise("product-002", by: owner),
    ]

    func found(_ query: String) async -> [String] {
      ids(
        await admin.call(.get, Endpoint.adminServiceRequests.path, query: query),
        in: "service_requests")
    }
    #expect(await found("query=\(numbers[0])") == [numbers[0]])
    #expect(await found("query=\(numbers[0].lowercased().dropLast(2))") == [numbers[0]])
    #expect(Set(await found("account=owner")) == Set(numbers))
    #expect(await found("account=new-owner").isEmpty)
    #expect(await found("account=new-owner&query=\(numbers[0])").isEmpty)
  }

  @Test("T-16 an administrator of an organization finds only products of its accounts")
  func organization() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let owner = try await Person.owner(at: server)
    let number = try await raise("product-001", by: owner)
    _ = await admin.call(
      .post, Endpoint.adminProducts.path, Person.products(1...3, to: "new-owner@example.com"))
    for (account, organization) in [("owner", "north"), ("new-owner", "south")] {
      let moved = await admin.call(
        .patch, "/admin/accounts/\(account)", #"{"organizations":["\#(organization)"]}"#)
      #expect(moved.status == 200)
    }
    let south = try await server.administrator(.viewer, of: "south")

    func count(_ path: String, _ query: String) async -> Int {
      let answer = await south.call(.get, path, query: query)
      return (answer.json["products"] ?? answer.json["service_requests"])?.elements?.count ?? -1
    }
    let products = Endpoint.adminProducts.path
    #expect(await count(products, "query=thing") == 3)
    #expect(await count(products, "account=new-owner&query=t2") == 1)
    #expect(await count(products, "account=owner") == 0)
    #expect(await count(products, "account=owner&query=a") == 0)
    let requests = Endpoint.adminServiceRequests.path
    #expect(await count(requests, "query=\(number)") == 0)
    #expect(await count(requests, "account=owner") == 0)
  }
}
