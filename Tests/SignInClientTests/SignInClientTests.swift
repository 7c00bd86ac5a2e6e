import Foundation
import SignInEngine
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInClient

@Suite("Client of Swift apps")
struct SignInClientTests {
  private func isActive(_ state: SignInClient.State) -> Bool { isSignedIn(state) }

  @Test("L-28 a sign-in returns a challenge with everything a screen shows, then a session")
  func signIn() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    let now = stage.clock.now()

    #expect(await client.open() == .signedOut(nil))
    let first = try await client.signIn(
      email: ClientFixture.email, password: ClientFixture.password)
    let last = try await client.submitCode(await stage.code())

    #expect(
      first
        == .codeRequired(
          SignInClient.Challenge(
            destination: "***-***-1234", digits: 6, expiresAt: Date(seconds: now.seconds + 300),
            resendAt: Date(seconds: now.seconds + 60), attemptsLeft: 5)))
    guard case .signedIn(let session) = last else { return #expect(Bool(false), "not signed in") }
    #expect(session.isStored && !session.hasAppLock && session.offlineSince == nil)
    #expect(await client.open() == .signedIn(session))
    #expect(try await client.request(Endpoint.jobs.path).status == 200)
  }

  @Test("L-28 wrong answers are errors with the attempts left and end nothing")
  func wrong() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()

    await #expect(throws: SignInError.invalidCredentials) {
      try await client.signIn(email: ClientFixture.email, password: "guess")
    }
    await #expect(throws: SignInError.emailMalformed) {
      try await client.signIn(email: "tech", password: "x")
    }
    await #expect(throws: SignInError.notPossibleNow) { try await client.submitCode("123456") }
    _ = try await client.signIn(email: ClientFixture.email, password: ClientFixture.password)
    let code = await stage.code()
    await #expect(throws: SignInError.codeIncomplete(digits: 6)) {
      try await client.submitCode("12")
    }
    let other = code == "000000" ? "000001" : "000000"
    await #expect(throws: SignInError.wrongCode(attemptsLeft: 3)) {
      try await client.submitCode(other)
    }
    #expect(isActive((try await client.submitCode(code))))
  }

  @Test("T-05 the fifth wrong answer is reported as a lock with its end")
  func locked() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    for _ in 1...4 {
      await #expect(throws: SignInError.invalidCredentials) {
        try await client.signIn(email: ClientFixture.email, password: "guess")
      }
    }
    let until = Date(seconds: stage.clock.now().seconds + 15 * 60)

    await #expect(throws: SignInError.lockedOut(until: until)) {
      try await client.signIn(email: ClientFixture.email, password: "guess")
    }
    #expect(await client.open() == .lockedOut(until: until))
  }

  @Test("T-05 the next run and another process of the app know a lockout, and send nothing")
  func knownLock() async throws {
    let stage = try await ClientFixture()
    let (client, other) = (try stage.makeClient(), try stage.makeClient())
    #expect(await other.open() == .signedOut(nil))
    let until = Date(seconds: stage.clock.now().seconds + 15 * 60)
    for _ in 1...5 {
      await #expect(throws: SignInError.self) {
        try await client.signIn(email: ClientFixture.email, password: "guess")
      }
    }
    #expect(try #require(stage.storage.lockouts).contains("tech") == false)
    let sent = stage.wire.paths.count { $0 == Endpoint.challenge.path }

    for process in [other, try stage.makeClient()] {
      await #expect(throws: SignInError.lockedOut(until: until)) {
        try await process.signIn(email: ClientFixture.email, password: ClientFixture.password)
      }
    }
    #expect(stage.wire.paths.count { $0 == Endpoint.challenge.path } == sent)
    stage.clock.advance(seconds: 15 * 60)
    #expect(isActive(try await stage.signIn(try stage.makeClient())))
    #expect(stage.storage.lockouts == nil)
  }

  @Test("T-05 without a safe place the process itself still knows a lockout")
  func lockInMemory() async throws {
    let stage = try await ClientFixture()
    stage.storage.setMissing()
    let client = try stage.makeClient()
    for _ in 1...5 {
      await #expect(throws: SignInError.self) {
        try await client.signIn(email: ClientFixture.email, password: "guess")
      }
    }
    let sent = stage.wire.paths.count { $0 == Endpoint.challenge.path }

    await #expect(throws: SignInError.self) {
      try await client.signIn(email: ClientFixture.email, password: ClientFixture.password)
    }
    #expect(stage.wire.paths.count { $0 == Endpoint.challenge.path } == sent)
  }

  @Test("R-01 a rider signs in with a phone number")
  func rider() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient(.rider)

    _ = try await client.signIn(phone: "+919812345678")
    let progress = try await client.submitCode(await stage.code())

    #expect(isActive((progress)))
    await #expect(throws: SignInError.notPossibleNow) {
      try await client.signIn(phone: "+919812345678")
    }
  }

  @Test("P-11 an app that opens again continues with the stored session")
  func again() async throws {
    let stage = try await ClientFixture()
    _ = try await stage.signIn(stage.makeClient())

    let again = try stage.makeClient()

    #expect(isActive(await again.open()))
    #expect(try await again.request(Endpoint.jobs.path).status == 200)
  }

  @Test("L-20 storage that is temporarily unreadable ends no session and answers later")
  func locking() async throws {
    let stage = try await ClientFixture()
    _ = try await stage.signIn(stage.makeClient())
    stage.storage.setLocked(true)
    let again = try stage.makeClient()

    #expect(await again.open() == .storageUnavailable)
    await #expect(throws: SignInError.storageUnavailable) {
      try await again.signIn(email: ClientFixture.email, password: ClientFixture.password)
    }
    stage.storage.setLocked(false)
    #expect(isActive(await again.open()))
  }

  @Test("L-34 without secure storage the session stays in memory, and the app is informed")
  func nowhere() async throws {
    let stage = try await ClientFixture()
    stage.storage.setMissing()
    let client = try stage.makeClient()

    let progress = try await stage.signIn(client)

    guard case .signedIn(let session) = progress else { return #expect(Bool(false)) }
    #expect(!session.isStored)
    #expect(await client.open() == .signedIn(session))
    #expect(try await client.request(Endpoint.jobs.path).status == 200)
    #expect(stage.storage.session == nil)
  }

  @Test("P-06 an expired access token is renewed automatically")
  func renewal() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    _ = try await stage.signIn(client)
    let before = stage.storage.session
    stage.clock.advance(seconds: 3600)

    let answer = try await client.request(Endpoint.jobs.path)

    #expect(answer.status == 200)
    #expect(stage.storage.session != before)
  }

  @Test("L-23 a renewal whose answer was lost or not stored ends no session")
  func lost() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    _ = try await stage.signIn(client)
    let written = stage.storage.session
    stage.clock.advance(seconds: 3600)
    stage.wire.turn(.answersLost)
    await #expect(throws: SignInError.noAnswerInTime) {
      try await client.request(Endpoint.jobs.path)
    }
    stage.wire.turn(.normal)
    #expect(try await client.request(Endpoint.jobs.path).status == 200)
    // The app was killed before it stored the renewed session, so the next process has the earlier
    // one.
    stage.storage.restore(written)

    let again = try stage.makeClient()

    #expect(isActive(await again.open()))
    #expect(try await again.request(Endpoint.jobs.path).status == 200)
  }

  @Test(
    "L-22 a request waits while another process does not end its renewal, and is sent once",
    .timeLimit(.minutes(1)))
  func claimedElsewhere() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    _ = try await stage.signIn(client)
    // The summary of the account may be written at any time.
    func refreshToken() -> Substring? {
      stage.storage.session?.components(separatedBy: "\"refresh_token\":\"").last?
        .prefix { $0 != "\"" }
    }
    let written = refreshToken()
    stage.storage.setClaimed(true)
    stage.clock.advance(seconds: 3600)
    let earlier = stage.wire.paths.filter { $0 == Endpoint.jobs.path }.count

    let asking = Task { try await client.request(Endpoint.jobs.path).status }
    while await client.awaited.isEmpty { await Task.yield() }
    await stage.storage.waitForRefusedClaim()
    #expect(refreshToken() == written)
    stage.storage.setClaimed(false)
    let ticking = Task {
      while !Task.isCancelled {
        stage.clock.advance(seconds: 1)
        try await Task.sleep(for: .milliseconds(5))
      }
    }

    #expect(try await asking.value == 200)
    ticking.cancel()
    #expect(refreshToken() != written)
    #expect(stage.wire.paths.filter { $0 == Endpoint.jobs.path }.count == earlier + 1)
  }

  @Test("L-34 a session in memory is renewed also if the locks cannot be taken")
  func memoryOnlyWithoutLocks() async throws {
    let stage = try await ClientFixture()
    stage.storage.setMissing()
    stage.storage.setClaimed(true)
    let client = try stage.makeClient()
    _ = try await stage.signIn(client)

    for _ in 0..<2 {
      stage.clock.advance(seconds: 3600)
      #expect(try await client.request(Endpoint.jobs.path).status == 200)
    }
  }

  @Test("L-32 a sign-out succeeds also if another process does not end its change")
  func changedElsewhere() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    _ = try await stage.signIn(client)
    stage.storage.setClaimed(true)

    await client.signOut()

    guard case .signedOut = await client.open() else { return #expect(Bool(false)) }
    #expect(stage.storage.session?.contains("access_token") != true)
  }

  @Test("L-25 no network is an error of the call, never the end of the session")
  func offline() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    _ = try await stage.signIn(client)
    stage.wire.turn(.noNetwork)

    await #expect(throws: SignInError.noConnection) { try await client.request(Endpoint.jobs.path) }
    stage.wire.turn(.requestsLost)
    await #expect(throws: SignInError.serviceUnreachable) {
      try await client.request(Endpoint.jobs.path)
    }
    #expect(isActive(await client.open()))
  }

  @Test("P-03 a sign-in has separate errors for no network, no server and a server fault")
  func threeErrors() async throws {
    let cases: [(LoopbackTransport.Condition, SignInError)] = [
      (.noNetwork, .noConnection), (.requestsLost, .serviceUnreachable), (.broken, .serverFault),
    ]
    for (condition, error) in cases {
      let stage = try await ClientFixture()
      let client = try stage.makeClient()
      stage.wire.turn(condition)
      await #expect(throws: error) {
        try await client.signIn(email: ClientFixture.email, password: ClientFixture.password)
      }
    }
  }

  @Test("S-08 a damaged session or key leads to a sign-in that says so")
  func damaged() async throws {
    for slot in [StorageSlot.session, .key] {
      let stage = try await ClientFixture()
      let first = try stage.makeClient()
      _ = try await stage.signIn(first)
      stage.storage.damage(slot)
      let again = try stage.makeClient()

      #expect(await again.open() == .signedOut(.sessionDamaged))
      stage.clock.advance(seconds: 1)
      #expect(isActive((try await stage.signIn(again))))
      #expect(isActive(try await stage.makeClient().open()))
      // With the same key the sign-in replaces the old session. With a new key the app revokes it.
      var count = try await again.sessions().count
      for _ in 0..<100 where count > 1 { count = try await again.sessions().count }
      #expect(count == 1, "\(slot)")
    }
  }

  @Test("S-08 a session whose key is lost is damaged: not absent, and not locked")
  func lostKey() async throws {
    let stage = try await ClientFixture()
    let first = try stage.makeClient()
    #expect(await first.open() == .signedOut(nil))
    _ = try await stage.signIn(first)
    try await stage.storage.erase(.key)
    let again = try stage.makeClient()

    #expect(await again.open() == .signedOut(.sessionDamaged))
    stage.clock.advance(seconds: 1)
    #expect(isActive(try await stage.signIn(again)))
    #expect(isActive(try await stage.makeClient().open()))
  }

  @Test("L-47 a sign-in that waits for a code continues in the next run of the app")
  func codeAfterRestart() async throws {
    let stage = try await ClientFixture()
    let first = try stage.makeClient()
    let asked = try await first.signIn(
      email: ClientFixture.email, password: ClientFixture.password)
    let next = try stage.makeClient()

    #expect(await next.open() == asked)
    #expect(isActive(try await next.submitCode(await stage.code())))
    #expect(isActive(try await stage.makeClient().open()))
  }

  @Test("P-04 a call goes to the server's own paths only")
  func foreignPath() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    _ = try await stage.signIn(client)

    for path in [".example.com/api/jobs", "@example.com/api/jobs"] {
      await #expect(throws: SignInError.requestMalformed) { try await client.request(path) }
    }
  }

  @Test("L-29 a device whose clock is hours behind can sign in")
  func wrongClock() async throws {
    let stage = try await ClientFixture()

    let progress = try await stage.signIn(stage.makeClient(behindSeconds: 5 * 3600))

    #expect(isActive((progress)))
  }

  @Test("T-14 a server that requires nonces in proofs gets them")
  func nonces() async throws {
    let clients = Configuration.demo.clients.map { client in
      var client = client
      client.requiresProofNonce = true
      return client
    }
    let stage = try await ClientFixture(clients: clients)
    let client = try stage.makeClient()

    #expect(isActive((try await stage.signIn(client))))
    stage.clock.advance(seconds: 3600)
    #expect(try await client.request(Endpoint.jobs.path).status == 200)
  }

  @Test("S-03 a session that the server ended ends here, and the call that found out says so")
  func ended() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    _ = try await stage.signIn(client)
    let rules = AccountEditingRules(
      administrator: nil, caller: Caller(client: nil, peer: nil, proofKeyThumbprint: nil))
    _ = try await endSessions(of: AccountID("technician"), rules: rules, in: stage.world)

    await #expect(throws: SignInError.sessionEndedElsewhere) {
      try await client.request(Endpoint.jobs.path)
    }

    guard case .signedOut = await client.open() else { return #expect(Bool(false)) }
    #expect(stage.storage.session == nil)
  }

  @Test("P-12 L-32 signing out erases at once, and the server is informed when it can be reached")
  func signOut() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    _ = try await stage.signIn(client)
    stage.wire.turn(.requestsLost)

    await client.signOut()

    guard case .signedOut = await client.open() else { return #expect(Bool(false)) }
    #expect(stage.storage.session?.contains("access_token") == false)
    stage.wire.turn(.normal)
    let again = try stage.makeClient()
    guard case .signedOut = await again.open() else { return #expect(Bool(false)) }
    while stage.storage.session != nil { await Task.yield() }
    let left = try await listSessions(
      of: AccountID("technician"), rules: .operatorCommand, in: stage.world)
    #expect(left.isEmpty)
  }

  @Test("States arrive in order, once per reader, starting with the current one")
  func states() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    var first = client.states.makeAsyncIterator()
    #expect(await first.next() == .loading)

    let last = try await stage.signIn(client)
    var second = client.states.makeAsyncIterator()

    guard case .signedIn = last else { return #expect(Bool(false)) }
    #expect(await first.next() == .signedOut(nil))
    guard case .codeRequired = await first.next() else { return #expect(Bool(false)) }
    #expect(await first.next() == last)
    #expect(await second.next() == last)
    await client.signOut()
    #expect(await first.next() == .signedOut(nil))
    #expect(await second.next() == .signedOut(nil))
  }
}
