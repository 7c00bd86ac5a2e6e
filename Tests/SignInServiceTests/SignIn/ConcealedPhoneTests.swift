import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Unknown numbers in a concealed app")
struct ConcealedPhoneTests {
  /// Performs the same steps with a registered number and with an unknown one.
  private func both(
    _ change: (inout AppRegistration) -> Void = { _ in },
    _ walk: (TestWorld, String) async throws -> [Refusal]
  ) async throws -> (known: [Refusal], unknown: [Refusal], TestWorld) {
    let client = TestWorld.phoneApp(.concealed, change)
    let one = try await TestWorld(client: client)
    let other = try await TestWorld(client: client)
    return (
      try await walk(one, TestWorld.phone), try await walk(other, TestWorld.unknownPhone), other
    )
  }

  /// The parts of the answers that an attacker can compare: all but the handle and the typed
  /// number.
  private func seen(_ answers: [Refusal]) -> [Refusal] {
    answers.map { answer in
      var answer = answer
      answer.authSession = answer.authSession.map { Secret(String($0.revealed.utf8.count)) }
      answer.challenge = answer.challenge.map {
        CodePrompt(
          destination: String($0.destination.dropLast(4)), digits: $0.digits,
          expiresAt: $0.expiresAt, resendAt: $0.resendAt, attemptsLeft: $0.attemptsLeft
        )
      }
      return answer
    }
  }

  /// A code that was never sent.
  private func wrong(_ test: TestWorld) async -> String {
    await test.code() == "111111" ? "222222" : "111111"
  }

  @Test("T-03 wrong codes count down and lock equally, and so does every step after the lockout")
  func locks() async throws {
    let (known, unknown, _) = try await both { test, phone in
      var answers = [try await test.beginPhone(phone)]
      let session = answers[0].authSession
      let code = await wrong(test)
      for _ in 0..<6 {
        await refusal(try await test.answer(code, session)).map { answers.append($0) }
      }
      test.clock.advance(seconds: 61)
      answers.append(await test.resend(session))
      answers.append(try await test.beginPhone(phone))
      answers.append(try await test.beginPhone(phone, key: "another"))
      test.clock.advance(seconds: 900)
      answers.append(try await test.beginPhone(phone))
      return answers
    }

    #expect(seen(known) == seen(unknown))
    #expect(unknown.map(\.code)[1...4].allSatisfy { $0 == .invalidOTP })
    #expect(unknown.map(\.code)[5...9].allSatisfy { $0 == .accountLocked })
    #expect(unknown.last?.code == .insufficientAuthorization)
  }

  @Test("T-03 cooldown, resend and expiry are equal, and an unknown number gets no message")
  func resends() async throws {
    let (known, unknown, world) = try await both { test, phone in
      var answers = [try await test.beginPhone(phone)]
      let session = answers[0].authSession
      test.clock.advance(seconds: 15)
      answers.append(try await test.beginPhone(phone))
      answers.append(await test.resend(session))
      test.clock.advance(seconds: 45)
      answers.append(await test.resend(session))
      test.clock.advance(seconds: 300)
      let code = await wrong(test)
      await refusal(try await test.answer(code, session)).map { answers.append($0) }
      return answers
    }

    #expect(seen(known) == seen(unknown))
    #expect(
      unknown.map(\.code) == [
        .insufficientAuthorization, .resendTooSoon, .resendTooSoon, .insufficientAuthorization,
        .otpExpired,
      ])
    #expect(unknown[3].challenge?.destination == "***-***-9999")
    #expect(await world.messageCount() == 0)
  }

  @Test("T-03 the throttle of a number is equal")
  func throttled() async throws {
    let (known, unknown, _) = try await both { test, phone in
      var answers: [Refusal] = []
      for _ in 0..<6 {
        answers.append(try await test.beginPhone(phone))
        test.clock.advance(seconds: 60)
      }
      return answers
    }

    #expect(seen(known) == seen(unknown))
    #expect(unknown.last?.code == .rateLimited && unknown.last?.retryIn == 3300)
  }

  @Test("T-03 for an unknown number every code is wrong, even the one that was drawn")
  func guessed() async throws {
    // Four digits, so that all codes can be tried, and enough attempts that no lockout occurs.
    let test = try await TestWorld(
      client: TestWorld.phoneApp(.concealed) {
        $0.policy[.codeDigits] = 4
        $0.policy[.lockoutFailures] = 10_001
        $0.policy[.lockoutStop] = 10_001
      }
    )
    let session = try await test.beginPhone(TestWorld.unknownPhone).authSession

    for number in 0..<10_000 {
      let digits = String(String(10_000 + number).dropFirst())
      let answer = await refusal(try await test.answer(digits, session, from: nil))
      #expect(answer?.code == .invalidOTP)
    }
  }

  @Test("T-04 a deactivated person learns it after the right code and not before")
  func deactivated() async throws {
    let test = try await TestWorld(client: TestWorld.phoneApp(.concealed))
    try await test.setStatus(.deactivated)

    let began = try await test.beginPhone()
    let wrong = await refusal(try await test.answer(await test.wrongCode(), began.authSession))
    let right = await refusal(try await test.answer(await test.code(), began.authSession))

    #expect(began.code == .insufficientAuthorization)
    #expect(wrong?.code == .invalidOTP)
    #expect(right?.code == .accountDeactivated)
  }

  @Test("R-02 an app that is not concealed reports a deactivated account at the request")
  func disclosed() async throws {
    let test = try await TestWorld(client: TestWorld.phoneApp(.disclosed))
    try await test.setStatus(.deactivated)

    #expect(try await test.beginPhone().code == .accountDeactivated)
    #expect(await test.messageCount() == 0)
  }
}
