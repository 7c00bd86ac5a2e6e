import Foundation
import SignInClient
import SignInClientTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests of an app as its developer writes them, with the public products only.
@Suite("Testing with a server in memory")
struct TestServerTests {
  private func signedIn(
    _ server: TestServer, on platform: SignInClient.Platform? = nil
  ) async throws -> SignInClient {
    await server.addPerson(email: "ada@example.com", password: "a long password")
    let client = try SignInClient(
      server.configuration, platform: platform ?? server.makePlatform())
    try await client.signIn(email: "ada@example.com", password: "a long password")
    try await client.submitCode(try #require(await server.code))
    return client
  }

  private func isSignedIn(_ state: SignInClient.State) -> Bool {
    if case .signedIn = state { true } else { false }
  }

  @Test("An app with any client id signs in with a password and a code, and opens again")
  func password() async throws {
    let server = TestServer(clientID: "orders-app", scopes: ["orders"])
    let platform = server.makePlatform()
    let client = try await signedIn(server, on: platform)

    #expect(isSignedIn(await client.state))
    let again = try SignInClient(server.configuration, platform: platform)
    #expect(isSignedIn(await again.open()))
    #expect(try await again.account().name == "Ada")
    #expect(await server.openSessionCount == 1)
  }

  @Test("An app with any client id signs in with a phone number and resends a code")
  func phone() async throws {
    let server = TestServer(clientID: "riders-of-ours", method: .phoneNumber)
    await server.addPerson(phone: "+4790000055")
    let client = try SignInClient(server.configuration, platform: server.makePlatform())

    try await client.signIn(phone: "+4790000055")
    let first = try #require(await server.code)
    try await client.resendCode()
    let second = try #require(await server.code)

    #expect(first != second)
    await #expect(throws: SignInError.wrongCode(attemptsLeft: 4)) {
      try await client.submitCode(first)
    }
    #expect(isSignedIn(try await client.submitCode(second)))
  }

  @Test("Wrong answers are errors")
  func wrong() async throws {
    let server = TestServer()
    await server.addPerson(email: "ada@example.com", password: "a long password")
    let client = try SignInClient(server.configuration, platform: server.makePlatform())

    await #expect(throws: SignInError.invalidCredentials) {
      try await client.signIn(email: "ada@example.com", password: "another")
    }
    await #expect(throws: SignInError.notPossibleNow) { try await client.submitCode("123456") }
    await #expect(throws: SignInError.notPossibleNow) {
      try await client.signIn(phone: "+4790000055")
    }
  }

  @Test("An expired access token is renewed automatically")
  func renewal() async throws {
    let server = TestServer()
    let client = try await signedIn(server)
    let before = try await client.accessToken()
    await server.answer("/api/orders", with: Data(#"{"orders":[]}"#.utf8))

    await server.expireAccessTokens()
    let response = try await client.request("/api/orders")

    #expect(response.status == 200)
    #expect(response.data == Data(#"{"orders":[]}"#.utf8))
    #expect(try await client.accessToken() != before)
  }

  @Test("A session that the server ends becomes a state for every reader")
  func ended() async throws {
    let server = TestServer()
    let client = try await signedIn(server)
    let readers = (0..<3).map { _ in client.states }

    await server.endSessions()

    for reader in readers {
      var last: SignInClient.State?
      for await state in reader {
        last = state
        if case .signedOut = state { break }
      }
      #expect(last == .signedOut(.sessionEndedElsewhere))
    }
  }

  @Test("Each fault has its own error and ends no session")
  func faults() async throws {
    let server = TestServer()
    let client = try await signedIn(server)
    let faults: [(TestServer.Fault, SignInError)] = [
      (.noNetwork, .noConnection), (.unreachable, .serviceUnreachable),
      (.timedOut, .noAnswerInTime), (.serverFault, .serverFault),
    ]
    for (fault, error) in faults {
      await server.setFault(fault)
      await #expect(throws: error) { _ = try await client.account() }
    }
    await server.setFault(nil)
    #expect(try await client.account().email == "ada@example.com")
  }

  @Test(
    "A request without a proof is refused with the status of its endpoint",
    arguments: [("/oauth/token", 400), ("/api/me", 401)])
  func withoutProof(path: String, status: Int) async throws {
    let server = TestServer()
    let url = try #require(URL(string: path, relativeTo: server.configuration.server))
    let (_, response) = try await server.send(URLRequest(url: url.absoluteURL))

    #expect(response.statusCode == status)
  }

  @Test("Signing out ends the session at the server")
  func signOut() async throws {
    let server = TestServer()
    let client = try await signedIn(server)

    await client.signOut()

    #expect(await client.state == .signedOut(nil))
    #expect(await server.openSessionCount == 0)
  }

  @Test("Sessions are listed, and ended on another device")
  func sessions() async throws {
    let server = TestServer()
    let first = try await signedIn(server)
    let second = try SignInClient(server.configuration, platform: server.makePlatform())
    try await second.signIn(email: "ada@example.com", password: "a long password")
    try await second.submitCode(try #require(await server.code))

    let all = try await first.sessions()
    let other = try #require(all.first { !$0.isCurrent })
    #expect(all.count == 2 && other.clientID == "test-app")
    try await first.endSession(id: other.id)

    #expect(try await first.sessions().count == 1)
    try await first.endSession(id: other.id)
    await #expect(throws: SignInError.requestMalformed) {
      try await first.endSession(id: "../me")
    }
  }

  @Test("A forgotten password is reset, and a signed-in person changes the password")
  func passwords() async throws {
    let server = TestServer()
    await server.addPerson(email: "ada@example.com", password: "a long password")
    let client = try SignInClient(server.configuration, platform: server.makePlatform())

    let challenge = try await client.requestPasswordReset(email: "ada@example.com")
    #expect(challenge.destination == "***-***-0001")
    let code = try #require(await server.code)
    await #expect(throws: SignInError.wrongCode(attemptsLeft: 4)) {
      try await client.resetPassword(to: "another password", code: "999999")
    }
    await #expect(throws: SignInError.refused(code: "password_too_short")) {
      try await client.resetPassword(to: "short", code: code)
    }
    #expect(try await client.resetPassword(to: "another password", code: code) == nil)

    try await client.signIn(email: "ada@example.com", password: "another password")
    try await client.submitCode(try #require(await server.code))
    await #expect(throws: SignInError.invalidCredentials) {
      try await client.changePassword(from: "wrong", to: "a third password")
    }
    try await client.changePassword(from: "another password", to: "a third password")
    #expect(isSignedIn(await client.state))
  }

  @Test("A person registers by name and number")
  func registration() async throws {
    let server = TestServer(method: .phoneNumber)
    let client = try SignInClient(server.configuration, platform: server.makePlatform())

    try await client.register(name: "Grace", phone: "+4790000056")
    await #expect(throws: SignInError.phoneMalformed) {
      try await client.register(name: "Grace", phone: "+47")
    }
    await #expect(throws: SignInError.nameMalformed) {
      try await client.register(name: "", phone: "+4790000056")
    }

    #expect(await server.registrations.map(\.name) == ["Grace"])
    #expect(await server.registrations.map(\.phone) == ["+4790000056"])
  }

  @Test("A person moves to another organization of their own and to no other")
  func organizations() async throws {
    let server = TestServer()
    await server.addPerson(
      email: "ada@example.com", password: "a long password", organizations: ["north", "south"])
    let client = try SignInClient(server.configuration, platform: server.makePlatform())
    try await client.signIn(email: "ada@example.com", password: "a long password")
    let state = try await client.submitCode(try #require(await server.code))
    guard case .signedIn(let north) = state else { return #expect(Bool(false)) }

    guard case .signedIn(let south) = try await client.switchOrganization(to: "south") else {
      return #expect(Bool(false))
    }

    #expect(north.organization == "north" && south.organization == "south")
    #expect(north.id != south.id)
    await #expect(throws: SignInError.refused(code: "not_a_member")) {
      try await client.switchOrganization(to: "west")
    }
    #expect(try await client.account().organizations.map(\.id) == ["north", "south"])
  }
}
