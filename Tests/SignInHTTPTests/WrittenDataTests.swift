import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

/// A program with every scope, with short ways to write.
struct WritingProgram {
  let server: TestServer
  let token: String

  static func make(
    organization: String? = nil, scopes: [ServiceScope] = ServiceScope.allCases
  ) async throws -> WritingProgram {
    let server = try await TestServer(
      serviceAccounts: [try ServiceProgram.account(scopes: scopes, organization: organization)])
    return WritingProgram(
      server: server, token: try await ServiceProgram(server: server).token())
  }

  func call(
    _ method: HTTPMethod, _ path: String, _ body: String? = nil, query: String? = nil,
    _ more: [HTTPField] = []
  ) async -> HTTPResponse {
    var fields = [HTTPField("Authorization", "Bearer \(token)")] + more
    if body != nil { fields.append(HTTPField("Content-Type", "application/json")) }
    return await server.answer(
      HTTPRequest(
        method: method, path: path, query: query, fields: fields, body: Array((body ?? "").utf8)))
  }

  static func job(
    _ more: String = "", account: String = "tech@example.com", title: String = "Boiler"
  ) -> String {
    """
    {"account": "\(account)", "title": "\(title)", "customer": "Berg", "place": "Oslo",
     "starts_at": 1800000000, "ends_at": 1800003600\(more)}
    """
  }

  static let bodies: [DataKind: String] = [
    .jobs: job(),
    .deliveries: """
    {"account": "+919812345678", "recipient": "R", "place": "P", "parcels": 2,
     "starts_at": 1800000000, "ends_at": 1800003600}
    """,
    .activities: """
    {"account": "mentor", "organization": "north", "title": "Walk", "place": "Park",
     "with": "Kari", "starts_at": 1800000000, "ends_at": 1800003600, "notes": "Two\\nlines"}
    """,
    .products: """
    {"account": "owner@example.com", "name": "Fridge", "model": "F-1", "serial_number": "1",
     "category": "Fridge", "warranty_expires_on": "2030-01-31"}
    """,
  ]
}

@Suite("Data that other systems write")
struct WrittenDataTests {
  private func ifMatch(_ tag: String?) -> [HTTPField] { [HTTPField("If-Match", tag ?? "")] }

  @Test(
    "A record of every kind is created, read, found unchanged, and removed",
    arguments: DataKind.allCases)
  func wholeLife(_ kind: DataKind) async throws {
    let program = try await WritingProgram.make()
    let path = "/admin/\(kind.rawValue)/x-1"
    let body = try #require(WritingProgram.bodies[kind])

    let made = await program.call(.put, path, body)
    let again = await program.call(.put, path, body)
    let read = await program.call(.get, path)

    #expect(made.status == 201 && again.status == 200 && read.status == 200)
    #expect(made.json == again.json && made.json == read.json)
    let version = try #require(made.json["version"]?.number)
    #expect(made.field("etag") == "\"\(version)\"")
    #expect(await program.call(.delete, path).status == 204)
    #expect(await program.call(.get, path).status == 404)
    #expect(await program.call(.delete, path).status == 404)
    let recreated = await program.call(.put, path, body)
    #expect(recreated.status == 201 && (recreated.json["version"]?.number ?? 0) > version)
  }

  @Test("L-54 a token is read after each spelling of its scheme, and with several blanks")
  func spellingsOfScheme() async throws {
    let program = try await WritingProgram.make()
    func status(_ authorization: String) async -> Int {
      await program.server.answer(
        HTTPRequest(
          method: .get, path: "/admin/jobs/j-1",
          fields: [HTTPField("Authorization", authorization)])
      ).status
    }

    for scheme in ["Bearer ", "bearer ", "BEARER  ", "Bearer     "] {
      #expect(await status(scheme + program.token) == 404, "\(scheme)")
    }
    for scheme in ["DPoP ", "Basic ", "", "Bearer x "] {
      #expect(await status(scheme + program.token) == 401, "\(scheme)")
    }
  }

  @Test("A write for another version is refused with the current version and changes nothing")
  func conflicts() async throws {
    let program = try await WritingProgram.make()
    let path = "/admin/jobs/j-1"
    let first = await program.call(.put, path, WritingProgram.job())
    let second = await program.call(
      .put, path, WritingProgram.job(title: "Second"), ifMatch(first.field("etag")))
    #expect(second.status == 200)

    let old = await program.call(
      .put, path, WritingProgram.job(title: "Third"), ifMatch(first.field("etag")))
    let weak = await program.call(
      .delete, path, nil, ifMatch("W/" + (second.field("etag") ?? "")))
    let none = await program.call(
      .put, path, WritingProgram.job(title: "Third"), [HTTPField("If-None-Match", "*")])
    let missing = await program.call(
      .put, "/admin/jobs/j-2", WritingProgram.job(), ifMatch("*"))

    for answer in [old, weak, none] {
      #expect(answer.status == 412 && answer.code == "precondition_failed")
      #expect(answer.json["version"] == second.json["version"])
      #expect(answer.field("etag") == second.field("etag"))
    }
    #expect(missing.status == 412 && missing.json["version"] == nil)
    for tag in [#""0""#, #""00""#, #""0","5""#] {
      let zero = await program.call(.put, "/admin/jobs/j-2", WritingProgram.job(), ifMatch(tag))
      #expect(zero.status == 412, "\(tag)")
    }
    #expect(await program.call(.get, path).json["title"]?.text == "Second")
    // The same write again is no conflict, because its first answer may have been lost.
    let repeated = await program.call(
      .put, path, WritingProgram.job(title: "Second"), ifMatch(first.field("etag")))
    #expect(repeated.status == 200 && repeated.json == second.json)
    #expect(await program.call(.delete, path, nil, ifMatch("")).status == 412)
    let listed = "\"1\",\t" + (second.field("etag") ?? "")
    #expect(await program.call(.delete, path, nil, ifMatch(listed)).status == 204)
  }

  @Test("Every mistake of a record is reported with its member and without its value")
  func mistakes() async throws {
    let program = try await WritingProgram.make()
    let body = """
      {"account": "secret name", "title": "a\\u0007b", "place": "", "starts_at": "now",
       "ends_at": -1, "status": "gone", "colour": "red", "id": "j-2"}
      """
    let answer = await program.call(.put, "/admin/jobs/j-1", body)

    #expect(answer.status == 400 && answer.code == "invalid_request")
    let paths = answer.json["mistakes"]?.elements?.compactMap { $0["path"]?.text } ?? []
    #expect(
      Set(paths) == [
        "account", "title", "customer", "place", "starts_at", "ends_at", "status", "colour", "id",
      ])
    #expect(!String(decoding: answer.body, as: UTF8.self).contains("secret name"))
    let late = WritingProgram.job().replacing("1800003600", with: "1799999999")
    let order = await program.call(.put, "/admin/jobs/j-1", late)
    #expect(order.json["mistakes"]?.elements?.first?["path"]?.text == "ends_at")
    let malformed = await program.call(.put, "/admin/jobs/a%20b", WritingProgram.job())
    #expect(malformed.json["mistakes"]?.elements?.first?["path"]?.text == "id")
  }

  @Test("A line of 199 and 200 characters is accepted, of 201 refused", arguments: [199, 200, 201])
  func lineLimit(_ length: Int) async throws {
    let program = try await WritingProgram.make()
    let title = String(repeating: "å", count: length)
    let answer = await program.call(.put, "/admin/jobs/j-1", WritingProgram.job(title: title))

    #expect(answer.status == (length > TextLine.lengthLimit ? 400 : 201))
  }

  @Test(
    "Notes of 4095 and 4096 bytes are accepted, of 4097 refused", arguments: [4095, 4096, 4097])
  func notesLimit(_ length: Int) async throws {
    let program = try await WritingProgram.make()
    let body = try #require(WritingProgram.bodies[.activities])
      .replacing("Two\\nlines", with: String(repeating: "n", count: length))
    let answer = await program.call(.put, "/admin/activities/a-1", body)

    #expect(answer.status == (length > DataLimits.notesBytes ? 400 : 201))
  }

  @Test("Members omitted from a write stay: the technician's status, the mentor's notes")
  func kept() async throws {
    let program = try await WritingProgram.make()
    _ = await program.call(.put, "/admin/jobs/j-1", WritingProgram.job())
    let technician = try await Person.technician(at: program.server)
    let changed = await technician.call(.patch, "/api/jobs/j-1", #"{"status": "on_the_way"}"#)
    #expect(changed.status == 200)

    let replaced = await program.call(.put, "/admin/jobs/j-1", WritingProgram.job(title: "New"))

    #expect(replaced.json["status"]?.text == "on_the_way")
    #expect(replaced.json["title"]?.text == "New")
    let set = WritingProgram.job(#", "status": "scheduled""#)
    let reset = await program.call(.put, "/admin/jobs/j-1", set)
    #expect(reset.json["status"]?.text == "scheduled")
  }

  @Test("A batch answers each item separately, in order; the same batch again changes nothing")
  func batch() async throws {
    let program = try await WritingProgram.make()
    for id in ["j-2", "j-5"] {
      _ = await program.call(.put, "/admin/jobs/\(id)", WritingProgram.job())
    }
    func item(_ id: String, _ more: String = "") -> String {
      WritingProgram.job(more).replacing("{\"account\"", with: "{\"id\": \"\(id)\", \"account\"")
    }
    let items = [
      item("j-1"), item("j-2"), item("j-3", #", "version": 9"#),
      item("j-4").replacing("tech@", with: "unknown@"), item("bad id"),
      #"{"id": "j-5", "deleted": true}"#, #"{"id": "j-6", "deleted": true}"#, "1",
      item("j-7", #", "version": 0"#),
    ]
    let body = "{\"items\": [\(items.joined(separator: ","))]}"

    let first = await program.call(.post, "/admin/jobs:batch", body)
    let again = await program.call(.post, "/admin/jobs:batch", body)

    func column(_ answer: HTTPResponse, _ name: String) -> [String?] {
      answer.json["results"]?.elements?.map { $0[name]?.text } ?? []
    }
    #expect(first.status == 200 && again.status == 200)
    #expect(
      column(first, "result") == [
        "created", "unchanged", "refused", "refused", "refused", "removed", "refused", "refused",
        "created",
      ])
    #expect(
      column(first, "code") == [
        nil, nil, "precondition_failed", "account_not_found", "invalid_request", nil,
        "job_not_found", "invalid_request", nil,
      ])
    #expect(column(again, "result")[0] == "unchanged" && column(again, "result")[8] == "unchanged")
    #expect(await program.call(.get, "/admin/jobs/j-3").status == 404)
  }

  @Test("A record that is twice in a batch is written once, also when the batch is repeated")
  func repeatedItem() async throws {
    let program = try await WritingProgram.make()
    func item(_ title: String) -> String {
      WritingProgram.job().replacing("{\"account\"", with: "{\"id\": \"j-1\", \"account\"")
        .replacing("\"title\": \"", with: "\"title\": \"\(title) ")
    }
    let body = "{\"items\": [\(item("First")),\(item("Second"))]}"

    let first = try #require(
      await program.call(.post, "/admin/jobs:batch", body).json["results"]?.elements)
    let again = try #require(
      await program.call(.post, "/admin/jobs:batch", body).json["results"]?.elements)

    #expect(first.map { $0["result"]?.text } == ["created", "refused"])
    #expect(again.map { $0["result"]?.text } == ["unchanged", "refused"])
    #expect(again[0]["version"] == first[0]["version"])
    #expect(first[1]["mistakes"]?.elements?.first?["path"]?.text == "id")
  }

  @Test("A batch has 1 to 500 items", arguments: [0, 1, 499, 500, 501])
  func batchLimit(_ count: Int) async throws {
    let program = try await WritingProgram.make()
    let items = (0..<count).map { #"{"id": "none-\#($0)", "deleted": true}"# }
    let body = "{\"items\": [\(items.joined(separator: ","))]}"

    let answer = await program.call(.post, "/admin/products:batch", body)

    #expect(answer.status == (1...500 ~= count ? 200 : 400))
    #expect((answer.json["results"]?.elements?.count ?? 0) == (1...500 ~= count ? count : 0))
  }

  @Test("A service account writes what its scopes allow and nothing else")
  func scopes() async throws {
    let program = try await WritingProgram.make(scopes: [.writeJobs])

    for kind in DataKind.allCases {
      let answer = await program.call(
        .put, "/admin/\(kind.rawValue)/x-1", WritingProgram.bodies[kind])
      #expect(answer.status == (kind == .jobs ? 201 : 403), "\(kind)")
      if kind != .jobs {
        #expect(
          answer.field("www-authenticate")?.contains("scope=\"\(kind.scope.rawValue)\"") == true)
      }
    }
    #expect(await program.call(.get, "/admin/changes").status == 403)
  }

  @Test("An administrator with the scope admin may write too; a technician may not")
  func administrators() async throws {
    let server = try await TestServer()
    let administrator = try await Person.administrator(at: server)
    let technician = try await Person.technician(at: server)

    #expect(
      await administrator.call(.put, "/admin/jobs/j-1", WritingProgram.job()).status == 201)
    #expect(await technician.call(.put, "/admin/jobs/j-1", WritingProgram.job()).status == 403)
  }

  @Test("A service account of one organization neither finds nor changes people of another")
  func organizations() async throws {
    let north = try await WritingProgram.make(organization: "north")
    let administrator = try await Person.administrator(at: north.server)
    let activity = try #require(WritingProgram.bodies[.activities])
    let south = activity.replacing("north", with: "south")
    // The answer to a write is the same whether or not the other organization has such a record.
    for (path, body, status) in [
      ("/admin/jobs/j-1", WritingProgram.job(), 404), ("/admin/activities/s-1", south, 400),
    ] {
      #expect(await administrator.call(.put, path, body).status == 201)
      #expect(await north.call(.get, path).status == 404)
      #expect(await north.call(.put, path, body).status == status)
      #expect(await north.call(.delete, path).status == 404)
      #expect(await administrator.call(.get, path).status == 200)
    }
    // The technician belongs to no organization and is treated as unknown.
    let other = await north.call(.put, "/admin/jobs/j-9", WritingProgram.job())
    #expect(other.status == 404 && other.code == "account_not_found")
    #expect(await north.call(.put, "/admin/activities/n-1", activity).status == 201)
    #expect(await north.call(.put, "/admin/activities/n-2", south).status == 400)
  }

  @Test("A removed product leaves the offline copy, and so does a product of a new owner")
  func productFeeds() async throws {
    let program = try await WritingProgram.make()
    let body = try #require(WritingProgram.bodies[.products])
    for id in ["p-1", "p-2"] {
      #expect(await program.call(.put, "/admin/products/\(id)", body).status == 201)
    }
    let owner = try await Person.owner(at: program.server)
    let first = try await owner.sync()
    #expect(first.products.contains { $0.id == ProductID("p-1") })

    #expect(await program.call(.delete, "/admin/products/p-1").status == 204)
    let moved = body.replacing("owner@", with: "new-owner@")
    #expect(await program.call(.put, "/admin/products/p-2", moved).status == 200)

    let rest = try await owner.sync(since: first.cursor)
    #expect(rest.removed == ["p-1", "p-2"] && rest.products == [])
    let other = try await Person.newOwner(at: program.server)
    #expect(try await other.sync().products.map(\.id) == [ProductID("p-2")])
  }

  @Test("A removed job is no longer in the technician's list")
  func removedFromLists() async throws {
    let program = try await WritingProgram.make()
    _ = await program.call(.put, "/admin/jobs/j-1", WritingProgram.job())
    let technician = try await Person.technician(at: program.server)
    func ids() async -> [String] {
      let jobs = await technician.call(.get, Endpoint.jobs.path).json["jobs"]?.elements ?? []
      return jobs.compactMap { $0["id"]?.text }
    }
    #expect(await ids().contains("j-1"))

    #expect(await program.call(.delete, "/admin/jobs/j-1").status == 204)

    #expect(await !ids().contains("j-1"))
  }
}
