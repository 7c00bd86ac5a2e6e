public import SignInService
internal import Synchronization

/// The store for servers on several machines: one PostgreSQL database that all of them use.
///
/// Decisions about different subjects run at the same time, on one connection each. A decision that
/// `transact` has confirmed is as durable as the database makes a commit.
public final class PostgresStore: Store {
  /// How a configuration names this store.
  public static let kind = StoreKind("postgres", .server)

  private let deciders: PostgresWork
  private let readers: PostgresWork
  private let connector: PostgresConnector
  private let limits: PostgresLimits
  private let ledger = Mutex<PostgresProofLedger?>(nil)
  private let listener = Mutex<PostgresListener?>(nil)
  private let damage: DamageLog

  /// Connects to the database and creates or updates its tables.
  ///
  /// - Throws: `.unavailable` if the database cannot be reached. `.unusable` if it refuses the
  ///   tables, or if a newer program wrote them; the text says what to do.
  ///
  /// Without `keys`, no event can be added to a security log that already has a key.
  public convenience init(_ server: PostgresServer, keys: StoreKeys? = nil) throws(StoreFault) {
    try self.init(server, limits: PostgresLimits(), keys: keys)
  }

  init(
    _ server: PostgresServer, limits: PostgresLimits, keys: StoreKeys? = nil
  ) throws(StoreFault) {
    damage = DamageLog()
    let connection = try PostgresConnection(server, limits: limits, damage: damage)
    try server.checkEncoding(connection)
    try PostgresSchema.apply(to: connection, server)
    connector = PostgresConnector(server, limits: limits, damage: damage)
    self.limits = limits
    deciders = PostgresWork(connector, for: .writing, limits: limits, keys: keys)
    readers = PostgresWork(connector, for: .reading, limits: limits, keys: keys)
    deciders.start(threads: limits.deciders)
    readers.start(threads: limits.readers)
  }

  deinit { close() }

  public func transact<Answer: Sendable>(
    about subjects: [Subject],
    _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    try await run(decide, about: subjects, on: deciders)
  }

  public func read<Answer: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    try await read(about: [], body)
  }

  public func read<Answer: Sendable>(
    about subjects: [Subject],
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    try await run(body, about: subjects, on: readers)
  }

  private func run<Answer: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer,
    about subjects: [Subject], on work: PostgresWork
  ) async throws(StoreFault) -> Answer {
    let outcome = await withUnsafeContinuation { continuation in
      if let fault = work.enqueue(Decision(body, continuation), about: subjects) {
        continuation.resume(returning: .failure(fault))
      }
    }
    return try outcome.get()
  }

  /// The ledger of used proofs that all servers of this database share.
  ///
  /// `own` is the ledger of this server alone. The store closes the shared one with itself.
  public func sharedLedger(beside own: any ProofLedger) -> any ProofLedger {
    let shared = PostgresProofLedger(beside: own, connector, limits: limits)
    shared.start(threads: limits.ledgers)
    let earlier = ledger.withLock { ledger in
      defer { ledger = shared }
      return ledger
    }
    earlier?.close()
    return shared
  }

  /// Calls `act` soon after a server of this database has linked events, until the store is closed.
  ///
  /// It can miss events, so the caller must also look from time to time.
  public func followEvents(_ act: @escaping @Sendable () -> Void) {
    let new = PostgresListener(connector, limits: limits, act)
    let earlier = listener.withLock { listener in
      defer { listener = new }
      return listener
    }
    earlier?.close()
    new.start()
  }

  public var isDamaged: Bool { damageCount > 0 }

  /// The number of different problems that the database reported about its files.
  public var damageCount: Int { damage.problemCount }

  /// The number of times a record could not be read, because its content is not what this program
  /// writes.
  public var unreadableRecords: Int64 { damage.unreadableCount }

  /// Reports each problem that the database finds in its files, once.
  public func watchForDamage(_ report: @escaping @Sendable (String) -> Void) {
    damage.report(report)
  }

  /// Finishes the waiting decisions and reads, then closes the connections.
  ///
  /// Later calls throw `.unavailable`.
  public func close() {
    listener.withLock { $0 }?.close()
    ledger.withLock { $0 }?.close()
    readers.close()
    deciders.close()
    connector.close()
  }
}
