import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Activities")
struct ActivityTests {
  private func titles(_ person: Person) async -> [String] {
    let answer = await person.call(.get, Endpoint.activities.path)
    return answer.json["activities"]?.elements?.compactMap { $0["title"]?.text } ?? []
  }

  @Test("S-05 a mentor sees the activities of the session's organization and no others")
  func perOrganization() async throws {
    let server = try await TestServer()
    let north = try await Person.mentor(at: server, in: "north")
    server.clock.advance(seconds: 61)
    let south = try await Person.mentor(at: server, in: "south")

    let (here, there) = (await titles(north), await titles(south))

    #expect(here.contains("Coffee and a talk") && here.count == 4)
    #expect(there.contains("First meeting") && there.count == 3)
    #expect(Set(here).isDisjoint(with: there))
  }

  @Test("S-05 the account menu lists the organizations and marks the one of the session")
  func organizations() async throws {
    let mentor = try await Person.mentor(at: try await TestServer(), in: "south")

    let account = try #require(AccountAnswer(json: await mentor.call(.get, Endpoint.me.path).json))

    #expect(account.organizations.map(\.name) == ["North", "South"])
    #expect(account.session.organization == OrganizationID("south"))
  }

  @Test("S-09 notes are stored and returned with the activity")
  func notes() async throws {
    let mentor = try await Person.mentor(at: try await TestServer(), in: "north")

    let changed = await mentor.call(
      .patch, "/api/activities/north-2", #"{"notes":"Bring the form\nfor Ingrid"}"#
    )

    #expect(changed.status == 200)
    let answer = await mentor.call(.get, Endpoint.activities.path)
    let kept = answer.json["activities"]?.elements?.compactMap { ActivityEntry(json: $0) } ?? []
    #expect(kept.first { $0.id == "north-2" }?.notes == "Bring the form\nfor Ingrid")
    _ = try await prepareDemo(in: mentor.device.server.world)
    let again = ActivityEntry(json: changed.json)
    let after = await mentor.call(.get, Endpoint.activities.path).json["activities"]?.elements
    #expect(after?.compactMap { ActivityEntry(json: $0) }.contains { $0 == again } == true)
  }

  @Test("S-05 an activity of another organization or person is not found")
  func foreign() async throws {
    let server = try await TestServer(clients: Person.clients(technicianScope: .activities))
    let mentor = try await Person.mentor(at: server, in: "north")
    let technician = try await Person.technician(at: server, scope: "openid activities")
    let body = #"{"notes":"mine"}"#

    #expect(await mentor.call(.patch, "/api/activities/south-1", body).code == "activity_not_found")
    #expect(await mentor.call(.patch, "/api/activities/none", body).status == 404)
    #expect(await technician.call(.patch, "/api/activities/north-1", body).status == 404)
    #expect(await titles(technician) == [])
  }

  @Test(
    "Notes have a limit in bytes, exact to one byte",
    arguments: [(-1, 200), (0, 200), (1, 400)]
  )
  func limit(_ beyond: Int, _ status: Int) async throws {
    let mentor = try await Person.mentor(at: try await TestServer(), in: "north")
    let notes = String(repeating: "n", count: ActivityEntry.notesByteLimit + beyond)

    let answer = await mentor.call(.patch, "/api/activities/north-1", "{\"notes\":\"\(notes)\"}")

    #expect(answer.status == status)
  }

  @Test("Notes that are not text are refused", arguments: ["{}", #"{"notes":1}"#, "[]"])
  func malformed(_ body: String) async throws {
    let mentor = try await Person.mentor(at: try await TestServer(), in: "north")

    #expect(await mentor.call(.patch, "/api/activities/north-1", body).code == "invalid_request")
  }

  @Test("S-05 after a switch over HTTP the old token is refused")
  func switching() async throws {
    let server = try await TestServer()
    let mentor = try await Person.mentor(at: server, in: "north")
    let form = [
      ("grant_type", "refresh_token"), ("client_id", "mentor-app"),
      ("refresh_token", mentor.refreshToken),
    ]

    let odd = await mentor.device.post(Endpoint.token.path, form + [("organization", "no/name")])
    let refused = await mentor.device.post(Endpoint.token.path, form + [("organization", "east")])
    let answer = await mentor.device.post(Endpoint.token.path, form + [("organization", "south")])

    #expect(odd.json["error"]?.text == "invalid_request")
    #expect((refused.status, refused.json["error"]?.text) == (403, "not_a_member"))
    #expect(answer.json["session"]?["organization"]?.text == "south")
    #expect(await mentor.call(.get, Endpoint.activities.path).status == 401)
    let token = try #require(answer.json["access_token"]?.text)
    let now = Person(device: mentor.device, token: token)
    #expect(await titles(now).contains("First meeting"))
  }
}
