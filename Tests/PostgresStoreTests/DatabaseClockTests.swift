import HTTPServer
import SignInHTTP
import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import SystemPorts
import Testing

@testable import SQLStore

@Suite("The clock of the database")
struct DatabaseClockTests {
  private let cluster: PostgresCluster

  init() throws { cluster = try PostgresCluster.shared.get() }

  @Test("a database on the same machine has the same time")
  func sameMachine() async throws {
    let store = try PostgresStore(cluster.emptySchema(), limits: .small)

    let comparison = try await store.read { transaction throws(StoreFault) in
      try transaction.comparedClocks(with: MachineClock())
    }

    // Both clocks are rounded to milliseconds.
    #expect(abs(try #require(comparison).leastLeadMilliseconds) <= 2)
    store.close()
  }

  @Test(
    "a server is ready if its clock is that of the database, and not with another clock",
    arguments: zip([0, 3600] as [Int64], [200, 503]))
  func readiness(lead: Int64, status: Int) async throws {
    let store = try PostgresStore(cluster.emptySchema(), limits: .small)
    let server = try await CountedServer(store, at: Instant(seconds: 0))
    // The clock of the test does not move while the database answers.
    server.clock.set(MachineClock.wallClock.adding(seconds: lead).adding(milliseconds: 500))

    let answer = await server.handler.answer(
      HTTPRequest(method: .get, path: Endpoint.ready.path, fields: []))

    #expect(answer.status == status)
    #expect(String(decoding: answer.body, as: UTF8.self).contains("clock") == (status == 503))
    store.close()
  }
}
