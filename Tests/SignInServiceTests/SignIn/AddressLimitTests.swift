import Cryptography
import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// The limits of a network address that many people share (L-59).
@Suite("Limits of a shared address")
struct AddressLimitTests {
  private static let address = "192.0.2.1"
  private static let console = AppRegistration(
    id: ClientID("console"), name: "Console", home: .dashboard, signIn: .passwordAndCode,
    roles: [.technician], scopes: ["openid"]
  )

  private enum Counted: CaseIterable {
    case answers, messages, providerSignIns, registrations

    func refusal(
      _ throttling: Throttling, at now: Instant, _ transaction: any Transaction
    ) throws(StoreFault) -> Refusal? {
      switch self {
      case .answers: try throttling.admitAnswer(about: nil, at: now, transaction)
      case .messages: try throttling.admitMessageRequest(about: nil, at: now, transaction)
      case .providerSignIns: try throttling.admitProviderSignIn(at: now, transaction)
      case .registrations: try throttling.admitRegistration(at: now, transaction)
      }
    }
  }

  /// Each person has a device and a number of their own.
  private func insertPeople(_ count: Int, _ test: TestWorld) async throws {
    for number in 0..<count {
      try await test.insert("p\(number)", phone: "+1555\(2_000_000 + number * 100)")
    }
  }

  private func begin(
    _ number: Int, _ test: TestWorld, in app: AppRegistration? = nil,
    from address: String = Self.address
  ) async -> Refusal {
    let terms = SignInTerms(
      client: app ?? test.client, scope: "openid",
      pkceChallenge: Base64URL.encode(SHA256Digest.of(TestWorld.verifier)), nonce: nil,
      organization: nil, proofKeyThumbprint: "key \(number)", peer: address
    )
    let request = PasswordSignInRequest(
      terms: terms, username: "p\(number)@example.com", password: Secret("right"))
    return await firstAnswer(try await beginPasswordSignIn(request, in: test.world))
  }

  private func complete(_ number: Int, _ test: TestWorld) async throws {
    let session = await begin(number, test).authSession
    let code = await test.code()
    _ = try #require(
      await success(
        try await test.answer(code, session, key: "key \(number)", from: Self.address)))
  }

  private func isAdmitted(_ answer: Refusal) -> Bool { answer.code == .insufficientAuthorization }

  @Test("L-59 a depot's two hundred unfinished sign-ins stop one app there, and not the console")
  func apps() async throws {
    let test = try await TestWorld()
    let limit = Int(test.client.policy[.addressSends])
    #expect(limit == 200)
    try await insertPeople(limit + 3, test)

    for number in 0..<limit { #expect(isAdmitted(await begin(number, test))) }

    let refused = await begin(limit, test)
    #expect(refused.code == .rateLimited)
    #expect(isAdmitted(await begin(limit + 1, test, in: Self.console)))
    #expect(isAdmitted(await begin(limit + 2, test, from: "192.0.2.2")))
    // The stated moment is the first one at which the same request is admitted.
    test.clock.advance(seconds: (refused.retryIn ?? 0) - 1)
    #expect(await begin(limit, test).code == .rateLimited)
    test.clock.advance(seconds: 1)
    #expect(isAdmitted(await begin(limit, test)))
  }

  @Test("L-59 wrong answers, registrations and the device's messages are counted for each app, too")
  func otherCounts() async throws {
    let test = try await TestWorld()
    let caller = Caller(client: nil, peer: Self.address, proofKeyThumbprint: "key")
    let now = test.clock.now()
    let (one, other) = (
      test.world.throttling(for: test.client, by: caller),
      test.world.throttling(for: Self.console, by: caller)
    )
    func isAdmitted(_ kind: Counted, by throttling: Throttling) async throws -> Bool {
      try await test.store.transact { (transaction) throws(StoreFault) in
        try kind.refusal(throttling, at: now, transaction) == nil
      }
    }

    for kind in Counted.allCases {
      #expect(try await isAdmitted(kind, by: one))
      while try await isAdmitted(kind, by: one) {}
      #expect(try await isAdmitted(kind, by: other))
    }
  }

  @Test("L-59 each person who completes a sign-in gives the address room for two more that day")
  func room() async throws {
    let client = TestWorld.technicians { $0.policy[.addressSends] = 3 }
    let test = try await TestWorld(client: client)
    try await insertPeople(11, test)
    for number in 0..<2 { try await complete(number, test) }
    // The same person earns nothing more that day.
    test.clock.advance(seconds: 60)
    try await complete(0, test)

    var admitted = 0
    for number in 2..<9 where isAdmitted(await begin(number, test)) { admitted += 1 }
    #expect(admitted == 7)
    #expect(await begin(9, test).code == .rateLimited)
    #expect(isAdmitted(await begin(10, test, from: "192.0.2.2")))
  }

  @Test("L-59 the room ends a day after the sign-in, and the stated wait considers that")
  func roomEnds() async throws {
    let client = TestWorld.technicians { $0.policy[.addressSends] = 1 }
    let test = try await TestWorld(client: client)
    try await insertPeople(5, test)
    try await complete(0, test)
    test.clock.advance(seconds: Throttle.earningSeconds - 1800)
    for number in 1...3 {
      #expect(isAdmitted(await begin(number, test)))
      test.clock.advance(seconds: 10)
    }

    // In half an hour the limit is one again, so all three must have left the hour.
    let refused = await begin(4, test)

    #expect(refused.code == .rateLimited && refused.retryIn == 3590)
    test.clock.advance(seconds: 3589)
    #expect(await begin(4, test).code == .rateLimited)
    test.clock.advance(seconds: 1)
    #expect(isAdmitted(await begin(4, test)))
  }

  @Test("L-59 a known device earns room, too, and gives back no message of another person")
  func knownDevice() async throws {
    let client = TestWorld.technicians { $0.policy[.addressSends] = 1 }
    let test = try await TestWorld(client: client)
    try await insertPeople(5, test)
    let session = await begin(0, test, from: TestWorld.peer).authSession
    let code = try #require(
      await success(try await test.answer(await test.code(), session, key: "key 0")))
    _ = try await test.redeem(code.revealed, key: "key 0")
    #expect(isAdmitted(await begin(1, test)))
    #expect(await begin(2, test).code == .rateLimited)

    test.clock.advance(seconds: 60)
    try await complete(0, test)

    for number in 2...3 { #expect(isAdmitted(await begin(number, test))) }
    #expect(await begin(4, test).code == .rateLimited)
  }
}

/// The wait that a refusal states, if several limits refuse (L-59).
@Suite("Stated waits")
struct StatedWaitTests {
  /// The first second at which the same request is admitted.
  private func admission(_ test: TestWorld, key: String, name: String) async -> Int64 {
    var waited: Int64 = 0
    while true {
      let answer = await test.begin(username: "\(name)@example.com", key: key, from: "192.0.2.1")
      guard answer.code == .rateLimited else { return waited }
      let wait = answer.retryIn ?? 1
      waited += wait
      test.clock.advance(seconds: wait)
    }
  }

  @Test("L-59 the wait for a number includes the wait for the budget of the app")
  func numberAndBudget() async throws {
    let client = TestWorld.technicians {
      $0.policy[.numberHourly] = 1
      $0.policy[.appDaily] = 1
    }
    let test = try await TestWorld(client: client)
    #expect(await test.begin(from: "192.0.2.1").code == .insufficientAuthorization)
    test.clock.advance(seconds: 60)

    let refused = await test.begin(from: "192.0.2.1")

    #expect(refused.retryIn == Throttle.Limit.daySeconds - 60)
    #expect(await admission(test, key: "key", name: "tara") == refused.retryIn)
  }

  @Test("L-59 a request that a budget refuses counts for its device, and the wait includes that")
  func budgetAndDevice() async throws {
    let client = TestWorld.technicians {
      $0.policy[.deviceSends] = 1
      $0.policy[.appDaily] = 1
    }
    let test = try await TestWorld(client: client)
    try await test.insert("other", phone: "+15550200001")
    _ = await test.begin(key: "first", from: "192.0.2.9")
    test.clock.advance(seconds: Throttle.Limit.daySeconds - 600)

    let refused = await test.begin(username: "other@example.com", key: "k", from: "192.0.2.1")

    #expect(refused.retryIn == 3600)
    #expect(await admission(test, key: "k", name: "other") == refused.retryIn)
  }

  @Test("L-59 the stop of a block with few entered codes states when it ends")
  func conversion() async throws {
    let client = TestWorld.technicians {
      $0.policy[.conversionCheckedAfter] = 2
      $0.policy[.minimumConversion] = 50
    }
    let test = try await TestWorld(client: client)
    for number in 1...3 { try await test.insert("p\(number)", phone: "+1555020000\(number)") }
    _ = await test.begin(username: "p1@example.com", key: "k1", from: "192.0.2.1")
    test.clock.advance(seconds: 7200)
    _ = await test.begin(username: "p2@example.com", key: "k2", from: "192.0.2.1")

    let refused = await test.begin(username: "p3@example.com", key: "k3", from: "192.0.2.1")

    #expect(refused.code == .rateLimited)
    #expect(refused.retryIn == Throttle.Limit.daySeconds - 7200)
    #expect(await admission(test, key: "k3", name: "p3") == refused.retryIn)
  }

  @Test("L-59 a refused password states when its message is admitted, too")
  func passwordAndMessage() async throws {
    let client = TestWorld.technicians {
      $0.policy[.addressFailures] = 1
      $0.policy[.addressSends] = 1
    }
    let test = try await TestWorld(client: client)
    try await test.insert("other", phone: "+15550200001")
    _ = await test.begin("wrong", username: "unknown@example.com", key: "k0", from: "192.0.2.1")
    test.clock.advance(seconds: 3600)
    #expect(await test.begin(key: "k1", from: "192.0.2.1").code == .insufficientAuthorization)
    test.clock.advance(seconds: 60)
    _ = await test.begin("wrong", username: "unknown@example.com", key: "k0", from: "192.0.2.1")
    test.clock.advance(seconds: 1)

    let refused = await test.begin(username: "other@example.com", key: "k2", from: "192.0.2.1")

    #expect(refused.code == .rateLimited)
    #expect(await admission(test, key: "k2", name: "other") == refused.retryIn)
  }
}
