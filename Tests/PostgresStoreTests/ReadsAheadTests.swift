import SignInModel
import SignInRules
import SignInService
import SignInTesting
import StoreContract
import Testing

@testable import SQLStore

@Suite("Rows that are read together with the locks of a decision")
struct ReadsAheadTests {
  private let cluster: PostgresCluster
  private let account = AccountID("account")
  private let start = Instant(seconds: 1_800_000_000)

  init() throws { cluster = try PostgresCluster.shared.get() }

  private func device(_ key: String, seenAt second: Int64) -> KnownDevice {
    KnownDevice(
      account: account, proofKeyThumbprint: key, lastSeenAt: start.adding(seconds: second),
      hasProvedPassword: false)
  }

  private func attempt(_ digest: [UInt8]) -> SignInAttempt {
    SignInAttempt(
      digest: digest, account: account, client: ClientID("app"), proofKeyThumbprint: "key",
      pkceChallenge: "challenge", scope: "openid", nonce: nil, organization: nil,
      startedAt: start, expiresAt: start.adding(seconds: 600), progress: .awaitingCode)
  }

  @Test("a decision finds its own changes of rows that were read ahead")
  func findsOwnChanges() async throws {
    let store = try PostgresStore(cluster.emptySchema(), limits: .small)
    let (attempt, devices) = (attempt([1]), [device("one", seenAt: 1), device("two", seenAt: 2)])
    try await store.transact(about: [.account(account)]) { transaction throws(StoreFault) in
      try transaction.insert(attempt)
      for device in devices { try transaction.save(device) }
    }

    let found = try await store.transact(about: [.signInAttempt([1])]) {
      [account, seen = device("one", seenAt: 9)] transaction throws(StoreFault) in
      let before = try transaction.knownDevice(of: account, proofKeyThumbprint: "one")
      let missing = try transaction.knownDevice(of: account, proofKeyThumbprint: "three")
      try transaction.save(seen)
      try transaction.removeKnownDevice(of: account, proofKeyThumbprint: "two")
      let after = try transaction.knownDevices(of: account)
      var proved = attempt
      proved.progress = .proved(codeDigest: [2], expiresAt: attempt.expiresAt)
      try transaction.update(proved)
      return (
        before: before, missing: missing, after: after, seen: seen,
        attempt: try transaction.signInAttempt(digest: [1]), proved: proved
      )
    }

    #expect(found.before == devices[0] && found.missing == nil)
    #expect(found.after == [found.seen])
    #expect(found.attempt == found.proved)
    store.close()
  }

  @Test("rows of another account are not taken from the rows that were read ahead")
  func readsOtherAccounts() async throws {
    let store = try PostgresStore(cluster.emptySchema(), limits: .small)
    let (attempt, other) = (attempt([1]), AccountID("other"))
    try await store.transact(about: [.account(account), .account(other)]) {
      [start] transaction throws(StoreFault) in
      try transaction.insert(attempt)
      try transaction.save(
        KnownDevice(
          account: other, proofKeyThumbprint: "one", lastSeenAt: start, hasProvedPassword: true))
    }

    let device = try await store.transact(about: [.signInAttempt([1])]) {
      transaction throws(StoreFault) in
      try transaction.knownDevice(of: other, proofKeyThumbprint: "one")
    }

    #expect(device?.account == other)
    store.close()
  }

  @Test("a change of a missing row that is sent with the commit undoes the whole decision")
  func undoesAfterLateConflict() async throws {
    let store = try PostgresStore(cluster.emptySchema(), limits: .small)
    let (first, missing) = (attempt([1]), attempt([2]))

    await #expect(throws: StoreFault.conflict) {
      try await store.transact(about: [.account(first.account)]) {
        transaction throws(StoreFault) in
        try transaction.insert(first)
        try transaction.update(missing)
      }
    }

    let found = try await store.read { transaction throws(StoreFault) in
      try transaction.signInAttempt(digest: [1])
    }
    #expect(found == nil)
    store.close()
  }

  @Test("a read about a session finds it with its account and the policies in one round trip")
  func readsTogether() async throws {
    var schema = cluster.emptySchema()
    let trips = RoundTripCount()
    schema.roundTrips = trips
    var limits = PostgresLimits.small
    limits.readers = 1
    let store = try PostgresStore(schema, limits: limits)
    let person = Account(
      id: account, email: try EmailAddress(parsing: "person@example.com"), phone: nil,
      name: "Person", role: .technician, status: .active, passwordHash: nil, organizations: [],
      createdAt: start)
    let session = Session(
      id: SessionID("session"), account: account, client: ClientID("app"),
      proofKeyThumbprint: "key", scope: "openid", organization: nil, authenticationMethods: [],
      startedAt: start, expiresAt: start.adding(seconds: 60), lastUsedAt: start,
      refreshGeneration: 1, end: nil)
    try await store.transact(about: [.account(person.id)]) { transaction throws(StoreFault) in
      try transaction.insert(person)
      try transaction.insert(session)
    }
    func read(_ id: SessionID) async throws -> (Session?, Account?) {
      try await store.read(about: [.session(id)]) { transaction throws(StoreFault) in
        let found = try transaction.session(id)
        _ = try transaction.policyChanges(of: .client(ClientID("app")))
        _ = try transaction.policyChanges(of: .organization(OrganizationID("north")))
        guard let found else { return (nil, nil) }
        return (found, try transaction.account(found.account))
      }
    }
    // The first read connects.
    #expect(try await read(SessionID("unknown")).0 == nil)
    let before = trips.value

    let (found, owner) = try await read(session.id)

    #expect(found?.id == session.id && owner?.id == account)
    #expect(trips.value - before == 1)
    store.close()
  }

  @Test("rows of an account that was found and locked in the same round trip are read ahead")
  func findsAndLocks() async throws {
    var schema = cluster.emptySchema()
    let trips = RoundTripCount()
    schema.roundTrips = trips
    // A further connection has round trips of its own.
    var limits = PostgresLimits.small
    limits.deciders = 1
    let store = try PostgresStore(schema, limits: limits)
    let (attempt, device) = (attempt([1]), device("one", seenAt: 1))
    try await store.transact(about: [.account(account)]) { transaction throws(StoreFault) in
      try transaction.insert(attempt)
      try transaction.save(device)
    }
    let before = trips.value

    let found = try await store.transact(about: [.signInAttempt([1])]) {
      [account] transaction throws(StoreFault) in
      let found = try transaction.signInAttempt(digest: [1])
      let one = try transaction.knownDevice(of: account, proofKeyThumbprint: "one")
      let two = try transaction.knownDevice(of: account, proofKeyThumbprint: "two")
      return found == attempt && one == device && two == nil
    }

    #expect(found)
    // The locks with the reads, and the commit.
    #expect(trips.value - before == 2)
    store.close()
  }

  @Test("decisions about an account and about its sign-in attempt do not overlap")
  func locksAccounts() async throws {
    let schema = cluster.emptySchema()
    var limits = PostgresLimits.small
    limits.lockMilliseconds = 50
    let store = try PostgresStore(schema, limits: limits)
    let attempt = attempt([1])
    try await store.transact(about: [.account(account)]) { transaction throws(StoreFault) in
      try transaction.insert(attempt)
    }
    func connection() throws -> PostgresConnection {
      let connection = try PostgresConnection(schema, limits: limits, damage: DamageLog())
      connection.begin(for: .writing)
      return connection
    }
    let other = try connection()
    #expect(try other.lock([.account(account)]))
    try other.execute("SELECT 1")

    #expect(throws: StoreFault.self) { try connection().lock([.signInAttempt([1])]) }
    other.rollBack()
    let first = try connection()
    #expect(try first.lock([.signInAttempt([1])]))
    #expect(throws: StoreFault.self) {
      let second = try connection()
      _ = try second.lock([.account(account)])
      try second.execute("SELECT 1")
    }
    first.rollBack()
    store.close()
  }

  @Test(
    "the database makes the same number of a lock as the server",
    arguments: ["", "a", "?k2j-Zx_9", "01890a5d-ac96-774b-bcce-b302099a8057", "æøå €"])
  func lockNumbers(_ text: String) throws {
    let schema = cluster.emptySchema()
    let store = try PostgresStore(schema, limits: .small)
    let connection = try PostgresConnection(schema, limits: .small, damage: DamageLog())

    let number = try connection.first(
      "SELECT CAST(account_lock(?) AS text)", bind: { $0.bind(text) },
      read: { row in row.text() })

    #expect(number == String(PostgresConnection.number("account \(text)")))
    store.close()
  }

  @Test("counts of rate limits that are read together are those that were stored")
  func preparesThrottles() async throws {
    let store = try PostgresStore(cluster.emptySchema(), limits: .small)
    let keys = (1...3).map { ThrottleKey(.origin, digest: [$0]) }
    let throttle = Throttle(tallies: [.init(at: start, count: 2)])
    try await store.transact(about: []) { [start] transaction throws(StoreFault) in
      try transaction.save(throttle, for: keys[0], quietFrom: start)
      try transaction.save(throttle, for: keys[1], quietFrom: start)
    }

    let found = try await store.transact(about: []) { [start] transaction throws(StoreFault) in
      try transaction.prepareThrottles(keys)
      try transaction.save(.quiet, for: keys[1], quietFrom: start)
      return try keys.map { key throws(StoreFault) in try transaction.throttle(key) }
    }

    #expect(found == [throttle, .quiet, .quiet])
    store.close()
  }

  @Test(
    "a statement is read ahead by its first value",
    arguments: [
      (
        "SELECT a, b FROM t INDEXED BY i WHERE c = ? AND d = ?",
        "SELECT c, d, a, b FROM t WHERE c = $1"
      ),
      (
        "SELECT a FROM t WHERE c = ? AND b IS NULL ORDER BY a, b",
        "SELECT c, a FROM t WHERE c = $1 AND b IS NULL ORDER BY a, b"
      ),
      ("SELECT DISTINCT a FROM t WHERE c = ?", "SELECT DISTINCT c, a FROM t WHERE c = $1"),
      (
        "SELECT a FROM t WHERE c = ? ORDER BY a", "SELECT c, a FROM t WHERE c = $1 ORDER BY a"
      ),
    ])
  func derives(_ statement: StaticStringText, _ expected: String) {
    #expect(KeyedRead(statement.text)?.ahead == expected)
  }

  @Test(
    "a statement with another condition is not read ahead",
    arguments: [
      "SELECT a FROM t", "SELECT a FROM t WHERE c > ?", "SELECT a FROM t WHERE c = ? AND d < ?",
      "DELETE FROM t WHERE c = ?", "SELECT a FROM t WHERE c = ? LIMIT ?",
    ])
  func refuses(_ statement: StaticStringText) {
    #expect(KeyedRead(statement.text) == nil)
  }
}
