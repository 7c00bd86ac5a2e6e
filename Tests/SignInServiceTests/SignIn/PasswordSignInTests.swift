import SignInModel
import SignInRules
import SignInService
import SignInTesting
import Testing

@testable import SignInWire

@Suite("Password sign-in")
struct PasswordSignInTests {
  @Test("T-01 right password and code give tokens of the session")
  func whole() async throws {
    let test = try await TestWorld()

    let tokens = try await test.signIn()

    #expect(tokens.tokenType == "DPoP")
    #expect(tokens.refreshToken != nil && tokens.idToken != nil)
    #expect(
      tokens.session.expiresAt == TestWorld.start.adding(seconds: test.client.policy[.session])
    )
  }

  @Test("T-10 the challenge says where the code went, masked")
  func challenge() async throws {
    let test = try await TestWorld()

    let answer = await test.begin()

    #expect(answer.code == .insufficientAuthorization)
    #expect(answer.challenge?.destination == "***-***-1234")
    #expect(answer.challenge?.expiresAt == TestWorld.start.adding(seconds: 300))
    #expect(answer.challenge?.resendAt == TestWorld.start.adding(seconds: 60))
    #expect(answer.challenge?.attemptsLeft == 5)
  }

  @Test("T-02 a wrong password sends nothing")
  func wrongPassword() async throws {
    let test = try await TestWorld()

    #expect(await test.begin("wrong") == Refusal(.invalidCredentials))
    _ = await test.code()
    #expect(test.messenger.messages.isEmpty)
  }

  @Test(
    "T-03 an unknown e-mail gets the same answers, including locks, for the same work",
    arguments: ["unknown@example.com", "not an address", "", "🔑"]
  )
  func unknown(_ username: String) async throws {
    let known = try await TestWorld()
    let unknown = try await TestWorld()
    let hashed = (known.passwords.verifications, unknown.passwords.verifications)

    for _ in 0..<7 {
      let one = await known.begin("wrong")
      let other = await unknown.begin("wrong", username: username)
      #expect(one == other)
    }
    #expect(known.passwords.verifications - hashed.0 == unknown.passwords.verifications - hashed.1)
    #expect(await unknown.begin("wrong", username: username).code == .accountLocked)
  }

  @Test(
    "T-03 R-02 an app that discloses reports an unknown e-mail, and counts and locks equally")
  func disclosed() async throws {
    let client = TestWorld.technicians { $0.policy.disclosure = .disclosed }
    let test = try await TestWorld(client: client)

    var codes: [ErrorCode] = []
    for _ in 0..<5 { codes.append(await test.begin("wrong", username: "unknown@example.com").code) }

    #expect(codes == Array(repeating: .accountNotRegistered, count: 4) + [.accountLocked])
    #expect(await test.begin("wrong").code == .invalidCredentials)
    #expect(test.messenger.messages.isEmpty)
  }

  @Test("L-09 spellings of an e-mail address share one counter")
  func spellings() async throws {
    let test = try await TestWorld()

    for name in ["tara@example.com", "TARA@example.com", " tara@Example.com", "Tara@example.com"] {
      #expect(await test.begin("wrong", username: name).code == .invalidCredentials)
    }
    #expect(await test.begin("wrong").code == .accountLocked)
  }

  @Test("T-04 a deactivated account learns it only after the right password")
  func deactivated() async throws {
    let test = try await TestWorld()
    try await test.setStatus(.deactivated)

    #expect(await test.begin("wrong") == Refusal(.invalidCredentials))
    #expect(await test.begin() == Refusal(.accountDeactivated))
    _ = await test.code()
    #expect(test.messenger.messages.isEmpty)
  }

  @Test("T-05 the fifth failure locks; the right password does not end the lockout, only time does")
  func lock() async throws {
    let test = try await TestWorld()
    for _ in 0..<4 { #expect(await test.begin("wrong").code == .invalidCredentials) }

    let fifth = await test.begin("wrong")
    #expect(fifth.code == .accountLocked)
    #expect(fifth.retryIn == 900)
    #expect(fifth.lockedUntil == TestWorld.start.adding(seconds: 900))
    #expect(await test.begin().code == .accountLocked)
    test.clock.advance(seconds: 900)
    #expect(await test.begin().code == .insufficientAuthorization)
  }

  @Test("L-01 two hundred wrong passwords at once are compared five times")
  func parallelWrong() async throws {
    let test = try await TestWorld()
    let before = test.passwords.verifications

    let answers = await test.whileTimePasses {
      await withTaskGroup(of: Refusal.self) { group in
        for _ in 0..<200 { group.addTask { await test.begin("wrong") } }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }

    #expect(test.passwords.verifications - before == 5)
    #expect(answers.count { $0.code == .invalidCredentials } == 4)
    #expect(answers.count { $0.code == .accountLocked } == 196)
  }

  @Test("L-01 two right passwords at once both succeed, with one message in total")
  func parallelRight() async throws {
    let test = try await TestWorld()
    for _ in 0..<4 { _ = await test.begin("wrong") }

    let answers = await test.whileTimePasses {
      async let one = test.begin()
      async let other = test.begin()
      return await [one, other]
    }

    #expect(answers.allSatisfy { $0.code == .insufficientAuthorization })
    _ = await test.code()
    #expect(test.messenger.messages.count == 1)
  }

  @Test("Right password again during the cooldown, same device: same code, no new message")
  func again() async throws {
    let test = try await TestWorld()
    let first = await test.begin()
    test.clock.advance(seconds: 10)

    let second = await test.begin()

    #expect(second.challenge == first.challenge)
    #expect(second.authSession != first.authSession)
    let code = await test.code()
    #expect(test.messenger.messages.count == 1)
    #expect(await success(try await test.answer(code, second.authSession)) != nil)
  }

  @Test("After the cooldown the right password sends a new code")
  func afterCooldown() async throws {
    let test = try await TestWorld()
    _ = await test.begin()
    _ = await test.code()
    test.clock.advance(seconds: 60)

    _ = await test.begin()

    _ = await test.code()
    #expect(test.messenger.messages.count == 2)
  }

  @Test("T-08 the cooldown of a code ends when the code is used", arguments: ["device", "another"])
  func usedCode(_ key: String) async throws {
    let test = try await TestWorld()
    _ = try await test.signIn(key: "device")

    let answer = await test.begin(key: key)

    #expect(answer.code == .insufficientAuthorization)
    _ = await test.code()
    #expect(test.messenger.messages.count == 2)
  }

  @Test("T-08 a wrong answer does not end the cooldown")
  func cooldownAfterWrongCode() async throws {
    let test = try await TestWorld()
    let first = await test.begin(key: "device")
    let code = await test.code()
    let wrong = code == "000000" ? "000001" : "000000"
    #expect(
      await refusal(try await test.answer(wrong, first.authSession, key: "device"))?.code
        == .invalidOTP)

    #expect(await test.begin(key: "another").code == .resendTooSoon)
  }

  @Test("L-13 a password over the limit is never right", arguments: [1024, 1025, 60_000])
  func longPassword(_ length: Int) async throws {
    let test = try await TestWorld()

    let answer = await test.begin(String(repeating: "a", count: length))

    #expect(answer == Refusal(.invalidCredentials))
  }

  @Test("A full hashing pool refuses and counts no failure")
  func overload() async throws {
    let test = try await TestWorld()
    test.passwords.isOverloaded = true

    for _ in 0..<10 { #expect(await test.begin("wrong").code == .temporarilyUnavailable) }

    test.passwords.isOverloaded = false
    #expect(await test.begin().challenge?.attemptsLeft == 5)
  }
}
