public import SignInModel
public import SignInService
internal import Synchronization

/// A store in memory that satisfies the same contract as a store on disk.
///
/// Its data ends with the process.
///
/// It has no thread. A decision runs on the caller, so that a simulated world can be repeated
/// exactly.
public final class MemoryStore: Store {
  private let state = Mutex(State())

  private struct State {
    var tables = MemoryTables()
    var outage: String?
    var databaseClock: DatabaseClock?
  }

  /// The clock of a database that is not on this machine.
  public typealias DatabaseClock = @Sendable () -> Instant

  /// Sees every commit with the tables before it, and may change what is stored.
  typealias Commit = @Sendable (_ before: MemoryTables, _ after: inout MemoryTables) -> Void

  private let commit: Commit
  private let eventKey: EventKey?

  public init(eventKey: EventKey? = nil) {
    self.eventKey = eventKey
    commit = { _, _ in }
  }

  /// Creates a store for simulated worlds.
  ///
  /// Their laws check every commit, and some planted defects change it.
  init(committing commit: @escaping Commit) {
    eventKey = nil
    self.commit = commit
  }

  /// The stored tables.
  var tables: MemoryTables {
    get { state.withLock { $0.tables } }
    set { state.withLock { $0.tables = newValue } }
  }

  /// Makes every call throw `.unavailable(reason)` until it is set to `nil`.
  public func setOutage(_ reason: String?) {
    state.withLock { $0.outage = reason }
  }

  /// Behaves like a database with a clock of its own from now on.
  public func setDatabaseClock(_ clock: @escaping DatabaseClock) {
    state.withLock { $0.databaseClock = clock }
  }

  public func transact<Answer: Sendable>(
    about subjects: [Subject],
    _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    let outcome = state.withLock { state -> Result<Answer, StoreFault> in
      if let reason = state.outage { return .failure(.unavailable(reason)) }
      // The decision works on a copy, which replaces the tables only if nothing was thrown.
      let transaction = MemoryTransaction(state.tables, mayWrite: true, eventKey: eventKey)
      transaction.databaseClock = state.databaseClock
      do throws(StoreFault) {
        let answer = try decide(transaction)
        var tables = transaction.tables
        checkSubjects(subjects, of: state.tables, tables)
        commit(state.tables, &tables)
        state.tables = tables
        return .success(answer)
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  public func read<Answer: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    let (tables, outage) = state.withLock { ($0.tables, $0.outage) }
    if let outage { throw .unavailable(outage) }
    return try body(MemoryTransaction(tables, mayWrite: false, eventKey: eventKey))
  }
}
