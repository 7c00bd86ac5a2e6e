import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

@Suite("Work of one of a person's organizations")
struct WorkOrganizationTests {
  private let everywhere: WritingProgram
  private let north: WritingProgram
  private let south: WritingProgram

  /// The technician, the owner and the rider of the demo belong to two organizations.
  init() async throws {
    let server = try await TestServer(serviceAccounts: [
      try ServiceProgram.account(scopes: ServiceScope.allCases),
      try ServiceProgram.account("north", scopes: ServiceScope.allCases, organization: "north"),
      try ServiceProgram.account("south", scopes: ServiceScope.allCases, organization: "south"),
    ])
    try await server.world.store.transact { (transaction) throws(StoreFault) in
      for id in ["technician", "owner", "rider"] {
        guard var account = try transaction.account(AccountID(id)) else { continue }
        account.organizations = [OrganizationID("north"), OrganizationID("south")]
        try transaction.update(account)
      }
    }
    everywhere = WritingProgram(
      server: server, token: try await ServiceProgram(server: server).token())
    north = WritingProgram(
      server: server, token: try await ServiceProgram(server: server, id: "north").token())
    south = WritingProgram(
      server: server, token: try await ServiceProgram(server: server, id: "south").token())
  }

  private func job(_ organization: String) -> String {
    WritingProgram.job(#", "organization": "\#(organization)""#)
  }

  @Test("S-05 a job that a sender of one organization writes is hidden from the other one")
  func ownWork() async throws {
    let path = "/admin/jobs/j-1"

    let made = await north.call(.put, path, WritingProgram.job())

    #expect(made.status == 201 && made.json["organization"]?.text == "north")
    for answer in [await south.call(.get, path), await south.call(.delete, path)] {
      #expect(answer.status == 404 && answer.code == "job_not_found")
    }
    let changed = await north.call(.put, path, WritingProgram.job(title: "Pump"))
    #expect(changed.status == 200 && changed.json["organization"]?.text == "north")
    #expect(await north.call(.delete, path).status == 204)
  }

  @Test(
    "S-05 work that names no organization is read, and not changed, by a sender of one of them",
    arguments: [DataKind.jobs, .products])
  func sharedWork(_ kind: DataKind) async throws {
    let path = "/admin/\(kind.rawValue)/x-1"
    let body = try #require(WritingProgram.bodies[kind])
    #expect(await everywhere.call(.put, path, body).status == 201)

    #expect(await north.call(.get, path).status == 200)
    #expect(await north.call(.delete, path).status == 404)
    let refused = await north.call(.delete, path, query: "organization=")
    #expect(refused.status == 403 && refused.code == "permission_denied")
    // The id is free in the organization.
    #expect(await north.call(.put, path, body).status == 201)
    #expect(await everywhere.call(.get, path).json["organization"] == nil)
    #expect(await everywhere.call(.delete, path).status == 204)
  }

  @Test(
    "L-49 each organization, and none, has its own record with an id", arguments: DataKind.allCases)
  func sameID(_ kind: DataKind) async throws {
    let path = "/admin/\(kind.rawValue)/x-1"
    func body(_ organization: String?) throws -> String {
      let text = try #require(WritingProgram.bodies[kind])
      let plain = text.replacing(#""organization": "north", "#, with: "")
      return organization.map { "{\"organization\": \"\($0)\", " + plain.dropFirst() } ?? plain
    }
    let spaces: [String?] = kind == .activities ? ["north", "south"] : [nil, "north", "south"]
    let senders = ["north": north, "south": south]
    var tags: [String?: String] = [:]
    for space in spaces {
      let sender = space.flatMap { senders[$0] } ?? everywhere
      let made = await sender.call(
        .put, path, try body(space), [HTTPField("If-None-Match", "*")])
      #expect(made.status == 201, "\(space ?? "none")")
      tags[space] = made.field("etag")
    }

    for space in spaces {
      let sender = space.flatMap { senders[$0] } ?? everywhere
      let read = await sender.call(.get, path)
      let same = await sender.call(.put, path, try body(space))
      let named = await everywhere.call(.get, path, query: "organization=\(space ?? "")")
      #expect(read.status == 200 && read.json["organization"]?.text == space)
      #expect(read.field("etag") == tags[space] && same.field("etag") == tags[space])
      #expect(same.status == 200 && named.json == read.json)
    }
    let other = await north.call(.get, path, query: "organization=south")
    #expect(other.status == 404)
    #expect(await north.call(.delete, path).status == 204)
    #expect(await south.call(.get, path).field("etag") == tags["south"])
    #expect(await north.call(.get, path, query: "organization=north").status == 404)
  }

  @Test("L-49 the versions of an organization do not count the writes of another")
  func versions() async throws {
    func write(_ title: String) async -> Int64? {
      await north.call(.put, "/admin/jobs/j-1", WritingProgram.job(title: title)).json["version"]?
        .number
    }
    let first = try #require(await write("A"))
    for title in ["B", "C"] {
      _ = await south.call(.put, "/admin/jobs/j-1", WritingProgram.job(title: title))
      _ = await everywhere.call(.put, "/admin/jobs/j-1", WritingProgram.job(title: title))
    }
    #expect(await write("B") == first + 1)
  }

  @Test("L-49 a sender of everything names the organization if several have the id")
  func named() async throws {
    let path = "/admin/jobs/j-1"
    _ = await everywhere.call(.put, path, job("south"))
    let only = await everywhere.call(.get, path)
    _ = await everywhere.call(.put, path, WritingProgram.job(), query: "organization=north")
    let several = await everywhere.call(.get, path)
    let twice = await everywhere.call(.put, path, job("south"), query: "organization=north")
    let unknown = await everywhere.call(.put, path, job("east"))
    let removed = await everywhere.call(.delete, "/admin/jobs/south~j-1")

    #expect(only.json["organization"]?.text == "south")
    #expect(several.status == 400 && several.code == "invalid_request")
    #expect(twice.status == 400 && unknown.status == 400)
    #expect(removed.status == 204)
    #expect(await everywhere.call(.get, path).json["organization"]?.text == "north")
    let item = #"{"items": [{"id": "j-1", "organization": "north", "deleted": true}]}"#
    let batch = await everywhere.call(.post, "/admin/jobs:batch", item)
    #expect(batch.json["results"]?.elements?.first?["status"] == .int(204))
  }

  @Test("L-49 a person changes the record of the session's organization, or the one without")
  func sameIDForOnePerson() async throws {
    for (sender, title) in [(everywhere, "None"), (north, "North"), (south, "South")] {
      _ = await sender.call(.put, "/admin/jobs/j-1", WritingProgram.job(title: title))
    }
    let technician = try await technician(in: "north")

    func titles() async -> [String: String] {
      let jobs = await technician.call(.get, Endpoint.jobs.path).json["jobs"]?.elements ?? []
      let own = jobs.filter { $0["id"]?.text?.hasSuffix("j-1") == true }
      return own.reduce(into: [:]) { $0[$1["id"]?.text ?? ""] = $1["title"]?.text }
    }
    #expect(await titles() == ["j-1": "North", "~j-1": "None"])
    for (id, title) in [("j-1", "North"), ("~j-1", "None")] {
      let done = await technician.call(.patch, "/api/jobs/\(id)", #"{"status": "done"}"#)
      #expect(done.json["id"]?.text == id && done.json["title"]?.text == title)
    }
    let hidden = await technician.call(.patch, "/api/jobs/south~j-1", #"{"status": "done"}"#)
    #expect(hidden.status == 404)
    #expect(await south.call(.get, "/admin/jobs/j-1").json["status"]?.text == "scheduled")
    _ = await everywhere.call(.delete, "/admin/jobs/~j-1")
    #expect(await titles() == ["j-1": "North"])
  }

  @Test("L-49 an owner tells products with one id apart, in the sync, a photo and a transfer")
  func sameIDForOneOwner() async throws {
    let body = try #require(WritingProgram.bodies[.products])
    for (sender, name) in [(north, "North"), (south, "South"), (everywhere, "None")] {
      let named = body.replacing("Fridge", with: name)
      #expect(await sender.call(.put, "/admin/products/x-1", named).status == 201)
    }
    let owner = try await Person.owner(at: everywhere.server)
    func names() async throws -> [String: String] {
      let products = try await owner.sync().products.filter { $0.id.text.hasSuffix("x-1") }
      return products.reduce(into: [:]) { $0[$1.id.text] = $1.name }
    }
    let all = ["x-1": "North", "south~x-1": "South", "~x-1": "None"]
    #expect(try await names() == all)
    // A later write does not change the id.
    _ = await south.call(.put, "/admin/products/x-1", body.replacing("Fridge", with: "South"))
    #expect(try await names() == all)

    let request = await owner.call(
      .post, Endpoint.serviceRequests.path, #"{"product_id": "south~x-1", "description": "Hums"}"#)
    #expect(request.status == 201 && request.json["product_id"]?.text == "south~x-1")
    let before = try await owner.sync()
    let given = await owner.call(
      .post, ProductTests.transfer("x-1"), #"{"to": "new-owner@example.com"}"#)
    #expect(given.status == 200)
    let after = try await owner.sync(since: before.cursor)
    #expect(after.removed == ["x-1"])
    #expect(try await names() == ["south~x-1": "South", "~x-1": "None"])
  }

  @Test("L-49 the changes of a shared person are those of the reader's organization only")
  func changes() async throws {
    for sender in [everywhere, north, south] {
      _ = await sender.call(.put, "/admin/jobs/j-1", WritingProgram.job())
    }
    func read(_ program: WritingProgram, after: String? = nil) async -> HTTPResponse {
      await program.call(.get, Endpoint.adminChanges.path, query: after.map { "after=\($0)" })
    }
    let start = try #require(await read(north).json["cursor"]?.text)
    let technician = try await technician(in: "south")
    for id in ["j-1", "~j-1"] {
      _ = await technician.call(.patch, "/api/jobs/\(id)", #"{"status": "done"}"#)
    }

    let other = await read(north, after: start)
    #expect(other.json["changes"]?.elements == [] && other.json["cursor"]?.text == start)
    let own = await read(south)
    let change = try #require(own.json["changes"]?.elements?.first)
    #expect(own.json["changes"]?.elements?.count == 1)
    #expect(change["organization"]?.text == "south" && change["id"]?.text == "j-1")
    #expect(change["record"]?["organization"]?.text == "south")
    let every = await read(everywhere).json["changes"]?.elements ?? []
    #expect(every.map { $0["organization"]?.text } == ["south", nil])
  }

  @Test("L-49 lists show an administrator no products and requests of another organization")
  func lists() async throws {
    let body = try #require(WritingProgram.bodies[.products])
    for sender in [north, south] { _ = await sender.call(.put, "/admin/products/x-1", body) }
    let owner = try await Person.owner(at: everywhere.server)
    for id in ["x-1", "south~x-1"] {
      _ = await owner.call(
        .post, Endpoint.serviceRequests.path, #"{"product_id": "\#(id)", "description": "Hums"}"#)
    }
    let viewer = try await everywhere.server.administrator(.viewer, of: "north")
    let products = await viewer.call(.get, Endpoint.adminProducts.path, query: "query=Fridge")
    let requests = await viewer.call(.get, Endpoint.adminServiceRequests.path)

    let listed = products.json["products"]?.elements?.filter { $0["id"]?.text == "x-1" } ?? []
    #expect(listed.map { $0["organization"]?.text } == ["north"])
    #expect(
      requests.json["service_requests"]?.elements?.map { $0["organization"]?.text } == ["north"])
  }

  private func technician(in organization: String) async throws -> Person {
    try await Person.signIn(
      at: everywhere.server, client: "technician-app", scope: "openid offline_access jobs",
      [
        ("username", "tech@example.com"), ("password", "demo-Technician-1"),
        ("organization", organization),
      ])
  }

  @Test("S-05 an app shows and changes the work of the organization of its session only")
  func shown() async throws {
    _ = await everywhere.call(.put, "/admin/jobs/j-0", WritingProgram.job())
    _ = await everywhere.call(.put, "/admin/jobs/j-1", job("north"))
    _ = await everywhere.call(.put, "/admin/jobs/j-2", job("south"))
    let technician = try await Person.signIn(
      at: everywhere.server, client: "technician-app", scope: "openid offline_access jobs",
      [
        ("username", "tech@example.com"), ("password", "demo-Technician-1"),
        ("organization", "north"),
      ])

    let jobs = await technician.call(.get, Endpoint.jobs.path).json["jobs"]?.elements ?? []
    let own = await technician.call(.patch, "/api/jobs/j-1", #"{"status": "done"}"#)
    let other = await technician.call(.patch, "/api/jobs/j-2", #"{"status": "done"}"#)

    let written = jobs.compactMap { $0["id"]?.text }.filter { $0.hasPrefix("j-") }
    #expect(written.filter { ["j-0", "j-1", "j-2"].contains($0) }.sorted() == ["j-0", "j-1"])
    #expect(own.status == 200)
    #expect(other.status == 404 && other.code == "job_not_found")
  }
}
