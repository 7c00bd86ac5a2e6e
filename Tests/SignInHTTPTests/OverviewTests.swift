import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

@Suite("The overview over HTTP")
struct OverviewTests {
  private static let caller = AccountEditingRules.operatorCommand.caller

  private func record(
    _ code: SecurityEvent.Code, about account: String?, daysAgo: Int64 = 0, at server: TestServer
  ) async throws {
    let at = server.clock.now().adding(seconds: -daysAgo * CalendarDay.daySeconds)
    try await server.world.store.transact { (transaction) throws(StoreFault) in
      try transaction.record(
        code, about: account.map { AccountID($0) }, by: Self.caller, at: at)
    }
  }

  private func overview(_ person: Person) async throws -> OverviewAnswer {
    let answer = await person.call(.get, Endpoint.adminOverview.path)
    return try #require(OverviewAnswer(json: answer.json))
  }

  @Test("T-16 the sign-in of an administrator is counted today, with its code")
  func signIn() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)

    let read = try await overview(admin)

    let today = try #require(read.days.last)
    #expect(today.day == CalendarDay(server.clock.now()))
    #expect(today.signIns == 1 && today.failures == 0 && today.locks == 0)
    #expect(today.codesSent == 1 && today.codesEntered == 1 && today.codesDelivered == 0)
    #expect(read.openSessions == 1 && read.organizations == nil)
    #expect(Int64(read.days.count) == OverviewLimits.days)
    #expect(read.days.dropLast().allSatisfy { $0.signIns == 0 })
  }

  @Test(
    "T-16 events of the last 14 days are counted: before, on and after the first day",
    arguments: [12, 13, 14] as [Int64])
  func days(_ daysAgo: Int64) async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    try await record(.locked, about: nil, daysAgo: daysAgo, at: server)

    let locks = try await overview(admin).days.map(\.locks)

    let index = Int(OverviewLimits.days - 1 - daysAgo)
    #expect(locks.reduce(0, +) == (index < 0 ? 0 : 1))
    if index >= 0 { #expect(locks[index] == 1) }
  }

  @Test("T-16 each kind of failure is counted, and other refusals are not")
  func failures() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    for code in [
      SecurityEvent.Code.passwordRefused, .codeRefused, .codeExpired, .providerRefused,
      .refusedTooOften, .sessionRefreshed,
    ] {
      try await record(code, about: "owner", at: server)
    }
    #expect(try await overview(admin).days.last?.failures == 4)
  }

  @Test("L-41 a folded refusal is counted as often as it happened")
  func folded() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let now = server.clock.now()
    try await server.world.store.transact { (transaction) throws(StoreFault) in
      try transaction.count(.failures, times: 40, on: CalendarDay(now), of: nil)
    }
    #expect(try await overview(admin).days.last?.failures == 40)
  }
}
