import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

@Suite("Filters of the logs over HTTP")
struct LogFilterRouteTests {
  private func codes(_ person: Person, _ query: String) async -> [String] {
    let answer = await person.call(.get, Endpoint.adminEvents.path, query: query)
    return (answer.json["events"]?.elements ?? []).compactMap { $0["code"]?.text }
  }

  @Test("T-16 events are filtered by account, e-mail address, kind, app and time")
  func events() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let path = Endpoint.adminAccounts.path + "/technician"
    _ = await admin.call(.post, path + "/unlock")
    let now = server.clock.now().seconds
    server.clock.advance(seconds: 100)
    _ = await admin.call(.patch, path, "{\"status\":\"deactivated\"}")

    let both = ["account.deactivated", "account.unlocked"]
    #expect(await codes(admin, "account=technician&kind=accounts") == both)
    #expect(await codes(admin, "account=tech%40example.com&kind=accounts") == both)
    #expect(await codes(admin, "account=none%40example.com").isEmpty)
    #expect(await codes(admin, "account=technician&kind=locks") == ["account.unlocked"])
    #expect(await codes(admin, "account=technician&from=\(now + 1)&kind=accounts") == [both[0]])
    #expect(await codes(admin, "account=technician&until=\(now + 1)&kind=accounts") == [both[1]])
    #expect(await codes(admin, "kind=accounts&client=console") == both)
    #expect(await codes(admin, "kind=accounts&client=rider-app").isEmpty)
  }

  @Test(
    "T-16 a filter that cannot be read is refused",
    arguments: [
      ("events", "kind=every"), ("events", "from=today"), ("events", "until=-1"),
      ("events", "account=%40"), ("messages", "kind=every"), ("messages", "to=12"),
      ("messages", "to=%40"), ("messages", "from=1.5"), ("messages", "outcome=lost"),
    ])
  func refused(_ list: String, _ query: String) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let answer = await admin.call(.get, "/admin/" + list, query: query)
    #expect(answer.status == 400 && answer.json["code"]?.text == "invalid_request")
  }

  @Test("T-16 messages are filtered by number, kind and time")
  func messages() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    func count(_ query: String) async -> Int {
      let answer = await admin.call(.get, Endpoint.adminMessages.path, query: query)
      return answer.json["messages"]?.elements?.count ?? -1
    }
    let number = "%2B15550101238"
    let now = server.clock.now().seconds
    let sent = await count("to=" + number)
    #expect(sent >= 1)
    #expect(await count("to=%2B15550101999") == 0)
    #expect(await count("kind=code&to=\(number)") == sent)
    #expect(await count("kind=notice&to=\(number)") == 0)
    #expect(await count("account=technician") == 0)
    #expect(await count("from=\(now + 9)") == 0)
    #expect(await count("until=\(now + 9)&to=\(number)") == sent)
  }
}
