import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

@Suite("Account updates")
struct SessionEventTests {
  /// A server whose watch looks for account updates on request, so that no time has to pass.
  private struct Watched {
    let server: TestServer
    let watch: SessionWatch

    init() async throws {
      server = try await TestServer()
      watch = SessionWatch(server.handler.waiters)
    }

    var waiters: SessionWaiters { server.handler.waiters }

    /// Links the events of decisions, and looks for account updates.
    func check() async {
      await server.world.linkEvents()
      await watch.check(in: server.world)
    }

    func call(_ person: Person, seen: String?) async -> HTTPResponse {
      await person.call(.get, Endpoint.sessionEvents.path, query: seen.map { "seen=\($0)" })
    }

    func version(_ person: Person) async throws -> String {
      try #require(await call(person, seen: nil).json["version"]?.text)
    }

    /// The answer of a waiting request when `event` happens.
    func answer(
      _ person: Person, to event: () async throws -> Void
    ) async throws -> HTTPResponse {
      let version = try await version(person)
      let others = waiters.sleeperCount
      async let answer = call(person, seen: version)
      // The request counts its time from its arrival, so the test waits until it sleeps.
      while waiters.sleeperCount == others { await Task.yield() }
      await check()
      try await event()
      await check()
      return await answer
    }
  }

  private let rules = AccountEditingRules(
    administrator: AccountID("administrator"),
    caller: Caller(client: nil, peer: nil, proofKeyThumbprint: nil)
  )

  @Test("S-08 a request that has seen nothing, or another version, is answered at once")
  func atOnce() async throws {
    let watched = try await Watched()
    let person = try await Person.technician(at: watched.server)

    let first = await watched.call(person, seen: nil)
    let other = await watched.call(person, seen: "other")

    #expect(first.status == 200 && first.json == other.json)
    #expect(TokenAnswer.SessionTerms(json: first.json["session"]) != nil)
    #expect(watched.waiters.isEmpty)
  }

  @Test(
    "S-08 a request without an account update is answered with the same version when its time is up"
  )
  func timeUp() async throws {
    let watched = try await Watched()
    let person = try await Person.technician(at: watched.server)
    let version = try await watched.version(person)

    let answer = try await watched.answer(person) {
      watched.server.clock.advance(seconds: SessionWaiters.waitSeconds)
    }

    #expect(answer.status == 200 && answer.json["version"]?.text == version)
  }

  @Test("S-08 a request still waits one second before its time is up")
  func notYet() async throws {
    let watched = try await Watched()
    let person = try await Person.technician(at: watched.server)
    let version = try await watched.version(person)
    async let answer = watched.call(person, seen: version)
    while watched.waiters.sleeperCount == 0 { await Task.yield() }

    watched.server.clock.advance(seconds: SessionWaiters.waitSeconds - 1)
    await watched.check()
    for _ in 0..<100 { await Task.yield() }
    #expect(watched.waiters.count == 1)

    watched.server.clock.advance(seconds: 1)
    await watched.check()
    #expect(await answer.status == 200)
  }

  @Test("S-08 an open app learns that an administrator ended its session")
  func revoked() async throws {
    let watched = try await Watched()
    let person = try await Person.technician(at: watched.server)

    let answer = try await watched.answer(person) {
      _ = try await endSessions(
        of: AccountID("technician"), rules: rules, in: watched.server.world
      )
    }

    #expect((answer.status, answer.code) == (401, "session_ended"))
    #expect(answer.json["reason"]?.text == "revoked")
    let challenge = answer.fields.first { $0.isNamed("www-authenticate") }?.value
    #expect(challenge?.contains("error=\"invalid_token\"") == true)
  }

  @Test("S-08 deactivation, a password reset, a switch and a sign-out each have their own reason")
  func reasons() async throws {
    let world: (Watched) -> World = { $0.server.world }
    let technician = AccountID("technician")
    let events: [(String, (Watched, Person) async throws -> Void)] = [
      (
        "account_deactivated",
        { watched, _ in
          _ = try await changeStatus(
            of: technician, by: .deactivate, rules: rules, in: world(watched))
        }
      ),
      (
        "password_changed",
        { watched, _ in
          _ = try await resetAccount(technician, password: nil, rules: rules, in: world(watched))
        }
      ),
      (
        "signed_out",
        { _, person in
          #expect(await person.call(.delete, Endpoint.sessions.path).status == 204)
        }
      ),
    ]
    for (reason, event) in events {
      let watched = try await Watched()
      let person = try await Person.technician(at: watched.server)

      let answer = try await watched.answer(person) { try await event(watched, person) }

      #expect(answer.json["reason"]?.text == reason)
    }
  }

  @Test("S-05 the app with the old session of a switch learns that it ended")
  func switched() async throws {
    let watched = try await Watched()
    let mentor = try await Person.mentor(at: watched.server, in: "north")

    let answer = try await watched.answer(mentor) {
      _ = await mentor.device.post(
        Endpoint.token.path,
        [
          ("grant_type", "refresh_token"), ("client_id", "mentor-app"),
          ("refresh_token", mentor.refreshToken), ("organization", "south"),
        ]
      )
    }

    #expect(answer.json["reason"]?.text == "signed_out")
  }

  @Test("S-07 an open app learns a new policy of the organization")
  func policy() async throws {
    let watched = try await Watched()
    let mentor = try await Person.mentor(at: watched.server, in: "north")
    let admin = try await Person.administrator(at: watched.server)
    let version = try await watched.version(mentor)

    let answer = try await watched.answer(mentor) {
      let path = Endpoint.adminOrganizations.path + "/north"
      let changed = await admin.call(.patch, path, #"{"policy":{"background_seconds":900}}"#)
      #expect(changed.status == 200)
    }

    #expect(answer.status == 200 && answer.json["version"]?.text != version)
    #expect(answer.json["session"]?["background_timeout"]?.number == 900)
  }

  @Test("L-10 an open app learns of the reuse of a token")
  func reuse() async throws {
    let watched = try await Watched()
    let person = try await Person.technician(at: watched.server)
    let refresh = { (token: String) in
      await person.device.post(
        Endpoint.token.path,
        [
          ("grant_type", "refresh_token"), ("client_id", "technician-app"),
          ("refresh_token", token),
        ]
      ).json["refresh_token"]?.text ?? ""
    }
    let second = await refresh(person.refreshToken)
    _ = await refresh(second)

    let answer = try await watched.answer(person) { _ = await refresh(person.refreshToken) }

    #expect(answer.json["reason"]?.text == "reuse_detected")
  }

  @Test("S-03 an expired session is reported as expired, without an event in the log")
  func expired() async throws {
    var client = try #require(Configuration.demo.clients.first)
    client.policy[.idle] = 60
    client.policy[.accessToken] = 300
    let server = try await TestServer(clients: [client] + Configuration.demo.clients.dropFirst())
    let person = try await Person.technician(at: server)
    let watch = SessionWatch(server.handler.waiters)
    server.clock.advance(seconds: 20)
    let first = await person.call(.get, Endpoint.sessionEvents.path)
    let version = try #require(first.json["version"]?.text)
    async let answer = person.call(.get, Endpoint.sessionEvents.path, query: "seen=\(version)")
    while server.handler.waiters.sleeperCount == 0 { await Task.yield() }

    server.clock.advance(seconds: 40)
    await watch.check(in: server.world)

    #expect(await answer.json["reason"]?.text == "expired")
  }

  @Test("S-08 a notification of new events answers a waiting request before the next check is due")
  func notified() async throws {
    let watched = try await Watched()
    let world = watched.server.world
    let worker = SessionWatchWorker(watched.watch, world: world)
    let person = try await Person.technician(at: watched.server)
    let version = try await watched.version(person)
    async let answer = watched.call(person, seen: version)
    while watched.waiters.sleeperCount == 0 { await Task.yield() }

    _ = try await endSessions(of: AccountID("technician"), rules: rules, in: world)
    await world.linkEvents()
    worker.wake()

    #expect(await answer.status == 401)
    await worker.stop()
    worker.wake()
    #expect(watched.waiters.isEmpty)
  }

  @Test("S-08 the end of one person's session answers no request of another person")
  func others() async throws {
    let watched = try await Watched()
    let person = try await Person.technician(at: watched.server)
    let mentor = try await Person.mentor(at: watched.server, in: "north")
    let version = try await watched.version(mentor)
    async let waiting = watched.call(mentor, seen: version)
    while watched.waiters.sleeperCount == 0 { await Task.yield() }

    let answer = try await watched.answer(person) {
      _ = try await endSessions(
        of: AccountID("technician"), rules: rules, in: watched.server.world
      )
    }

    #expect(answer.status == 401)
    #expect(watched.waiters.count == 1)
    watched.waiters.close()
    #expect(await waiting.status == 200)
  }

  @Test("A server that stops answers all waiting requests, and new ones at once")
  func stopping() async throws {
    let watched = try await Watched()
    let person = try await Person.technician(at: watched.server)
    let version = try await watched.version(person)

    let answer = try await watched.answer(person) { watched.waiters.close() }
    let late = await watched.call(person, seen: version)

    #expect(answer.status == 200 && late.status == 200)
  }

  @Test("A request with an expired access token does not wait")
  func overToken() async throws {
    let watched = try await Watched()
    let person = try await Person.technician(at: watched.server)
    watched.server.clock.advance(seconds: 300)

    let answer = await watched.call(person, seen: "any")

    #expect((answer.status, answer.code) == (401, "invalid_token"))
  }

  @Test("A session may have eight waiting requests; a ninth completes the oldest one")
  func waitingRequests() async throws {
    let watched = try await Watched()
    let person = try await Person.technician(at: watched.server)
    let version = try await watched.version(person)
    let limit = SessionWaiters.perSessionLimit

    await withTaskGroup(of: Int.self) { group in
      for number in 1...limit {
        group.addTask { await watched.call(person, seen: version).status }
        while watched.waiters.count < number { await Task.yield() }
      }
      for _ in 0..<100 { await Task.yield() }
      #expect(watched.waiters.count == limit)
      group.addTask { await watched.call(person, seen: version).status }

      #expect(await group.next() == 200)
      #expect(watched.waiters.count == limit)
      watched.waiters.close()
    }
  }

  @Test("A request beyond the total limit is refused until another one completes")
  func limit() {
    let waiters = SessionWaiters()
    for number in 0..<SessionWaiters.limit {
      #expect(waiters.enter(SessionID("session-\(number)")) != nil)
    }

    #expect(waiters.enter(SessionID("one-more")) == nil)
    waiters.leave(1)
    #expect(waiters.enter(SessionID("one-more")) != nil)
  }

  @Test("S-08 a session that ends between a read and the watch's first look is reported")
  func firstLook() async throws {
    let watched = try await Watched()
    let person = try await Person.technician(at: watched.server)
    let version = try await watched.version(person)
    async let answer = watched.call(person, seen: version)
    while watched.waiters.sleeperCount == 0 { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    _ = try await endSessions(of: AccountID("technician"), rules: rules, in: watched.server.world)

    await watched.check()

    #expect(await answer.json["reason"]?.text == "revoked")
  }
}
