import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Codes")
struct CodeTests {
  @Test("T-06 wrong codes count down, the fifth locks")
  func wrongCodes() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    let wrong = await test.wrongCode()

    for left: Int64 in [4, 3, 2, 1] {
      let answer = await refusal(try await test.answer(wrong, session))
      #expect(answer?.code == .invalidOTP)
      #expect(answer?.attemptsLeft == left)
      #expect(answer?.authSession == session)
    }
    #expect(await refusal(try await test.answer(wrong, session))?.code == .accountLocked)
    #expect(
      await refusal(try await test.answer(await test.code(), session))?.code == .accountLocked)
  }

  @Test("L-03 wrong passwords and wrong codes share one counter; a right password resets nothing")
  func sharedCounter() async throws {
    let test = try await TestWorld()
    for _ in 0..<3 { _ = await test.begin("wrong") }

    let challenge = await test.begin()

    #expect(challenge.challenge?.attemptsLeft == 2)
    let wrong = await test.wrongCode()
    #expect(await refusal(try await test.answer(wrong, challenge.authSession))?.attemptsLeft == 1)
    #expect(await test.begin().challenge?.attemptsLeft == 1)
    #expect(
      await refusal(try await test.answer(wrong, challenge.authSession))?.code == .accountLocked)
  }

  @Test(
    "T-12 L-15 a code is refused at 300.0 seconds exactly",
    arguments: [(299_999, true), (300_000, false)] as [(Int64, Bool)]
  )
  func expiry(_ after: Int64, _ isAccepted: Bool) async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    let code = await test.code()
    test.clock.advance(milliseconds: after)

    let outcome = await result(try await test.answer(code, session))

    #expect((outcome.value != nil) == isAccepted)
    if !isAccepted { #expect(outcome.refusal?.code == .otpExpired) }
  }

  @Test("T-08 a resend waits sixty seconds, sends a new code and gives no more attempts")
  func resending() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    let old = await test.code()
    _ = await result(try await test.answer(await test.wrongCode(), session))
    test.clock.advance(milliseconds: 15_001)

    let early = await test.resend(session)
    #expect(early.code == .resendTooSoon)
    #expect(early.retryIn == 45)
    test.clock.advance(milliseconds: 44_999)
    let answer = await test.resend(session)

    #expect(answer.code == .insufficientAuthorization)
    #expect(answer.challenge?.attemptsLeft == 4)
    #expect(answer.challenge?.resendAt == TestWorld.start.adding(seconds: 120))
    let new = await test.code()
    #expect(test.messenger.messages.count == 2)
    if old != new {
      #expect(await refusal(try await test.answer(old, session))?.code == .otpExpired)
    }
    #expect(await success(try await test.answer(new, session)) != nil)
  }

  @Test(
    "T-12 R-06 an earlier code is superseded at every moment of the newer one, and costs nothing",
    arguments: [(60, 61), (60, 299), (60, 301), (299, 359), (300, 301), (400, 401), (400, 699)]
      as [(Int64, Int64)])
  func superseded(resentAfter: Int64, typedAfter: Int64) async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    let old = await test.code()
    test.clock.advance(seconds: resentAfter)
    _ = await test.resend(session)
    let new = await test.code()
    guard old != new else { return }
    test.clock.advance(seconds: typedAfter - resentAfter)

    let late = try #require(await refusal(try await test.answer(old, session)))

    #expect(late.code == .otpExpired)
    #expect(late.superseded == .byNewerCode && late.reason == nil)
    #expect(late.resendAt == TestWorld.start.adding(seconds: resentAfter + 60))
    #expect(late.authSession == session)
    let wrong = await refusal(try await test.answer(await test.wrongCode(), session))
    #expect(wrong?.attemptsLeft == 4)
    #expect(await success(try await test.answer(new, session)) != nil)
  }

  @Test("T-12 R-06 after the end of the newest code every code is expired, and none superseded")
  func expiredAfterResend() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    let old = await test.code()
    test.clock.advance(seconds: 60)
    _ = await test.resend(session)
    let new = await test.code()
    test.clock.advance(seconds: 300)

    for typed in [old, new, await test.wrongCode()] {
      let late = await refusal(try await test.answer(typed, session))
      #expect(late?.code == .otpExpired)
      #expect(late?.superseded == nil && late?.reason == nil)
    }
  }

  @Test("A code is accepted once, even if several answers arrive together")
  func once() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    let code = await test.code()

    let accepted = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 {
        group.addTask { () async -> Bool in
          await success(try await test.answer(code, session)) != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }

    #expect(accepted == 1)
    #expect(await refusal(try await test.answer(code, session))?.code == .invalidSession)
  }

  @Test("L-01 two hundred wrong codes at once are compared five times")
  func parallelWrong() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    let wrong = await test.wrongCode()

    let codes = await withTaskGroup(of: ErrorCode?.self) { group in
      for _ in 0..<200 {
        group.addTask { () async -> ErrorCode? in
          await refusal(try await test.answer(wrong, session))?.code
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }

    #expect(codes.count { $0 == .invalidOTP } == 4)
    #expect(codes.count { $0 == .accountLocked } == 196)
  }

  @Test("L-11 a handle does not work with another key, after it expires, or if it was invented")
  func foreignSession() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    let code = await test.code()

    let stolen = await result(try await test.answer(code, session, key: "thief"))
    #expect(stolen.refusal?.code == .invalidSession)
    #expect(await refusal(try await test.answer(code, Secret("made up")))?.code == .invalidSession)
    #expect(await test.resend(session, key: "thief").code == .invalidSession)
    test.clock.advance(seconds: SignInLimits.attemptSeconds)
    #expect(await refusal(try await test.answer(code, session))?.code == .invalidSession)
  }

  @Test("L-17 deactivation between password and code, and between code and token, stops")
  func deactivatedBetween() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    let code = await test.code()

    try await test.setStatus(.deactivated)
    #expect(await refusal(try await test.answer(code, session))?.code == .accountDeactivated)
    #expect(await test.resend(session).code == .accountDeactivated)
    try await test.setStatus(.active)
    let authorization = try #require(await success(try await test.answer(code, session)))
    try await test.setStatus(.deactivated)

    let refused = await refusal(try await test.redeem(authorization.revealed))
    #expect(refused?.code == .invalidGrant)
    #expect(refused?.reason == "account_deactivated")
  }

  @Test("L-02 a lockout between code and token stops the redemption")
  func lockedBetween() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    let code = try #require(await success(try await test.answer(await test.code(), session)))
    for _ in 0..<5 { _ = await test.begin("wrong") }

    #expect(await refusal(try await test.redeem(code.revealed))?.code == .accountLocked)
  }

  @Test("L-05 a locked account gets no message")
  func lockedGetsNothing() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    for _ in 0..<5 { _ = await test.begin("wrong") }
    test.clock.advance(seconds: 61)

    #expect(await test.resend(session).code == .accountLocked)
    #expect(await test.begin().code == .accountLocked)
    _ = await test.code()
    #expect(test.messenger.messages.count == 1)
  }

  @Test("L-13 malformed codes are wrong answers; spaces in a pasted code are not")
  func oddCodes() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    let code = await test.code()

    #expect(await refusal(try await test.answer("１２３４５６", session))?.code == .invalidOTP)
    #expect(await refusal(try await test.answer("🔑\u{0}", session))?.code == .invalidOTP)
    let spaced = " \(code.prefix(3)) \(code.suffix(3)) "
    #expect(await success(try await test.answer(spaced, session)) != nil)
  }
}
