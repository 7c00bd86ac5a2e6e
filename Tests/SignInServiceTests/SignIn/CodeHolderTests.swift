import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Holders of codes")
struct CodeHolderTests {
  /// A world in which Tara signed in with the key `own`, a minute ago.
  private func known() async throws -> TestWorld {
    let test = try await TestWorld()
    _ = try await test.signIn(key: "own")
    test.clock.advance(seconds: 60)
    return test
  }

  private func begin(_ test: TestWorld, _ app: AppRegistration, key: String) async throws
    -> Refusal
  {
    if app.signIn == .passwordAndCode { return await test.begin(key: key) }
    return try await test.beginPhone(key: key)
  }

  private static let apps = [
    TestWorld.technicians, TestWorld.phoneApp(.disclosed), TestWorld.phoneApp(.concealed),
  ]

  @Test("L-39 a code for an unknown device leaves a known device's code unchanged", arguments: apps)
  func knownFirst(_ app: AppRegistration) async throws {
    let test = try await TestWorld(client: app)
    let first = try await begin(test, app, key: "own")
    let proved = await result(
      try await test.answer(await test.code(), first.authSession, key: "own"))
    _ = try await test.redeem(try #require(proved.value).revealed, key: "own")
    test.clock.advance(seconds: 60)
    let own = try await begin(test, app, key: "own")
    let code = await test.code()

    let other = try await begin(test, app, key: "unknown")

    #expect(other.code == .insufficientAuthorization)
    #expect(await test.messageCount() == 3)
    let otherCode = await test.code()
    #expect(
      await success(try await test.answer(otherCode, other.authSession, key: "unknown")) != nil)
    #expect(await success(try await test.answer(code, own.authSession, key: "own")) != nil)
  }

  @Test("L-39 a known device's request neither waits for unknown devices nor replaces their code")
  func unknownFirst() async throws {
    let test = try await known()
    let other = await test.begin(key: "unknown")
    let otherCode = await test.code()

    let own = await test.begin(key: "own")
    let code = await test.code()

    #expect(own.code == .insufficientAuthorization)
    #expect(
      await success(try await test.answer(otherCode, other.authSession, key: "unknown")) != nil)
    #expect(await success(try await test.answer(code, own.authSession, key: "own")) != nil)
  }

  @Test("L-11 a right password from another key while a code is open is resend_too_soon")
  func anotherKey() async throws {
    let test = try await TestWorld()
    let first = await test.begin(key: "one")
    let code = await test.code()
    test.clock.advance(seconds: 15)

    let second = await test.begin(key: "another")

    #expect(second.code == .resendTooSoon)
    #expect(second.retryIn == 45)
    #expect(second.authSession == nil && second.challenge == nil)
    #expect(await test.messageCount() == 1)
    #expect(await success(try await test.answer(code, first.authSession, key: "one")) != nil)
  }

  @Test(
    "L-11 after the cooldown another key's code replaces the first, and the first device learns it")
  func replaced() async throws {
    let test = try await TestWorld()
    let first = await test.begin(key: "one")
    let code = await test.code()
    test.clock.advance(seconds: 60)
    let second = await test.begin(key: "another")
    let newer = await test.code()

    for typed in [code, newer, "not a code"] {
      let answer = await refusal(try await test.answer(typed, first.authSession, key: "one"))
      #expect(answer?.code == .otpExpired)
      #expect(answer?.authSession == first.authSession)
      #expect(answer?.resendAt == TestWorld.start.adding(seconds: 120))
      #expect(answer?.superseded == .byAnotherDevice && answer?.reason == "another_device")
    }
    let status = await test.status(first.authSession, key: "one")
    #expect(status.code == .otpExpired)
    #expect(status.resendAt == TestWorld.start.adding(seconds: 120))
    #expect(status.superseded == .byAnotherDevice)
    #expect(await test.status(second.authSession, key: "another").challenge != nil)
    #expect(await test.resend(first.authSession, key: "one").code == .resendTooSoon)
    #expect(await success(try await test.answer(newer, second.authSession, key: "another")) != nil)
  }

  @Test("L-37 a concealed app reports a replaced code equally for unknown and known numbers")
  func replacedConcealed() async throws {
    var seen: [[ErrorCode]] = []
    var superseded: [[SupersededCode?]] = []
    for phone in [TestWorld.phone, TestWorld.unknownPhone] {
      let test = try await TestWorld(client: TestWorld.phoneApp(.concealed))
      let first = try await test.beginPhone(phone, key: "one")
      test.clock.advance(seconds: 60)
      _ = try await test.beginPhone(phone, key: "another")
      seen.append([
        await test.status(first.authSession, key: "one").code,
        await refusal(try await test.answer("not a code", first.authSession, key: "one"))?.code
          ?? .invalidRequest,
        await test.resend(first.authSession, key: "one").code,
      ])
      superseded.append([
        await test.status(first.authSession, key: "one").superseded,
        await refusal(try await test.answer("000000", first.authSession, key: "one"))?.superseded,
      ])
    }

    #expect(seen[0] == [.otpExpired, .otpExpired, .resendTooSoon])
    #expect(seen[1] == seen[0])
    #expect(superseded[0] == [.byAnotherDevice, .byAnotherDevice])
    #expect(superseded[1] == superseded[0])
  }

  // MARK: Devices that become known, or are forgotten

  @Test("L-39 the open code of a device stays with it when the device becomes known")
  func becomesKnown() async throws {
    let test = try await TestWorld()
    let first = await test.begin(key: "own")
    test.clock.advance(seconds: 30)
    let authorization = await result(
      try await test.answer(await test.code(), first.authSession, key: "own"))
    test.clock.advance(seconds: 30)
    let second = await test.begin(key: "own")
    let code = await test.code()
    let session = try #require(await success(try await test.forget(key: "own"))).resetSession
    let resetCode = await test.code()

    // From here the device is known.
    let authorizationCode = try #require(authorization.value).revealed
    #expect(await success(try await test.redeem(authorizationCode, key: "own")) != nil)

    for holder in [CodeChallenge.Holder.unknownDevices, .knownDevice("own")] {
      for purpose in [CodeChallenge.Purpose.signIn, .passwordReset] {
        let found = try await test.challenge(holder, purpose)
        let isLive = found?.isLive(at: test.clock.now())
        #expect(isLive == (holder != .unknownDevices), "\(holder) \(purpose)")
      }
    }
    #expect(await test.begin(key: "unknown").code == .resendTooSoon)
    #expect(await success(try await test.answer(code, second.authSession, key: "own")) != nil)
    #expect(await success(try await test.reset(session, resetCode, key: "own")) != nil)
  }

  @Test("T-08 after a completed sign-in a second device gets its code at once")
  func secondDevice() async throws {
    let test = try await TestWorld()
    _ = try await test.signIn(key: "own")

    for key in ["own", "unknown"] {
      #expect(await test.begin(key: key).code == .insufficientAuthorization)
    }
    // These codes were not used, so the cooldown applies again from here.
    #expect(await test.begin(key: "third").code == .resendTooSoon)
  }

  @Test(
    "L-37 if a number alone begins a sign-in, a used code does not show that the account exists")
  func usedConcealed() async throws {
    for (disclosure, expected) in [
      (AccountDisclosure.concealed, ErrorCode.resendTooSoon),
      (.disclosed, .insufficientAuthorization),
    ] {
      let test = try await TestWorld(client: TestWorld.phoneApp(disclosure))
      let first = try await test.beginPhone(key: "own")
      #expect(
        await success(try await test.answer(await test.code(), first.authSession, key: "own"))
          != nil)
      test.clock.advance(seconds: 15)

      let other = try await test.beginPhone(key: "another")

      #expect(other.code == expected, "\(disclosure)")
      #expect(other.retryIn == (expected == .resendTooSoon ? 45 : nil))
    }
  }

  @Test("L-39 a code that another unknown device replaced does not move with the first device")
  func replacedBefore() async throws {
    let test = try await TestWorld()
    let first = await test.begin(key: "own")
    test.clock.advance(seconds: 30)
    let authorization = await result(
      try await test.answer(await test.code(), first.authSession, key: "own"))
    let second = await test.begin(key: "unknown")
    let code = await test.code()

    let authorizationCode = try #require(authorization.value).revealed
    #expect(await success(try await test.redeem(authorizationCode, key: "own")) != nil)

    #expect(try await test.challenge(.knownDevice("own"), .signIn) == nil)
    #expect(await success(try await test.answer(code, second.authSession, key: "unknown")) != nil)
  }

  @Test("L-39 a forgotten device no longer has a code and counts as unknown")
  func forgotten() async throws {
    let test = try await known()
    _ = await test.begin(key: "own")
    test.clock.advance(seconds: 1)
    let session = try #require(await success(try await test.forget(key: "other"))).resetSession
    let done = await result(try await test.reset(session, await test.code(), key: "other"))
    #expect(done.refusal?.code == nil)
    #expect(done.value == true)

    #expect(try await test.challenge(.knownDevice("own"), .signIn) == nil)
    let began = await test.begin("a fresh start", key: "own")
    #expect(began.code == .insufficientAuthorization)
    #expect(try await test.challenge(.unknownDevices, .signIn)?.proofKeyThumbprint == "own")
  }

  @Test("The eleventh device removes the least recently used device and its code")
  func evicted() async throws {
    let test = try await known()
    let own = await test.begin(key: "own")
    let code = await test.code()
    for number in 0..<KnownDevice.limit {
      _ = try await test.signIn(key: "device-\(number)")
      test.clock.advance(milliseconds: 60_000 / Int64(KnownDevice.limit))
      // Each device gets a code at once, because a cooldown applies to its own device only.
      try await test.clearCooldown()
    }

    #expect(try await test.challenge(.knownDevice("own"), .signIn) == nil)
    #expect(
      await refusal(try await test.answer(code, own.authSession, key: "own"))?.code == .otpExpired)
  }
}

extension TestWorld {
  fileprivate func challenge(
    _ holder: CodeChallenge.Holder, _ purpose: CodeChallenge.Purpose
  ) async throws -> CodeChallenge? {
    let place = CodeChallenge.Key(account: AccountID("tara"), purpose: purpose, holder: holder)
    return try await store.read { (transaction) throws(StoreFault) in
      try transaction.codeChallenge(at: place)
    }
  }

  /// Ends the cooldown of the unknown devices.
  fileprivate func clearCooldown() async throws {
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.removeCodeChallenges(of: AccountID("tara"), heldBy: .unknownDevices)
    }
  }
}
