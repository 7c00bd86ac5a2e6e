import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

@Suite("Changes made by people")
struct DataChangeTests {
  private func changes(
    _ program: WritingProgram, after: String? = nil
  ) async -> (list: [JSON], cursor: String, status: Int) {
    let answer = await program.call(
      .get, Endpoint.adminChanges.path, query: after.map { "after=\($0)" })
    return (
      answer.json["changes"]?.elements ?? [], answer.json["cursor"]?.text ?? "", answer.status
    )
  }

  @Test("A status set by a technician is sent back once, with the current job")
  func jobs() async throws {
    let program = try await WritingProgram.make()
    let start = await changes(program)
    #expect(start.list == [])
    _ = await program.call(.put, "/admin/jobs/j-1", WritingProgram.job())
    let technician = try await Person.technician(at: program.server)

    for _ in 1...2 {
      let answer = await technician.call(.patch, "/api/jobs/j-1", #"{"status": "in_progress"}"#)
      #expect(answer.status == 200 && answer.json["status"]?.text == "in_progress")
    }

    let made = await changes(program, after: start.cursor)
    #expect(made.list.count == 1)
    let change = try #require(made.list.first)
    #expect(change["kind"]?.text == "job" && change["change"]?.text == "status_changed")
    #expect(change["status"]?.text == "in_progress" && change["account"]?.text == "technician")
    #expect(change["record"]?["title"]?.text == "Boiler")
    #expect(change["version"] == change["record"]?["version"])
    #expect(await changes(program, after: made.cursor).list == [])
  }

  @Test("Every status leads only to allowed statuses, and a job of another person is not found")
  func transitions() async throws {
    let program = try await WritingProgram.make()
    let technician = try await Person.technician(at: program.server)
    for status in Job.Status.allCases {
      for next in Job.Status.allCases {
        let body = WritingProgram.job(#", "status": "\#(status.rawValue)""#)
        _ = await program.call(.put, "/admin/jobs/j-1", body)
        let answer = await technician.call(
          .patch, "/api/jobs/j-1", #"{"status": "\#(next.rawValue)"}"#)
        let isLegal = next == status || status.next.contains(next)
        #expect(answer.status == (isLegal ? 200 : 409), "\(status) to \(next)")
      }
    }
    for (id, body, status) in [
      ("none", #"{"status": "done"}"#, 404), ("j-1", #"{"status": "gone"}"#, 400),
    ] {
      #expect(await technician.call(.patch, "/api/jobs/\(id)", body).status == status)
    }
  }

  @Test("T-01 the note of a problem is stored to its limit, other systems read it, and it goes")
  func statusNotes() async throws {
    let program = try await WritingProgram.make()
    _ = await program.call(.put, "/admin/jobs/j-1", WritingProgram.job())
    let technician = try await Person.technician(at: program.server)
    func report(bytes: Int) async -> Int {
      let note = String(repeating: "n", count: bytes)
      return await technician.call(
        .patch, "/api/jobs/j-1", #"{"status": "problem", "status_note": "\#(note)"}"#
      ).status
    }
    func note() async -> String? {
      await program.call(.get, "/admin/jobs/j-1").json["status_note"]?.text
    }
    let limit = WorkStatusBody.noteByteLimit
    #expect(await report(bytes: limit + 1) == 400)
    #expect(await note() == nil)

    #expect(await report(bytes: limit) == 200)
    #expect(await note()?.utf8.count == limit)
    let change = try #require(await changes(program).list.last)
    #expect(change["record"]?["status_note"]?.text?.utf8.count == limit)
    // The same status does not change the note, and the next status removes it.
    #expect(await report(bytes: limit - 1) == 200)
    #expect(await note()?.utf8.count == limit)
    _ = await program.call(.put, "/admin/jobs/j-1", WritingProgram.job())
    #expect(await note()?.utf8.count == limit)
    let done = await technician.call(.patch, "/api/jobs/j-1", #"{"status": "done"}"#)
    #expect(done.status == 200)
    #expect(await note() == nil)
  }

  @Test("R-01 a delivery that failed has the note of the rider, and a blank note is none")
  func deliveryNotes() async throws {
    let program = try await WritingProgram.make()
    let rider = try await Person.signIn(
      at: program.server, client: "rider-app", scope: "openid dashboard",
      [("phone_number", "+919812345678")])
    for (id, text, stored) in [
      ("d-1", "No answer at the door.", "No answer at the door."), ("d-2", " ", nil),
    ] {
      let body = WritingProgram.bodies[.deliveries]
      _ = await program.call(.put, "/admin/deliveries/\(id)", body)
      let answer = await rider.call(
        .patch, "/api/deliveries/\(id)",
        #"{"status": "failed", "status_note": "\#(text)"}"#)
      #expect(answer.status == 200 && answer.json["status_note"]?.text == stored)
    }
  }

  @Test("A rider sets the result of a delivery, and it stays")
  func deliveries() async throws {
    let program = try await WritingProgram.make()
    _ = await program.call(.put, "/admin/deliveries/d-1", WritingProgram.bodies[.deliveries])
    let rider = try await Person.signIn(
      at: program.server, client: "rider-app", scope: "openid dashboard",
      [("phone_number", "+919812345678")])
    func patch(_ status: String) async -> Int {
      await rider.call(.patch, "/api/deliveries/d-1", #"{"status": "\#(status)"}"#).status
    }

    #expect(await patch("delivered") == 409)
    #expect(await patch("picked_up") == 200)
    #expect(await patch("failed") == 200)
    #expect(await patch("delivered") == 409)
    #expect(await changes(program).list.map { $0["status"]?.text } == ["picked_up", "failed"])
  }

  @Test("A mentor registers an activity once, in the organization of the session")
  func activities() async throws {
    let program = try await WritingProgram.make()
    let mentor = try await Person.mentor(at: program.server, in: "south")
    let body = """
      {"title": "Coffee", "place": "Café", "with": "Ola", "starts_at": 1800000000,
       "ends_at": 1800003600, "status": "held", "notes": "Went well"}
      """
    let first = await mentor.call(.post, Endpoint.activities.path, body, key: "k-1")
    let again = await mentor.call(.post, Endpoint.activities.path, body, key: "k-1")

    #expect(first.status == 201 && first.json == again.json)
    let list = await mentor.call(.get, Endpoint.activities.path).json["activities"]?.elements ?? []
    #expect(list.filter { $0["title"]?.text == "Coffee" } == [first.json])
    let made = await changes(program)
    #expect(made.list.map { $0["change"]?.text } == ["registered"])
    #expect(made.list.first?["record"]?["organization"]?.text == "south")
    let other = body.replacing("\"title\"", with: "\"organization\": \"north\", \"title\"")
    let refused = await mentor.call(.post, Endpoint.activities.path, other)
    #expect(refused.status == 400)
    #expect(refused.json["mistakes"]?.elements?.first?["path"]?.text == "organization")
  }

  @Test("S-05 an Idempotency-Key of one organization does not return a record of another")
  func keyOfAnotherOrganization() async throws {
    let program = try await WritingProgram.make()
    let south = try await Person.mentor(at: program.server, in: "south")
    program.server.clock.advance(seconds: 61)
    let north = try await Person.mentor(at: program.server, in: "north")
    let body = """
      {"title": "Coffee", "place": "Café", "with": "Ola", "starts_at": 1800000000,
       "ends_at": 1800003600, "status": "held", "notes": "Went well"}
      """

    let first = await south.call(.post, Endpoint.activities.path, body, key: "k-1")
    let other = await north.call(.post, Endpoint.activities.path, body, key: "k-1")

    #expect(first.status == 201)
    #expect(other.code == ErrorCode.idempotencyKeyReused.rawValue && other.json["id"] == nil)
  }

  @Test("Notes, service requests and transfers are sent back too")
  func others() async throws {
    let program = try await WritingProgram.make()
    let mentor = try await Person.mentor(at: program.server, in: "north")
    _ = await mentor.call(.patch, "/api/activities/north-1", #"{"notes": "Bring coffee"}"#)
    let owner = try await Person.owner(at: program.server)
    let product = try #require(try await owner.sync().products.first).id.text
    _ = await owner.call(
      .post, Endpoint.serviceRequests.path, #"{"product_id": "\#(product)", "description": "Hums"}"#
    )
    _ = await owner.call(
      .post, ProductTests.transfer(product), #"{"to": "new-owner@example.com"}"#)

    let found = await changes(program).list
    #expect(
      found.map { $0["change"]?.text } == ["notes_changed", "requested", "transferred"])
    #expect(found[1]["record"]?["description"]?.text == "Hums")
    #expect(found[2]["record"]?["account"]?.text == "new-owner")
  }

  @Test("A record of a person who left an organization is null for readers there")
  func moved() async throws {
    let server = try await TestServer(serviceAccounts: [
      try ServiceProgram.account(), try ServiceProgram.account("south", organization: "south"),
    ])
    let everywhere = WritingProgram(
      server: server, token: try await ServiceProgram(server: server).token())
    let south = WritingProgram(
      server: server, token: try await ServiceProgram(server: server, id: "south").token())
    func move(to organization: String) async throws {
      try await server.world.store.transact { (transaction) throws(StoreFault) in
        guard var account = try transaction.account(AccountID("technician")) else { return }
        account.organizations = [OrganizationID(organization)]
        try transaction.update(account)
      }
    }
    try await move(to: "south")
    _ = await south.call(.put, "/admin/jobs/j-1", WritingProgram.job())
    let technician = try await Person.technician(at: server)
    let done = await technician.call(.patch, "/api/jobs/j-1", #"{"status": "done"}"#)
    #expect(done.status == 200)
    let before = try #require(await changes(south).list.first)
    #expect(before["record"]?["customer"]?.text == "Berg")

    try await move(to: "north")

    let after = try #require(await changes(south).list.first)
    #expect(after["id"]?.text == "j-1" && after["record"] == .null)
    let read = try #require(await changes(everywhere).list.first)
    #expect(read["record"]?["title"]?.text == "Boiler" && read["organization"]?.text == "south")
  }

  @Test(
    "An unknown or old cursor is refused; an organization reads changes of its own people only")
  func cursors() async throws {
    let server = try await TestServer(serviceAccounts: [
      try ServiceProgram.account(), try ServiceProgram.account("north", organization: "north"),
    ])
    func program(_ id: String) async throws -> WritingProgram {
      WritingProgram(
        server: server, token: try await ServiceProgram(server: server, id: id).token())
    }
    let north = try await program("north")
    let technician = try await Person.technician(at: server)
    let jobs = Demo.jobs(at: server.clock.now())
    let job = try #require(jobs.first { $0.status == .scheduled }).id
    let done = await technician.call(.patch, "/api/jobs/\(job)", #"{"status": "done"}"#)
    #expect(done.status == 200)
    let page = await changes(north)
    #expect(page.status == 200 && page.list == [])
    for cursor in ["x", "-1", "99", "1.5"] {
      #expect(await changes(north, after: cursor).status == 410, "\(cursor)")
    }
    server.clock.advance(seconds: DataChange.retentionSeconds + 1)
    await removeExpiredRecords(in: server.world)
    let everywhere = try await program("planning")
    #expect(await changes(everywhere, after: "0").status == 410)
    #expect(await changes(everywhere).status == 200)
    // The organization has missed nothing, because the removed change was not one of its own.
    let later = try await program("north")
    #expect(await changes(later, after: page.cursor).status == 200)
  }

  @Test("L-49 a reader of an organization cannot count the changes of others")
  func counts() async throws {
    let server = try await TestServer(serviceAccounts: [
      try ServiceProgram.account(), try ServiceProgram.account("north", organization: "north"),
      try ServiceProgram.account("south", organization: "south"),
    ])
    func program(_ id: String) async throws -> WritingProgram {
      WritingProgram(
        server: server, token: try await ServiceProgram(server: server, id: id).token())
    }
    let (north, south) = (try await program("north"), try await program("south"))
    let everywhere = try await program("planning")
    func change(_ organization: String?, _ id: String) async throws {
      let now = server.clock.now()
      try await server.world.store.transact { (transaction) throws(StoreFault) in
        try transaction.append(
          DataChange(
            at: now, kind: .job,
            key: RecordKey(organization.map { OrganizationID($0) }, id), act: .statusChanged,
            account: AccountID("technician"), status: "done", version: 7))
      }
    }
    let start = await changes(north)
    try await change("north", "n-1")
    for number in 0..<12 { try await change(number % 2 == 0 ? "south" : nil, "s-\(number)") }
    try await change("north", "n-2")

    let own = await changes(north)
    #expect(own.list.map { $0["id"]?.text } == ["n-1", "n-2"])
    #expect(own.list.allSatisfy { $0["sequence"] == nil })
    #expect(Int64(own.cursor) == nil && own.cursor.utf8.count == start.cursor.utf8.count)
    #expect(await changes(north, after: start.cursor).list == own.list)
    #expect(await changes(north, after: own.cursor).list == [])
    // Its cursor is of no use to others, and it cannot use a number.
    #expect(await changes(south, after: own.cursor).status == 410)
    #expect(await changes(everywhere, after: own.cursor).status == 410)
    for cursor in ["0", "1", "14", own.cursor + "A", String(own.cursor.dropLast())] {
      #expect(await changes(north, after: cursor).status == 410, "\(cursor)")
    }
    let all = await changes(everywhere)
    #expect(all.cursor == "14")
    #expect(all.list.compactMap { $0["sequence"]?.number } == Array(1...14))
    #expect(await changes(everywhere, after: "13").list.map { $0["id"]?.text } == ["n-2"])
  }
}
