import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Tokens and sessions")
struct TokenTests {
  @Test("L-18 a code used twice ends its session; with another mistake it is only refused")
  func replay() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    let code = try #require(await success(try await test.answer(await test.code(), session)))
      .revealed
    let other = String(repeating: "w", count: 43)

    #expect(await refusal(try await test.redeem(code, verifier: other))?.code == .invalidGrant)
    #expect(await refusal(try await test.redeem(code, key: "thief"))?.code == .invalidGrant)
    let tokens = try #require(await success(try await test.redeem(code)))
    #expect(await refusal(try await test.redeem(code, verifier: other))?.code == .invalidGrant)
    #expect(await success(try await test.refresh(tokens.refreshToken)) != nil)
    #expect(await refusal(try await test.redeem(code))?.code == .invalidGrant)
    #expect(await refusal(try await test.refresh(tokens.refreshToken))?.reason == "revoked")
  }

  @Test(
    "An authorization code lives one minute",
    arguments: [(59_999, true), (60_000, false)] as [(Int64, Bool)]
  )
  func codeLife(_ after: Int64, _ isAccepted: Bool) async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    let code = try #require(await success(try await test.answer(await test.code(), session)))
      .revealed
    test.clock.advance(milliseconds: after)

    #expect((await success(try await test.redeem(code)) != nil) == isAccepted)
  }

  @Test("L-10 a repeated lost answer has the same successor; the parent of a used token is reuse")
  func rotation() async throws {
    let test = try await TestWorld()
    let first = try await test.signIn().refreshToken

    let second = await success(try await test.refresh(first))?.refreshToken
    let again = await success(try await test.refresh(first))?.refreshToken
    #expect(second == again && second != first)
    let third = await success(try await test.refresh(second))?.refreshToken
    #expect(await refusal(try await test.refresh(first))?.reason == "reuse_detected")
    #expect(await refusal(try await test.refresh(third))?.reason == "reuse_detected")
  }

  @Test("L-10 two devices of one person never end each other")
  func twoDevices() async throws {
    let test = try await TestWorld()
    let phone = try await test.signIn(key: "phone")
    test.clock.advance(seconds: 61)
    let tablet = try await test.signIn(key: "tablet")

    #expect(await success(try await test.refresh(phone.refreshToken, key: "phone")) != nil)
    #expect(await success(try await test.refresh(tablet.refreshToken, key: "tablet")) != nil)
    #expect(
      await refusal(try await test.refresh(phone.refreshToken, key: "tablet"))?.code
        == .invalidGrant)
  }

  @Test("A session ends at its expiry, even if it is used", arguments: [true, false])
  func ends(_ isUsed: Bool) async throws {
    let test = try await TestWorld()
    var token = try await test.signIn().refreshToken
    let step = test.client.policy[.idle] - 1
    if isUsed {
      var passed: Int64 = 0
      while passed + step < test.client.policy[.session] {
        test.clock.advance(seconds: step)
        passed += step
        token = try #require(await success(try await test.refresh(token))).refreshToken
      }
      test.clock.advance(seconds: test.client.policy[.session] - passed)
    } else {
      test.clock.advance(seconds: test.client.policy[.idle])
    }

    #expect(await refusal(try await test.refresh(token))?.reason == "expired")
  }

  @Test("L-17 a deactivated account's refresh fails at once")
  func deactivated() async throws {
    let test = try await TestWorld()
    let token = try await test.signIn().refreshToken
    try await test.setStatus(.deactivated)

    #expect(await refusal(try await test.refresh(token))?.reason == "account_deactivated")
  }

  @Test("L-40 no lockout and no stop pauses an open session, even if its own device caused it")
  func lockedRefresh() async throws {
    let client = TestWorld.technicians { $0.policy[.lockoutStop] = 10 }
    let test = try await TestWorld(client: client)
    var tokens = try await test.signIn()
    for key in ["key", "unknown"] {
      for _ in 0..<5 { _ = await test.begin("wrong", key: key) }
      #expect(await test.begin(key: key).code == .accountLocked)
      tokens = try #require(await success(try await test.refresh(tokens.refreshToken)))
    }
    test.clock.advance(seconds: 900)

    #expect(await test.begin().code == .accountLocked)
    #expect(await success(try await test.refresh(tokens.refreshToken)) != nil)
  }

  @Test("Revoking either token ends the session; an unknown token gets the same answer")
  func revocation() async throws {
    let test = try await TestWorld()
    let tokens = try await test.signIn()
    let unknown = RevocationRequest(client: test.client, token: Secret("unknown"))
    #expect(await success(try await revokeToken(unknown, in: test.world))?.isKnown == false)

    let request = RevocationRequest(client: test.client, token: tokens.accessToken)
    #expect(await success(try await revokeToken(request, in: test.world))?.isKnown == true)

    #expect(await refusal(try await test.refresh(tokens.refreshToken))?.reason == "signed_out")
  }

  @Test("Refresh tokens of another origin are refused", arguments: ["", "a", "a.b.c", "a.0.x"])
  func forged(_ text: String) async throws {
    let test = try await TestWorld()

    #expect(await refusal(try await test.refresh(Secret(text)))?.code == .invalidGrant)
  }

  @Test("Finished sign-ins are deleted after their retention")
  func tidying() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession
    test.clock.advance(
      seconds: SignInLimits.attemptSeconds + SignInLimits.retentionSeconds + 1
    )

    await removeExpiredRecords(in: test.world)

    #expect(await refusal(try await test.answer("123456", session))?.code == .invalidSession)
    #expect(await ReadinessCheck().readiness(in: test.world) == .ready)
  }

  @Test(
    "A removal of expired records says whether a whole batch was removed",
    arguments: [
      (SignInLimits.removalBatch - 1, false), (SignInLimits.removalBatch, true),
      (SignInLimits.removalBatch + 1, true),
    ])
  func wholeBatch(count: Int, isWhole: Bool) async throws {
    let test = try await TestWorld()
    let now = test.clock.now()
    try await test.store.transact(about: [.expiredRecords]) { transaction throws(StoreFault) in
      for number in 0..<count {
        try transaction.useAssertion([UInt8(number & 255), UInt8(number >> 8)], until: now)
      }
    }
    test.clock.advance(seconds: 1)

    #expect(await removeExpiredRecords(in: test.world) == isWhole)
    #expect(await !removeExpiredRecords(in: test.world))
  }
}
