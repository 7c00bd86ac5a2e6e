import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

/// Compares the answers to an unknown device for an account in use with those for an unknown
/// account.
@Suite("The owner's sign-ins do not change answers to unknown devices")
struct AccountOracleTests {
  /// Sends wrong passwords from one device, with an action of the owner before each.
  private func probe(
    _ count: Int, username: String, in test: TestWorld,
    _ between: (Int) async throws -> Void = { _ in }
  ) async throws -> [Refusal] {
    var answers: [Refusal] = []
    for number in 0..<count {
      try await between(number)
      answers.append(await test.begin("wrong", username: username, key: "attacker"))
      if answers.last?.code == .accountLocked { test.clock.advance(seconds: 24 * 60 * 60) }
    }
    return answers
  }

  @Test(
    "L-37 the owner's sign-in between wrong passwords changes no answer to them",
    arguments: [true, false]
  )
  func signInBetween(_ isKnown: Bool) async throws {
    let unknown = try await TestWorld()
    let known = try await TestWorld()
    if isKnown { _ = try await known.signIn(key: "own") }
    known.clock.advance(seconds: 60)
    unknown.clock.advance(seconds: 60)

    let theirs = try await probe(25, username: "unknown@example.com", in: unknown) { _ in
      unknown.clock.advance(seconds: 60)
    }
    let ours = try await probe(25, username: "tara@example.com", in: known) { number in
      known.clock.advance(seconds: 60)
      _ = try await known.signIn(key: isKnown ? "own" : "own \(number)")
    }

    #expect(theirs[3].code == .invalidCredentials)
    #expect(theirs[4].code == .accountLocked)
    #expect(theirs.map(\.code) == ours.map(\.code))
    #expect(theirs.map(\.retryIn) == ours.map(\.retryIn))
  }

  @Test("L-37 a hundred wrong passwords stop the attacker, whether the owner signs in or not")
  func stop() async throws {
    var seen: [[Refusal]] = []
    for username in ["unknown@example.com", "tara@example.com"] {
      let test = try await TestWorld()
      seen.append(
        try await probe(101, username: username, in: test) { number in
          if number % 5 == 1 { _ = try await test.signIn(key: "own \(number)") }
        })
    }

    #expect(seen[0].map(\.code) == seen[1].map(\.code))
    #expect(seen[0].map(\.retryIn) == seen[1].map(\.retryIn))
    #expect(seen[0][99].code == .accountLocked && seen[0][100].code == .accountLocked)
  }

  @Test("T-05 a person's own wrong passwords no longer count after a complete sign-in")
  func ownFailures() async throws {
    let test = try await TestWorld()
    for _ in 0..<4 { _ = await test.begin("wrong", key: "own") }
    _ = try await test.signIn(key: "own")
    test.clock.advance(seconds: 60)

    for key in ["own", "fresh"] {
      for _ in 0..<4 { #expect(await test.begin("wrong", key: key).code == .invalidCredentials) }
      #expect(await test.begin("wrong", key: key).code == .accountLocked)
    }
  }

  @Test("L-37 a sign-in allows others no more messages to a number")
  func messages() async throws {
    var seen: [[ErrorCode]] = []
    for phone in [TestWorld.phone, TestWorld.unknownPhone] {
      let test = try await TestWorld(client: TestWorld.phoneApp(.concealed))
      var codes: [ErrorCode] = []
      for number in 0..<7 {
        let answer = try await test.beginPhone(phone, key: "attacker \(number)")
        codes.append(answer.code)
        _ = await test.code()
        test.clock.advance(seconds: 60)
        guard phone == TestWorld.phone, number == 2 else { continue }
        let own = try await test.beginPhone(key: "own")
        _ = try await test.answer(await test.code(), own.authSession, key: "own", from: nil)
        test.clock.advance(seconds: 60)
      }
      seen.append(codes)
    }

    #expect(seen[1].count { $0 == .insufficientAuthorization } == 5)
    #expect(seen[0] == seen[1])
  }

  @Test("L-37 in a concealed app a failed message allows no early resend")
  func failedMessage() async throws {
    var seen: [Refusal] = []
    for phone in [TestWorld.phone, TestWorld.unknownPhone] {
      let test = try await TestWorld(client: TestWorld.phoneApp(.concealed))
      let session = try await test.beginPhone(phone).authSession
      try await test.failMessages()
      test.clock.advance(seconds: 10)
      seen.append(await test.resend(session))
    }

    #expect(seen[0].code == .resendTooSoon && seen[0].retryIn == 50)
    #expect(seen[0] == seen[1])
  }

  @Test("If an app discloses accounts, a resend after a failed message need not wait")
  func failedDisclosed() async throws {
    let test = try await TestWorld(client: TestWorld.phoneApp(.disclosed))
    let session = try await test.beginPhone().authSession
    try await test.failMessages()

    #expect(await test.resend(session).code == .insufficientAuthorization)
  }

  @Test("L-37 old failures of known and unknown accounts expire at the same time")
  func forgetting() async throws {
    var seen: [[ErrorCode]] = []
    for username in ["unknown@example.com", "tara@example.com"] {
      let test = try await TestWorld()
      _ = try await probe(4, username: username, in: test)
      test.clock.advance(seconds: SignInLimits.lockoutKeptSeconds + 1)
      await removeExpiredRecords(in: test.world)
      seen.append(try await probe(5, username: username, in: test).map(\.code))
    }

    #expect(seen[0] == seen[1])
    #expect(seen[0].last == .accountLocked)
  }
}

extension TestWorld {
  /// Marks the waiting messages as failed.
  fileprivate func failMessages() async throws {
    let now = clock.now()
    try await store.transact { (transaction) throws(StoreFault) in
      for var message in try transaction.waitingMessages(at: now, limit: 10) {
        message.state = .failed
        try transaction.update(message)
      }
    }
  }
}
