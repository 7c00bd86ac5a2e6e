import SignInModel
import SignInService
import Synchronization
import Testing

@testable import SQLStore

@Suite("Faults of PostgreSQL during a decision")
struct FaultTests {
  private let cluster: PostgresCluster

  init() throws { cluster = try PostgresCluster.shared.get() }

  /// How often a decision ran.
  private final class Runs: Sendable {
    private let state = Mutex(0)

    var count: Int { state.withLock { $0 } }

    func add() { state.withLock { $0 += 1 } }
  }

  private func administrator(_ server: PostgresServer) throws -> PostgresConnection {
    try PostgresConnection(server, limits: PostgresLimits(), damage: DamageLog())
  }

  /// Makes the first `count` attempts to store a job run `action` in the database.
  ///
  /// The counter of a sequence stays when a transaction is undone.
  private func disturb(
    _ server: PostgresServer, times count: Int, at moment: String = "BEFORE INSERT",
    by action: String
  ) throws {
    let isAtCommit = moment.hasPrefix("CONSTRAINT")
    try administrator(server).execute(
      """
      CREATE SEQUENCE disturbances;
      CREATE FUNCTION disturb() RETURNS trigger LANGUAGE plpgsql AS $function$
      BEGIN
        IF nextval('disturbances') <= \(count) THEN \(action); END IF;
        RETURN NEW;
      END $function$;
      CREATE \(isAtCommit ? "CONSTRAINT TRIGGER" : "TRIGGER") disturbed
        \(isAtCommit ? "AFTER INSERT ON jobs DEFERRABLE INITIALLY DEFERRED" : moment + " ON jobs")
        FOR EACH ROW EXECUTE FUNCTION disturb()
      """)
  }

  /// Stores two records of one account in one decision, and counts how often it runs.
  private func save(_ id: String, in store: PostgresStore, _ runs: Runs) async throws {
    let account = AccountID("account")
    try await store.transact(about: [.account(account)]) {
      (transaction: any Transaction) throws(StoreFault) in
      runs.add()
      let feed = try transaction.productFeed(of: account)
      try transaction.save(ProductFeed(owner: account, position: feed.position + 1, day: nil))
      try transaction.save(
        Job(
          id: id, account: account, title: "Title", customer: "Customer", place: "Place",
          startsAt: Instant(milliseconds: 0), endsAt: Instant(milliseconds: 1),
          status: .scheduled, version: 1))
      // A read finds what the statements before it did.
      _ = try transaction.jobs(of: account)
    }
  }

  /// The jobs, and how often a decision was stored.
  private func stored(in store: PostgresStore) async throws -> (jobs: [String], count: Int64) {
    try await store.read { (transaction: any Transaction) throws(StoreFault) in
      let account = AccountID("account")
      return (
        try transaction.jobs(of: account).map(\.id).sorted(),
        try transaction.productFeed(of: account).position
      )
    }
  }

  private func expectUnavailable(
    from store: PostgresStore, _ runs: Runs, _ reason: String = ""
  ) async {
    let fault = await #expect(throws: StoreFault.self) {
      try await save("first", in: store, runs)
    }
    guard case .unavailable(let why) = fault else {
      Issue.record("the outcome was \(String(describing: fault))")
      return
    }
    #expect(why.contains(reason))
  }

  @Test("a decision with a serialization failure is repeated, and takes effect once")
  func repeatsAfterSerializationFailure() async throws {
    let server = cluster.emptySchema()
    var limits = PostgresLimits.small
    limits.tries = 3
    let store = try PostgresStore(server, limits: limits)
    try disturb(server, times: 2, by: "RAISE EXCEPTION 'again' USING ERRCODE = '40001'")
    let runs = Runs()

    try await save("first", in: store, runs)

    #expect(runs.count == 3)
    #expect(try await stored(in: store) == (["first"], 1))
    store.close()
  }

  @Test("a decision with a serialization failure at each try is unavailable, and changes nothing")
  func endsRepeating() async throws {
    let server = cluster.emptySchema()
    var limits = PostgresLimits.small
    limits.tries = 3
    let store = try PostgresStore(server, limits: limits)
    try disturb(server, times: 3, by: "RAISE EXCEPTION 'again' USING ERRCODE = '40001'")
    let runs = Runs()

    await expectUnavailable(from: store, runs, "the database is busy")

    #expect(runs.count == 3)
    #expect(try await stored(in: store) == ([], 0))
    try await save("second", in: store, runs)
    #expect(try await stored(in: store) == (["second"], 1))
    store.close()
  }

  @Test("a decision with a serialization failure at its commit is repeated")
  func repeatsAfterFailedCommit() async throws {
    let server = cluster.emptySchema()
    let store = try PostgresStore(server, limits: .small)
    try disturb(
      server, times: 1, at: "CONSTRAINT", by: "RAISE EXCEPTION 'again' USING ERRCODE = '40001'")
    let runs = Runs()

    try await save("first", in: store, runs)

    #expect(runs.count == 2)
    #expect(try await stored(in: store) == (["first"], 1))
    store.close()
  }

  @Test("a decision with a statement that takes too long is refused, and changes nothing")
  func endsLongStatements() async throws {
    let server = cluster.emptySchema()
    var limits = PostgresLimits.small
    limits.statementMilliseconds = 200
    let store = try PostgresStore(server, limits: limits)
    try disturb(server, times: 1, by: "PERFORM pg_sleep(20)")
    let runs = Runs()

    await expectUnavailable(from: store, runs, "statement timeout")

    #expect(runs.count == 1)
    #expect(try await stored(in: store) == ([], 0))
    try await save("second", in: store, runs)
    #expect(try await stored(in: store) == (["second"], 1))
    store.close()
  }

  @Test("a decision whose connection ends before its commit is repeated")
  func repeatsAfterLostConnection() async throws {
    let server = cluster.emptySchema()
    let store = try PostgresStore(server, limits: .small)
    try disturb(server, times: 1, by: "PERFORM pg_terminate_backend(pg_backend_pid())")
    let runs = Runs()

    try await save("first", in: store, runs)

    #expect(runs.count == 2)
    #expect(try await stored(in: store) == (["first"], 1))
    store.close()
  }

  @Test("a decision whose connection ends at its commit is unavailable, and is never repeated")
  func neverRepeatsUnknownCommit() async throws {
    let server = cluster.emptySchema()
    let store = try PostgresStore(server, limits: .small)
    try disturb(
      server, times: 1, at: "CONSTRAINT", by: "PERFORM pg_terminate_backend(pg_backend_pid())")
    let runs = Runs()

    await expectUnavailable(from: store, runs, "the connection to the database was lost")

    #expect(runs.count == 1)
    #expect(try await stored(in: store) == ([], 0))
    try await save("second", in: store, runs)
    #expect(try await stored(in: store) == (["second"], 1))
    store.close()
  }

  /// A store behind a proxy, and the proxy.
  private func proxied() throws -> (store: PostgresStore, proxy: CuttingProxy) {
    let proxy = try CuttingProxy(to: cluster.port)
    var server = PostgresServer(
      host: "127.0.0.1", port: proxy.port, database: "postgres",
      credential: .init(
        user: "fieldpass", readPassword: { Secret(PostgresCluster.password) }),
      encryption: .none)
    server.schema = cluster.emptySchema().schema
    return (try PostgresStore(server, limits: .small), proxy)
  }

  @Test("a decision whose pipeline never reaches the database is repeated")
  func repeatsCutPipeline() async throws {
    let (store, proxy) = try proxied()
    let runs = Runs()
    proxy.cutOnce(.beforeServer, at: "BEGIN ISOLATION LEVEL READ COMMITTED")

    try await save("first", in: store, runs)

    #expect(proxy.cutCount == 1)
    #expect(try await stored(in: store) == (["first"], 1))
    store.close()
    proxy.close()
  }

  @Test("a pipeline whose answer is lost before the commit is repeated, and takes effect once")
  func repeatsLostAnswer() async throws {
    let (store, proxy) = try proxied()
    let runs = Runs()
    proxy.cutOnce(.beforeAnswer, at: "BEGIN ISOLATION LEVEL READ COMMITTED")

    try await save("first", in: store, runs)

    #expect(proxy.cutCount == 1)
    #expect(try await stored(in: store) == (["first"], 1))
    store.close()
    proxy.close()
  }

  @Test(
    "a commit whose answer is lost is unavailable and never repeated",
    arguments: [CuttingProxy.Cut.beforeAnswer, .beforeServer])
  func neverRepeatsLostCommit(_ cut: CuttingProxy.Cut) async throws {
    let (store, proxy) = try proxied()
    let runs = Runs()
    let expected = cut == .beforeAnswer ? ["first"] : []
    // The name of the isolation level begins with the same word.
    proxy.cutOnce(cut, at: "COMMIT\0")

    await expectUnavailable(from: store, runs, "the connection to the database was lost")

    #expect(runs.count == 1 && proxy.cutCount == 1)
    #expect(try await stored(in: store) == (expected, Int64(expected.count)))
    try await save("second", in: store, runs)
    #expect(try await stored(in: store).jobs == expected + ["second"])
    store.close()
    proxy.close()
  }
}
