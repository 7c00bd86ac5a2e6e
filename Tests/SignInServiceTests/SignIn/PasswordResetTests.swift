import JSONText
import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

extension TestWorld {
  func forget(
    _ username: String = "tara@example.com", key: String? = nil
  ) async throws(Refusal) -> ResetAnswer {
    let request = PasswordResetRequest(
      client: client, username: username, proofKeyThumbprint: key, peer: Self.peer
    )
    return try await requestPasswordReset(request, in: world)
  }

  func reset(
    _ session: Secret?, _ code: String, to password: String = "a fresh start", key: String? = nil
  ) async throws(Refusal) -> Bool {
    try await choose(session, code, to: password, key: key) == .changed
  }

  func choose(
    _ session: Secret?, _ code: String, to password: String = "a fresh start", key: String? = nil
  ) async throws(Refusal) -> PasswordResetResult {
    let answer = PasswordResetAnswer(
      resetSession: session ?? Secret(""), code: Secret(code), password: Secret(password),
      proofKeyThumbprint: key, peer: Self.peer
    )
    return try await resetPassword(answer, in: world)
  }
}

@Suite("Password reset")
struct PasswordResetTests {
  @Test("T-11 a code by SMS and a new password; the old one is invalid and every session ended")
  func whole() async throws {
    let test = try await TestWorld()
    let tokens = try await test.signIn()

    let prompt = try #require(await success(try await test.forget()))
    let code = await test.code()
    #expect(prompt.challenge.destination == PhoneNumber.withoutDigits)
    #expect(test.messenger.messages.last?.text.revealed.contains("set a new password") == true)
    #expect(await success(try await test.reset(prompt.resetSession, code)) == true)

    #expect(
      await refusal(try await test.refresh(tokens.refreshToken))?.reason == "password_changed")
    #expect(await test.begin("right").code == .invalidCredentials)
    test.clock.advance(seconds: 60)
    #expect(await test.begin("a fresh start").code == .insufficientAuthorization)
    let codes = try await test.events().map(\.code)
    #expect(codes.dropFirst(3).prefix(3) == [.resetRequested, .passwordReset, .sessionEnded])
  }

  @Test("T-11 a code works once, and so does its session")
  func once() async throws {
    let test = try await TestWorld()
    let session = await success(try await test.forget())?.resetSession
    let code = await test.code()
    _ = await result(try await test.reset(session, code))

    #expect(await refusal(try await test.reset(session, code))?.code == .invalidSession)
    let again = await success(try await test.forget())?.resetSession
    #expect(await refusal(try await test.reset(again, code))?.code == .otpExpired)
  }

  @Test("T-11 one of several parallel resets with the right code succeeds")
  func parallel() async throws {
    let test = try await TestWorld()
    let session = await success(try await test.forget())?.resetSession
    let code = await test.code()

    let done = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<20 {
        let password = "fresh start \(number)"
        group.addTask { () async -> Bool in
          await success(try await test.reset(session, code, to: password)) != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }

    #expect(done == 1)
  }

  @Test("T-11 an unfinished sign-in with the old password cannot continue")
  func halfDone() async throws {
    let test = try await TestWorld()
    let waiting = await test.begin().authSession
    let signInCode = await test.code()
    let session = await success(try await test.forget())?.resetSession
    _ = await result(try await test.reset(session, await test.code()))

    #expect(await refusal(try await test.answer(signInCode, waiting))?.code == .invalidSession)
    #expect(await test.resend(waiting).code == .invalidSession)
  }

  @Test("T-11 a code for signing in does not reset, and a code for a reset does not sign in")
  func purposes() async throws {
    let test = try await TestWorld()
    let signIn = await test.begin().authSession
    let signInCode = await test.code()
    let session = await success(try await test.forget())?.resetSession
    let resetCode = await test.code()
    #expect(test.messenger.messages.count == 2)

    if signInCode != resetCode {
      #expect(await refusal(try await test.reset(session, signInCode))?.code == .invalidOTP)
      #expect(await refusal(try await test.answer(resetCode, signIn))?.code == .invalidOTP)
    }
    #expect(await success(try await test.answer(signInCode, signIn)) != nil)
    #expect(await success(try await test.reset(session, resetCode)) != nil)
  }

  @Test(
    "T-12 L-15 T-11 a reset's code is refused at 300.0 seconds exactly",
    arguments: [(299_999, true), (300_000, false), (300_001, false)] as [(Int64, Bool)]
  )
  func expiry(_ after: Int64, _ isAccepted: Bool) async throws {
    let test = try await TestWorld()
    let session = await success(try await test.forget())?.resetSession
    let code = await test.code()
    test.clock.advance(milliseconds: after)

    #expect((await success(try await test.reset(session, code)) != nil) == isAccepted)
  }

  @Test("L-05 T-11 during the cooldown the open challenge is returned again and nothing is sent")
  func cooldown() async throws {
    let test = try await TestWorld()
    let first = try #require(await success(try await test.forget(key: "own")))
    test.clock.advance(milliseconds: 59_999)
    let second = try #require(await success(try await test.forget(key: "own")))
    let code = await test.code()

    #expect(second.challenge == first.challenge)
    #expect(second.resetSession != first.resetSession)
    #expect(test.messenger.messages.count == 1)
    test.clock.advance(milliseconds: 1)
    let third = try #require(await success(try await test.forget(key: "own")))
    #expect(third.challenge.resendAt == TestWorld.start.adding(seconds: 120))
    let newer = await test.code()
    #expect(test.messenger.messages.count == 2)
    if newer != code {
      let late = await refusal(try await test.reset(first.resetSession, code, key: "own"))
      #expect(late?.code == .otpExpired)
      #expect(late?.superseded == .byNewerCode)
      #expect(late?.resendAt == TestWorld.start.adding(seconds: 120))
    }
    // A device may use the newer code in the reset that it began first.
    #expect(await success(try await test.reset(first.resetSession, newer, key: "own")) != nil)
  }

  @Test(
    "L-11 T-11 a reset code does not work in a reset of another device",
    arguments: [("own", "other"), (nil, nil), ("own", nil), (nil, "other")]
      as [(String?, String?)]
  )
  func otherDevice(_ first: String?, _ second: String?) async throws {
    let test = try await TestWorld()
    let one = try #require(await success(try await test.forget(key: first)))
    let other = try #require(await success(try await test.forget(key: second)))
    let code = await test.code()

    #expect(one.challenge == other.challenge)
    #expect(test.messenger.messages.count == 1)
    let refused = await refusal(try await test.reset(other.resetSession, code, key: second))
    #expect(refused?.code == .otpExpired)
    #expect(refused?.resendAt == TestWorld.start.adding(seconds: 60))
    #expect(
      await refusal(try await test.reset(other.resetSession, "000000", key: second)) == refused)
    #expect(await success(try await test.reset(one.resetSession, code, key: first)) != nil)
  }

  @Test("L-11 T-11 the first device learns that another device's reset code replaced its own")
  func replaced() async throws {
    let test = try await TestWorld()
    let one = try #require(await success(try await test.forget(key: "own")))
    let code = await test.code()
    test.clock.advance(seconds: 60)
    let other = try #require(await success(try await test.forget(key: "other")))
    let newer = await test.code()

    for typed in [code, newer] {
      let answer = await refusal(try await test.reset(one.resetSession, typed, key: "own"))
      #expect(answer?.code == .otpExpired)
      #expect(answer?.superseded == .byAnotherDevice)
    }
    #expect(await success(try await test.reset(other.resetSession, newer, key: "other")) != nil)
  }

  @Test("T-11 a locked account may be reset and is then open, and so may a stopped one")
  func opens() async throws {
    let test = try await TestWorld()
    while try await !test.isStopped() {
      if await test.begin("wrong").code == .accountLocked {
        test.clock.advance(seconds: test.client.policy[.longestLock])
      }
    }
    test.clock.advance(seconds: test.client.policy[.longestLock])
    #expect(await test.begin().code == .accountLocked)

    let prompt = try #require(await success(try await test.forget()))
    #expect(await success(try await test.reset(prompt.resetSession, await test.code())) != nil)

    #expect(try await test.lockout() == .open)
    #expect(await test.begin("a fresh start").code == .insufficientAuthorization)
  }

  @Test("T-11 L-03 wrong reset codes count on the account, lock it, and lock resets")
  func wrongCodes() async throws {
    let test = try await TestWorld()
    for _ in 0..<2 { _ = await test.begin("wrong") }
    let prompt = try #require(await success(try await test.forget()))
    #expect(prompt.challenge.attemptsLeft == 3)
    let right = await test.code()
    let wrong = await test.wrongCode()

    #expect(await refusal(try await test.reset(prompt.resetSession, wrong))?.attemptsLeft == 2)
    #expect(await refusal(try await test.reset(prompt.resetSession, "１２３４５６"))?.attemptsLeft == 1)
    let last = await refusal(try await test.reset(prompt.resetSession, wrong))
    #expect(last?.code == .accountLocked)
    #expect(last?.retryIn == 900)
    #expect(await refusal(try await test.reset(prompt.resetSession, right))?.code == .accountLocked)
    #expect(await refusal(try await test.forget())?.code == .accountLocked)
    #expect(await test.begin().code == .accountLocked)
    test.clock.advance(seconds: 900)
    #expect(await success(try await test.forget()) != nil)
  }

  @Test("L-01 two hundred wrong reset codes at once are compared five times")
  func parallelWrong() async throws {
    let test = try await TestWorld()
    let session = await success(try await test.forget())?.resetSession
    let wrong = await test.wrongCode()

    let codes = await withTaskGroup(of: ErrorCode?.self) { group in
      for _ in 0..<200 {
        group.addTask { () async -> ErrorCode? in
          await refusal(try await test.reset(session, wrong))?.code
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }

    #expect(codes.count { $0 == .invalidOTP } == 4)
    #expect(codes.count { $0 == .accountLocked } == 196)
    #expect(try await test.events().count { $0.code == .resetCodeRefused } == 5)
  }

  @Test(
    "T-11 L-12 T-03 an unknown account gets the same answers: form, waits, lockouts and events",
    arguments: ["unknown@example.com", "not an address", "🔑"]
  )
  func unknown(_ username: String) async throws {
    let known = try await TestWorld()
    let unknown = try await TestWorld()

    for (test, name) in [(known, "tara@example.com"), (unknown, username)] {
      let prompt = try #require(await success(try await test.forget(name)))
      _ = await result(try await test.forget(name))
      for _ in 0..<5 { _ = await result(try await test.reset(prompt.resetSession, "not a code")) }
      _ = await result(try await test.forget(name))
    }

    let ours = try #require(await success(try await fresh().forget()))
    let theirs = try #require(await success(try await fresh().forget(username)))
    #expect(ours.json.utf8.count == theirs.json.utf8.count)
    #expect(ours.challenge.resendAt == theirs.challenge.resendAt)
    #expect(ours.challenge.attemptsLeft == theirs.challenge.attemptsLeft)
    #expect(try await known.events().map(\.code) == unknown.events().map(\.code))
    #expect(try await unknown.events().allSatisfy { $0.account == nil })
    _ = await unknown.code()
    #expect(unknown.messenger.messages.isEmpty)
  }

  @Test("T-11 L-12 an unknown device sees no digits, for a known and an unknown address alike")
  func unknownDevice() async throws {
    let test = try await TestWorld()
    _ = try await test.signIn(key: "known")
    func destination(_ name: String, _ key: String?) async -> String? {
      let request = PasswordResetRequest(
        client: test.client, username: name, proofKeyThumbprint: key, peer: TestWorld.peer)
      test.clock.advance(seconds: 3600)
      return await success(try await requestPasswordReset(request, in: test.world))?
        .challenge.destination
    }
    for name in ["tara@example.com", "a@example.com", "+15550101234", "x"] {
      for key in [nil, "new"] {
        #expect(await destination(name, key) == "***-***-****", "\(name)")
      }
    }
    #expect(await destination("tara@example.com", "known") == "***-***-1234")
    #expect(await destination("a@example.com", "known") == "***-***-****")
    // The device is not known any more 180 days after its last sign-in.
    test.clock.advance(seconds: KnownDevice.retentionSeconds)
    #expect(await destination("tara@example.com", "known") == "***-***-****")
  }

  @Test("T-03 an app shows no digits of the number of an account that may not use it")
  func otherRole() async throws {
    let test = try await TestWorld()
    try await test.insert(administrator: "bea", .everything)
    let phone = try await test.store.read { transaction throws(StoreFault) in
      try transaction.account(AccountID("bea"))?.phone
    }

    let shown = await success(try await test.forget("bea@example.com"))?.challenge.destination

    #expect(shown != nil && shown != phone?.masked)
    _ = await test.code()
    #expect(test.messenger.messages.isEmpty)
  }

  @Test("T-04 T-11 L-05 a deactivated account gets no message and no different answer")
  func deactivated() async throws {
    let test = try await TestWorld()
    try await test.setStatus(.deactivated)

    let prompt = try #require(await success(try await test.forget()))

    _ = await test.code()
    #expect(test.messenger.messages.isEmpty)
    #expect(await refusal(try await test.reset(prompt.resetSession, "123456"))?.code == .invalidOTP)
  }

  @Test("L-17 T-11 deactivation between code and new password stops the reset")
  func deactivatedBetween() async throws {
    let test = try await TestWorld()
    let session = await success(try await test.forget())?.resetSession
    let code = await test.code()
    try await test.setStatus(.deactivated)

    #expect(await refusal(try await test.reset(session, code))?.code == .invalidOTP)
  }

  @Test("T-11 an app that discloses says that there is no account; one without passwords refuses")
  func disclosed() async throws {
    var client = TestWorld.technicians
    client.policy.disclosure = .disclosed
    let test = try await TestWorld(client: client)
    #expect(
      await refusal(try await test.forget("unknown@example.com"))?.code == .accountNotRegistered)
    #expect(await success(try await test.forget()) != nil)

    client.signIn = .phoneCode
    let riders = try await TestWorld(client: client)
    #expect(await refusal(try await riders.forget())?.code == .unauthorizedClient)
  }

  @Test(
    "T-11 an unacceptable password is refused before the code is used up",
    arguments: [
      ("1234567", .passwordTooShort), (String(repeating: "ab cd", count: 205), .passwordTooLong),
      ("Password123!", .passwordTooCommon), ("tara@example.com", .passwordTooCommon),
      ("Tara2026", .passwordTooCommon), ("fieldpass1", .passwordTooCommon),
    ] as [(String, ErrorCode)]
  )
  func refusedPasswords(_ password: String, _ code: ErrorCode) async throws {
    let test = try await TestWorld()
    let session = await success(try await test.forget())?.resetSession
    let right = await test.code()

    #expect(await refusal(try await test.reset(session, right, to: password))?.code == code)
    #expect(await success(try await test.reset(session, right)) != nil)
  }

  @Test("T-11 a reset that began with a key continues with that key only")
  func keys() async throws {
    let test = try await TestWorld()
    let session = await success(try await test.forget(key: "mine"))?.resetSession
    let code = await test.code()

    #expect(await refusal(try await test.reset(session, code))?.code == .invalidSession)
    #expect(
      await refusal(try await test.reset(session, code, key: "thief"))?.code == .invalidSession)
    #expect(await refusal(try await test.reset(Secret("made up"), code))?.code == .invalidSession)
    #expect(await success(try await test.reset(session, code, key: "mine")) != nil)
  }

  @Test(
    "A reset session is valid for half an hour",
    arguments: [(-1, .otpExpired), (0, .invalidSession), (1, .invalidSession)]
      as [(Int64, ErrorCode)]
  )
  func sessionLife(_ offset: Int64, _ code: ErrorCode) async throws {
    let test = try await TestWorld()
    let session = await success(try await test.forget())?.resetSession
    test.clock.advance(milliseconds: SignInLimits.attemptSeconds * 1000 + offset)

    #expect(await refusal(try await test.reset(session, await test.code()))?.code == code)
    await removeExpiredRecords(in: test.world)
    #expect(await refusal(try await test.reset(session, await test.code()))?.code == code)
  }

  @Test("A full hashing pool refuses a reset, and the code stays valid")
  func overload() async throws {
    let test = try await TestWorld()
    let session = await success(try await test.forget())?.resetSession
    let code = await test.code()
    test.passwords.isOverloaded = true

    #expect(await refusal(try await test.reset(session, code))?.code == .temporarilyUnavailable)
    test.passwords.isOverloaded = false
    #expect(await success(try await test.reset(session, code)) != nil)
  }

  private func fresh() async throws -> TestWorld { try await TestWorld() }
}

extension TestWorld {
  fileprivate func lockout() async throws -> Lockout {
    try await store.read { (transaction) throws(StoreFault) in
      try transaction.lockout(LockoutKey(AccountID("tara")))
    }
  }

  fileprivate func isStopped() async throws -> Bool {
    try await lockout().failuresInRow >= client.policy[.lockoutStop]
  }
}
