import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// Renewals are counted, and one event reports those of a day (L-58).
@Suite("Counted renewals")
struct SessionRenewalTests {
  private static let day = Throttle.Limit.daySeconds
  /// 00:00 UTC of a day after the start of the test world.
  private static let midnight = CalendarDay(TestWorld.start).number * day + day

  /// A session, with the clock at this second of the next day.
  private func begin(
    atSecond second: Int64
  ) async throws -> (test: TestWorld, token: Secret?, session: SessionID) {
    let test = try await TestWorld()
    let tokens = try await test.signIn()
    test.clock.set(Instant(seconds: Self.midnight + second))
    return (test, tokens.refreshToken, tokens.session.id)
  }

  private func renew(
    _ test: TestWorld, _ token: inout Secret?, _ times: Int, every seconds: Int64 = 300
  ) async throws {
    for number in 0..<times {
      if number > 0 { test.clock.advance(seconds: seconds) }
      token = try #require(await success(try await test.refresh(token))).refreshToken
    }
  }

  /// The events after the sign-in.
  private func events(_ test: TestWorld) async throws -> [SecurityEvent] {
    Array(try await test.events().dropFirst(3))
  }

  @Test("L-58 the renewals of a day write no event, and the next day's first one reports them")
  func nextDay() async throws {
    var (test, token, session) = try await begin(atSecond: 8 * 3600)
    try await renew(test, &token, 24)
    #expect(try await events(test) == [])
    #expect(try await test.session(session)?.renewals?.count == 24)

    test.clock.set(Instant(seconds: Self.midnight + Self.day + 60))
    try await renew(test, &token, 2)

    let event = try #require(try await events(test).first)
    #expect(try await events(test).count == 1)
    #expect(event.code == .sessionRefreshed && event.count == 24)
    #expect(event.detail == "2027-01-16T08:00:00Z/2027-01-16T09:55:00Z")
    #expect(event.account == AccountID("tara") && event.session == session)
    #expect(event.client == test.client.id && event.proofKeyThumbprint == "key")
    #expect(event.peer == nil)
    #expect(try await test.session(session)?.renewals?.count == 2)
    guard case .unbroken = try await verifyEvents(in: test.store) else {
      Issue.record("the chain is broken")
      return
    }
  }

  @Test("L-58 a day ends at midnight UTC", arguments: [(-1, 0), (0, 1), (1, 1)] as [(Int64, Int)])
  func midnight(_ second: Int64, _ reports: Int) async throws {
    var (test, token, _) = try await begin(atSecond: Self.day - 60)
    try await renew(test, &token, 1)

    test.clock.set(Instant(seconds: Self.midnight + Self.day + second))
    try await renew(test, &token, 1)

    let found = try await events(test)
    #expect(found.count == reports)
    // A single renewal has no number.
    #expect(found.allSatisfy { $0.count == nil })
  }

  @Test("L-58 the end of a session reports its renewals before the end")
  func end() async throws {
    var (test, token, session) = try await begin(atSecond: 0)
    try await renew(test, &token, 3)

    _ = try await endSessions(
      of: AccountID("tara"), rules: try await test.administrator(), in: test.world)

    let found = try await events(test).filter { $0.session == session }
    #expect(found.map(\.code) == [.sessionRefreshed, .sessionEnded])
    #expect(found.first?.count == 3)
    #expect(try await test.session(session)?.renewals == nil)
  }

  @Test(
    "L-58 renewals that nothing else reports are reported after a day and a half",
    arguments: [(0, 0), (1, 1)] as [(Int64, Int)])
  func unreported(_ second: Int64, _ reports: Int) async throws {
    var (test, token, session) = try await begin(atSecond: 100)
    try await renew(test, &token, 5)
    let kept = SignInLimits.renewalsUnreportedSeconds
    #expect(kept > Self.day)

    test.clock.set(Instant(seconds: Self.midnight + 100 + kept + second))
    await removeExpiredRecords(in: test.world)
    await removeExpiredRecords(in: test.world)

    #expect(try await events(test).map(\.count) == Array(repeating: 5, count: reports))
    #expect((try await test.session(session)?.renewals == nil) == (reports == 1))
    // The session continues with the same token.
    #expect(await success(try await test.refresh(token)) != nil)
  }

  @Test("L-58 an expired session is removed only after its renewals were reported")
  func removal() async throws {
    var (test, token, session) = try await begin(atSecond: 0)
    let session0 = try #require(try await test.session(session))
    // The last renewal is just before the end of the session.
    for _ in 0..<4 {
      test.clock.advance(seconds: 6 * Self.day)
      try await renew(test, &token, 1)
    }
    test.clock.set(session0.expiresAt.adding(seconds: -1))
    try await renew(test, &token, 1)

    test.clock.set(session0.expiresAt.adding(seconds: SignInLimits.retentionSeconds + 1))
    await removeExpiredRecords(in: test.world)
    #expect(try await test.session(session) != nil)
    test.clock.advance(seconds: SignInLimits.renewalsUnreportedSeconds)
    await removeExpiredRecords(in: test.world)

    #expect(try await test.session(session) == nil)
    #expect(try await events(test).reduce(0) { $0 + ($1.count ?? 1) } == 5)
  }

  @Test("L-58 a switch of the organization reports the renewals of the session that it ends")
  func organizations() async throws {
    var (test, token, session) = try await begin(atSecond: 0)
    try await test.setOrganizations(["north"])
    try await renew(test, &token, 2)

    _ = try #require(await success(try await test.refresh(token, organization: "north")))

    let found = try await events(test)
    #expect(found.first { $0.code == .sessionRefreshed }?.count == 2)
    #expect(found.first { $0.code == .sessionRefreshed }?.session == session)
  }

  @Test("L-10 L-58 a lost answer that is repeated, and a used token, are still events at once")
  func repeated() async throws {
    var (test, token, _) = try await begin(atSecond: 0)
    let first = token
    try await renew(test, &token, 1)
    _ = await result(try await test.refresh(first))
    #expect(try await events(test).map(\.code) == [.refreshRepeated])
    try await renew(test, &token, 1)
    _ = await result(try await test.refresh(first))

    #expect(
      try await events(test).map(\.code) == [
        .refreshRepeated, .reuseDetected, .sessionRefreshed, .sessionEnded,
      ])
    #expect(try await events(test)[2].count == 2)
  }
}
