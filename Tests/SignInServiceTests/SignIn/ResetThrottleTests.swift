import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Throttled resets")
struct ResetThrottleTests {
  /// Requests a reset once a minute and delivers the messages after each.
  private func ask(
    _ test: TestWorld, _ times: Int, for username: String = "tara@example.com"
  ) async -> [Result<ResetAnswer, Refusal>] {
    var answers: [Result<ResetAnswer, Refusal>] = []
    for _ in 0..<times {
      answers.append(await result(try await test.forget(username)))
      _ = await test.code()
      test.clock.advance(seconds: 60)
    }
    return answers
  }

  @Test("L-16 a number gets no sixth message after five; the answer does not show it")
  func number() async throws {
    let known = try await TestWorld()
    let unknown = try await TestWorld()

    let ours = await ask(known, 7)
    let theirs = await ask(unknown, 7, for: "unknown@example.com")

    #expect(known.messenger.messages.count == 5)
    #expect(unknown.messenger.messages.isEmpty)
    for (one, other) in zip(ours, theirs) {
      let (one, other) = (try #require(one.value), try #require(other.value))
      #expect(one.challenge.expiresAt == other.challenge.expiresAt)
      #expect(one.challenge.resendAt == other.challenge.resendAt)
      #expect(one.challenge.attemptsLeft == other.challenge.attemptsLeft)
    }
  }

  @Test("L-16 messages of sign-ins and of resets to one number are counted together")
  func together() async throws {
    let test = try await TestWorld()
    for _ in 0..<3 {
      _ = await test.begin()
      _ = await test.code()
      test.clock.advance(seconds: 60)
    }

    _ = await ask(test, 3)

    #expect(test.messenger.messages.count == 5)
    #expect(await test.begin().code == .rateLimited)
  }

  @Test("L-16 resets count against the address, for known and unknown accounts")
  func address() async throws {
    let test = try await TestWorld(client: TestWorld.technicians { $0.policy[.addressSends] = 10 })
    for number in 0..<10 {
      #expect(await success(try await test.forget("unknown\(number)@example.com")) != nil)
    }

    #expect(await refusal(try await test.forget("unknown10@example.com"))?.code == .rateLimited)
    #expect(await refusal(try await test.forget())?.code == .rateLimited)
    #expect(await test.messageCount() == 0)
  }

  @Test("L-09 wrong reset codes count as failures of the address")
  func failures() async throws {
    let client = TestWorld.technicians { $0.policy[.addressFailures] = 2 }
    let test = try await TestWorld(client: client)
    let session = await success(try await test.forget())?.resetSession
    let wrong = await test.wrongCode()

    #expect(await refusal(try await test.reset(session, wrong))?.attemptsLeft == 4)
    #expect(await refusal(try await test.reset(session, wrong))?.attemptsLeft == 3)
    let refused = await refusal(try await test.reset(session, await test.code()))
    #expect(refused?.code == .rateLimited && refused?.retryIn == 3600)

    test.clock.advance(seconds: 3600)
    let fresh = await success(try await test.forget())?.resetSession
    #expect(await success(try await test.reset(fresh, await test.code())) == true)
  }

  @Test("T-11 a reset removes the known devices, because one of them may be the reason for it")
  func devices() async throws {
    let test = try await TestWorld()
    _ = try await test.signIn(key: "own")
    let session = await success(try await test.forget())?.resetSession
    #expect(await success(try await test.reset(session, await test.code())) == true)
    test.clock.advance(seconds: 60)

    for _ in 0..<5 { _ = await test.begin("wrong", key: "unknown") }

    #expect(await test.begin("a fresh start", key: "own").code == .accountLocked)
  }

  @Test("T-11 a reset ends the lockout of every bucket")
  func opening() async throws {
    let test = try await TestWorld()
    _ = try await test.signIn(key: "own")
    for key in ["own", "unknown"] {
      for _ in 0..<5 { _ = await test.begin("wrong", key: key) }
    }
    let session = await success(try await test.forget())?.resetSession
    #expect(await success(try await test.reset(session, await test.code())) == true)
    test.clock.advance(seconds: 60)

    for key in ["unknown", "own"] {
      #expect(await test.begin("a fresh start", key: key).challenge?.attemptsLeft == 5)
      test.clock.advance(seconds: 60)
    }
  }

  @Test(
    "R-11 one address registers as many people an hour as it may mistype, in the app's countries")
  func registering() async throws {
    let client = TestWorld.phoneApp(.disclosed) {
      $0.allowsRegistration = true
      $0.policy.countries = ["+1", "+47"]
      $0.policy[.addressFailures] = 30
    }
    let test = try await TestWorld(client: client)
    func register(_ phone: String) async throws -> ErrorCode? {
      let registration = Registration(
        client: client, phone: try PhoneNumber(parsing: phone),
        name: try PersonName(parsing: "Nina"), proofKeyThumbprint: nil, peer: TestWorld.peer
      )
      return await refusal(try await registerAccount(registration, in: test.world))?.code
    }

    #expect(try await register("+919812345678") == .invalidRequest)
    for number in 10..<40 { #expect(try await register("+47900000\(number)") == nil) }
    #expect(try await register("+4790000040") == .rateLimited)
  }
}
