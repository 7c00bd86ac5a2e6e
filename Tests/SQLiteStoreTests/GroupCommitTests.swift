import CSQLite
import SignInModel
import SignInRules
import SignInService
import SignInTesting
import Testing
import Threads

@testable import SQLStore

@Suite("Group commit")
struct GroupCommitTests {
  private let folder = TemporaryFolder()

  private func store(_ change: (inout SQLiteLimits) -> Void = { _ in }) throws -> SQLiteStore {
    var limits = SQLiteLimits()
    change(&limits)
    return try SQLiteStore(directory: folder.path, readers: 1, limits: limits)
  }

  /// Runs `decisions` together.
  ///
  /// A first decision blocks the writer until all others wait.
  private func together(
    _ count: Int, in store: SQLiteStore,
    _ decide: @escaping @Sendable (Int, any Transaction) throws(StoreFault) -> Void
  ) async -> [StoreFault?] {
    let isOpen = Monitor(false)
    let isHeld = Monitor(false)
    return await withTaskGroup(of: (Int, StoreFault?).self) { group in
      group.addTask {
        let fault = await outcome(of: store) { _ in
          isHeld.withLock { $0 = true }
          isOpen.wait { $0 ? () : nil }
        }
        return (-1, fault)
      }
      while !isHeld.withLock({ $0 }) { await Task.yield() }
      for number in 0..<count {
        group.addTask {
          let fault = await outcome(of: store) { transaction throws(StoreFault) in
            try decide(number, transaction)
          }
          return (number, fault)
        }
      }
      while store.writer.waitingCount < count { await Task.yield() }
      isOpen.withLock { $0 = true }
      isOpen.wakeAll()
      return await group.reduce(into: []) { $0.append($1) }
        .sorted { $0.0 < $1.0 }.dropFirst().map { $0.1 }
    }
  }

  private func jobs(in store: SQLiteStore) async throws -> [Job] {
    try await store.read { transaction throws(StoreFault) in
      try transaction.jobs(of: AccountID("account"))
    }
  }

  @Test(
    "waiting decisions are committed together", arguments: [(1, 1), (32, 1), (33, 2), (64, 2)])
  func groups(_ count: Int, _ batches: Int) async throws {
    let store = try store { $0.batchLimit = 32 }

    let faults = await together(count, in: store) { number, transaction throws(StoreFault) in
      try transaction.save(numbered(number))
    }

    #expect(faults == Array(repeating: nil, count: count))
    #expect(store.writer.counts == Writer.Counts(batches: 1 + batches, decisions: 1 + count))
    #expect(try await jobs(in: store).count == count)
    store.close()
  }

  @Test("in one batch, a decision that throws undoes only its own writes")
  func undoesAlone() async throws {
    let store = try store()

    let faults = await together(30, in: store) { number, transaction throws(StoreFault) in
      try transaction.save(numbered(number))
      if number % 3 == 0 { throw .unavailable("number \(number)") }
    }

    #expect(store.writer.counts.batches == 2)
    #expect(faults == (0..<30).map { $0 % 3 == 0 ? .unavailable("number \($0)") : nil })
    let kept = (0..<30).filter { $0 % 3 != 0 }.map { numbered($0) }
    #expect(try await jobs(in: store) == kept)
    store.close()
  }

  @Test("L-16 in one batch, the next decision does not see the counts of one that throws")
  func countsApart() async throws {
    let store = try store()
    let key = ThrottleKey(.origin, digest: [1])

    let faults = await together(30, in: store) { number, transaction throws(StoreFault) in
      var throttle = try transaction.throttle(key)
      throttle.count(at: Instant(seconds: Int64(number)), under: [.hourly(50)])
      try transaction.save(throttle, for: key, quietFrom: Instant(seconds: 9999))
      if number % 3 == 0 { throw .unavailable("number \(number)") }
    }

    #expect(store.writer.counts.batches == 2)
    #expect(faults.compactMap { $0 }.count == 10)
    let left = try await store.read { transaction throws(StoreFault) in
      try transaction.throttle(key)
    }
    #expect(left.tallies.map(\.at.seconds).sorted() == (0..<30).filter { $0 % 3 != 0 })
    store.close()
  }

  @Test("no decision has a result before the commit; if it fails, all fail and nothing is stored")
  func failsTogether() async throws {
    let store = try store()
    // SQLite calls this hook before a commit. Any result but zero turns the commit into a rollback.
    sqlite3_commit_hook(store.writer.connection.handle, { _ in 1 }, nil)

    let faults = await together(8, in: store) { number, transaction throws(StoreFault) in
      try transaction.save(numbered(number))
      if number == 3 { throw .conflict }
    }

    for fault in faults {
      guard case .unavailable = fault else {
        Issue.record("expected .unavailable, found \(String(describing: fault))")
        continue
      }
    }
    #expect(try await jobs(in: store) == [])

    sqlite3_commit_hook(store.writer.connection.handle, nil, nil)
    try await store.transact { transaction throws(StoreFault) in
      try transaction.save(numbered(1))
    }
    #expect(try await jobs(in: store) == [numbered(1)])
    store.close()
  }

  @Test("a full disk fails the decisions in progress, and the store continues")
  func outlivesFullDisk() async throws {
    let store = try store()
    var pages = try RawDatabase(folder.database).number("PRAGMA page_count")
    pages += 2
    let handle = store.writer.connection.handle
    sqlite3_exec(handle, "PRAGMA max_page_count = \(pages)", nil, nil, nil)
    let big = String(repeating: "x", count: 100_000)

    let faults = await together(3, in: store) { number, transaction throws(StoreFault) in
      try transaction.save(numbered(number, place: number == 1 ? big : ""))
    }

    #expect(faults[1] != nil)
    let kept = try await jobs(in: store).map { $0.id }
    #expect(kept == (0..<3).filter { faults[$0] == nil }.map { "job-\($0)" })

    sqlite3_exec(handle, "PRAGMA max_page_count = 1000000", nil, nil, nil)
    try await store.transact { transaction throws(StoreFault) in
      try transaction.save(numbered(9))
    }
    #expect(try await jobs(in: store).contains(numbered(9)))
    #expect(try store.integrityProblems() == [])
    store.close()
  }

  @Test("a decision that ignores a full disk stores nothing")
  func leavesNothingAfterFullDisk() async throws {
    let store = try store()
    let pages = try RawDatabase(folder.database).number("PRAGMA page_count")
    let handle = store.writer.connection.handle
    sqlite3_exec(handle, "PRAGMA max_page_count = \(pages)", nil, nil, nil)
    let big = String(repeating: "x", count: 100_000)

    let fault = await outcome(of: store) { transaction throws(StoreFault) in
      do throws(StoreFault) { try transaction.save(numbered(1, place: big)) } catch {
        // Ignored on purpose: the next write must not be committed without this one.
      }
      try transaction.save(numbered(2))
    }

    #expect(fault == SQLTransaction.ended)
    #expect(try await jobs(in: store) == [])
    store.close()
  }

  @Test("a decision that only reads does not change the log")
  func readsWithoutWriting() async throws {
    let store = try store()
    try await store.transact { transaction throws(StoreFault) in
      try transaction.save(numbered(1))
    }
    let before = sqlite3_total_changes(store.writer.connection.handle)

    let faults = await together(5, in: store) { _, transaction throws(StoreFault) in
      _ = try transaction.jobs(of: AccountID("account"))
    }

    #expect(faults == [nil, nil, nil, nil, nil])
    #expect(sqlite3_total_changes(store.writer.connection.handle) == before)
    store.close()
  }

  @Test("the queue accepts as many decisions as its limit and no more")
  func boundsQueue() async throws {
    let limit = 5
    let store = try store { $0.queueLimit = limit }
    let refused = StoreFault.unavailable("the store has too much to write: try again in a moment")
    let beyond = Monitor<StoreFault?>(nil)

    // limit-1 and limit decisions wait behind the one that blocks the writer.
    for count in [limit - 1, limit] {
      let faults = await together(count, in: store) { number, _ throws(StoreFault) in }
      #expect(faults == Array(repeating: nil, count: count))
    }
    let before = store.writer.counts.decisions

    // limit+1: one decision blocks the writer, the queue is full, and one more decision arrives.
    let isOpen = Monitor(false)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { _ = await outcome(of: store) { _ in isOpen.wait { $0 ? () : nil } } }
      while store.writer.counts.decisions == before { await Task.yield() }
      for _ in 0..<limit { group.addTask { _ = await outcome(of: store) { _ in } } }
      while store.writer.waitingCount < limit { await Task.yield() }
      let fault = await outcome(of: store) { _ in }
      beyond.withLock { $0 = fault }
      isOpen.withLock { $0 = true }
      isOpen.wakeAll()
    }
    #expect(beyond.withLock { $0 } == refused)
    store.close()
  }

  @Test("while another process locks the database, decisions are unavailable; then they continue")
  func waitsForOthers() async throws {
    let store = try store { $0.busyMilliseconds = 20 }
    let other = try RawDatabase(folder.database)
    try other.run("BEGIN IMMEDIATE")

    let fault = await outcome(of: store) { transaction throws(StoreFault) in
      try transaction.save(numbered(1))
    }
    guard case .unavailable(let text) = fault else {
      Issue.record("expected .unavailable, found \(String(describing: fault))")
      return
    }
    #expect(text.contains("busy"))
    #expect(try await jobs(in: store) == [])

    try other.run("ROLLBACK")
    try await store.transact { transaction throws(StoreFault) in
      try transaction.save(numbered(1))
    }
    #expect(try await jobs(in: store) == [numbered(1)])
    store.close()
  }
}

/// The fault of a decision, or `nil`.
private func outcome(
  of store: SQLiteStore, _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Void
) async -> StoreFault? {
  do throws(StoreFault) {
    try await store.transact(decide)
    return nil
  } catch {
    return error
  }
}
