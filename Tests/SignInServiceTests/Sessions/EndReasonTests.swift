import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// S-08: a device that returns gets the true reason.
@Suite("Reasons for the end of a session")
struct EndReasonTests {
  private func access(_ test: TestWorld, _ session: SessionID) async throws -> Access {
    let account = try await test.store.read { (transaction) throws(StoreFault) in
      try transaction.account(AccountID("tara"))
    }
    return Access(
      account: try #require(account), session: try #require(try await test.session(session)),
      client: test.client
    )
  }

  @Test("S-08 a session ended by an administrator was revoked")
  func administrator() async throws {
    let test = try await TestWorld()
    let token = try await test.signIn().refreshToken

    _ = try await endSessions(
      of: AccountID("tara"), rules: try await test.administrator(), in: test.world)

    #expect(await refusal(try await test.refresh(token))?.reason == "revoked")
  }

  @Test("S-08 signing out everywhere signs out here and revokes elsewhere")
  func everywhere() async throws {
    let test = try await TestWorld()
    let phone = try await test.signIn(key: "phone")
    test.clock.advance(seconds: 61)
    let tablet = try await test.signIn(key: "tablet")

    _ = try await endOwnSessions(
      try await access(test, phone.session.id), peer: nil, in: test.world
    )

    #expect(
      await refusal(try await test.refresh(phone.refreshToken, key: "phone"))?.reason
        == "signed_out")
    #expect(
      await refusal(try await test.refresh(tablet.refreshToken, key: "tablet"))?.reason == "revoked"
    )
  }

  @Test("S-08 ending one other session leaves a third unchanged")
  func oneOther() async throws {
    let test = try await TestWorld()
    var tokens: [TokenAnswer] = []
    for key in ["phone", "tablet", "desk"] {
      tokens.append(try await test.signIn(key: key))
      test.clock.advance(seconds: 61)
    }

    _ = try await endOwnSession(
      tokens[1].session.id, try await access(test, tokens[0].session.id), peer: nil, in: test.world
    )

    #expect(await success(try await test.refresh(tokens[0].refreshToken, key: "phone")) != nil)
    #expect(
      await refusal(try await test.refresh(tokens[1].refreshToken, key: "tablet"))?.reason
        == "revoked")
    #expect(await success(try await test.refresh(tokens[2].refreshToken, key: "desk")) != nil)
  }

  @Test("S-08 deactivation stays the reason after the account is active again")
  func deactivated() async throws {
    let test = try await TestWorld()
    let token = try await test.signIn().refreshToken
    for transition in [Account.Transition.deactivate, .reactivate] {
      _ = try await changeStatus(
        of: AccountID("tara"), by: transition, rules: try await test.administrator(),
        in: test.world
      )
    }

    #expect(await refusal(try await test.refresh(token))?.reason == "account_deactivated")
  }

  @Test("S-08 a password that an operator removes ends every session as changed")
  func forgotten() async throws {
    let test = try await TestWorld()
    let token = try await test.signIn().refreshToken

    _ = try await resetAccount(
      AccountID("tara"), password: nil, rules: try await test.administrator(), in: test.world)

    #expect(await refusal(try await test.refresh(token))?.reason == "password_changed")
  }

  @Test(
    "S-03 a session past its longest life has expired, even if an administrator ends it afterwards")
  func expiredBefore() async throws {
    let test = try await TestWorld()
    let tokens = try await test.signIn()
    test.clock.advance(seconds: test.client.policy[.session])

    _ = try await endSessions(
      of: AccountID("tara"), rules: try await test.administrator(), in: test.world)

    #expect(await refusal(try await test.refresh(tokens.refreshToken))?.reason == "expired")
  }

  @Test("S-03 a session that was deleted long after its end has expired")
  func forgottenSession() async throws {
    let test = try await TestWorld()
    let tokens = try await test.signIn()
    test.clock.advance(
      seconds: test.client.policy[.session] + SignInLimits.retentionSeconds + 1)
    await removeExpiredRecords(in: test.world)

    let answer = await refusal(try await test.refresh(tokens.refreshToken))

    #expect(try await test.session(tokens.session.id) == nil)
    #expect(answer?.reason == "expired")
  }

  @Test("S-08 a sign-in with the same key and app replaces the session of that key")
  func replaced() async throws {
    let test = try await TestWorld()
    let damaged = try await test.signIn(key: "own")
    let elsewhere = try await test.signIn(key: "another")

    let new = try await test.signIn(key: "own")

    let answer = await refusal(try await test.refresh(damaged.refreshToken, key: "own"))
    #expect(answer?.code == .invalidGrant && answer?.reason == "signed_out")
    #expect(await success(try await test.refresh(elsewhere.refreshToken, key: "another")) != nil)
    #expect(await success(try await test.refresh(new.refreshToken, key: "own")) != nil)
    let ended = try await test.events().filter { $0.code == .sessionEnded }
    #expect(ended.map(\.session) == [damaged.session.id] && ended.map(\.detail) == ["replaced"])
  }

  @Test("S-08 L-15 a session that began before the clock was set back is also replaced")
  func replacedAfterTheClockWasSetBack() async throws {
    let test = try await TestWorld()
    let known = try #require(try await test.session(try await test.signIn(key: "own").session.id))
    let later = known.startedAt.adding(seconds: 3600)
    let earlier = Session(
      id: SessionID("earlier"), account: known.account, client: known.client,
      proofKeyThumbprint: "own", scope: known.scope, organization: known.organization,
      authenticationMethods: known.authenticationMethods, startedAt: later,
      expiresAt: later.adding(seconds: 86_400), lastUsedAt: later, refreshGeneration: 0, end: nil
    )
    try await test.store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(earlier)
    }

    _ = try await test.signIn(key: "own")

    #expect(try await test.session(earlier.id)?.end == .replaced)
  }

  @Test("S-08 two parallel sign-ins on one device do not end each other")
  func replacedByNone() async throws {
    let test = try await TestWorld()
    let first = await test.begin(key: "own")
    let second = await test.begin(key: "own")
    test.clock.advance(seconds: 1)
    var sessions: [TokenAnswer] = []
    for (attempt, isFirst) in [(first, true), (second, false)] {
      if !isFirst { _ = await test.resend(attempt.authSession, key: "own") }
      let answer = await result(
        try await test.answer(await test.code(), attempt.authSession, key: "own"))
      let code = try #require(answer.value).revealed
      sessions.append(try #require(await success(try await test.redeem(code, key: "own"))))
    }

    for session in sessions {
      #expect(await success(try await test.refresh(session.refreshToken, key: "own")) != nil)
    }
  }

  @Test("S-08 the first reason stays")
  func first() async throws {
    let test = try await TestWorld()
    let token = try await test.signIn().refreshToken
    _ = try await revokeToken(
      RevocationRequest(client: test.client, token: token ?? Secret("")), in: test.world
    )

    _ = try await endSessions(
      of: AccountID("tara"), rules: try await test.administrator(), in: test.world)

    #expect(await refusal(try await test.refresh(token))?.reason == "signed_out")
  }
}
