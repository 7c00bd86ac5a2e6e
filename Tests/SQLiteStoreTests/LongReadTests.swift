import Glibc
import SignInModel
import SignInService
import SignInTesting
import Testing
import Threads

@testable import SQLStore

/// A long read, such as a search, delays no other request.
@Suite("Long reads")
struct LongReadTests {
  private let folder = TemporaryFolder()

  private func store(limit: Int, perAccount: Int = 8) throws -> SQLiteStore {
    var limits = SQLiteLimits()
    limits.longReadLimit = limit
    limits.longReadLimitPerAccount = perAccount
    return try SQLiteStore(directory: folder.path, readers: 1, limits: limits)
  }

  @Test("T-16 reads and decisions do not wait for a long read", .timeLimit(.minutes(1)))
  func runsBeside() async throws {
    let store = try store(limit: 1)
    let (hasBegun, isOpen) = (Monitor(false), Monitor(false))
    async let long = store.readLong(by: nil) { transaction throws(StoreFault) in
      hasBegun.withLock { $0 = true }
      isOpen.wait { $0 ? () : nil }
      return try transaction.account(AccountID("unknown")) == nil
    }
    while !hasBegun.withLock({ $0 }) { await Task.yield() }

    #expect(try await store.read { _ in 1 } == 1)
    #expect(try await store.transact { _ in 2 } == 2)

    isOpen.withLock { $0 = true }
    isOpen.wakeAll()
    #expect(try await long)
    store.close()
  }

  @Test("T-16 the system prefers other threads to the one of the long reads")
  func isInBackground() async throws {
    let store = try store(limit: 1)
    let (own, long) = (Self.niceness, try await store.readLong(by: nil) { _ in Self.niceness })

    #expect(long == max(own, WorkerThread.backgroundNiceness))
    #expect(Self.niceness == own)
    store.close()
  }

  @Test("as many long reads wait as their limit and no more", .timeLimit(.minutes(1)))
  func boundsQueue() async throws {
    let limit = 3
    let store = try store(limit: limit)
    let refused = StoreFault.unavailable("the store has too much to search: try again in a moment")
    let (hasBegun, isOpen) = (Monitor(false), Monitor(false))
    try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask {
        try await store.readLong(by: nil) { _ in
          hasBegun.withLock { $0 = true }
          isOpen.wait { $0 ? () : nil }
          return 0
        }
      }
      while !hasBegun.withLock({ $0 }) { await Task.yield() }
      // limit-1 and limit reads wait behind the one that blocks the thread.
      for number in 1...limit {
        group.addTask { try await store.readLong(by: nil) { _ in number } }
      }
      while store.longReads.waitingCount < limit { await Task.yield() }

      // limit+1
      await #expect(throws: refused) { try await store.readLong(by: nil) { _ in 9 } }

      isOpen.withLock { $0 = true }
      isOpen.wakeAll()
      var answers: [Int] = []
      for try await answer in group { answers.append(answer) }
      #expect(answers.sorted() == [0, 1, 2, 3])
    }
    store.close()
  }

  @Test("T-16 an account has its share of the waiting long reads", .timeLimit(.minutes(1)))
  func sharesQueue() async throws {
    let store = try store(limit: 5, perAccount: 2)
    let refused = StoreFault.unavailable(
      "an account has too many searches: try again in a moment")
    let (one, other) = (AccountID("one"), AccountID("other"))
    let (hasBegun, isOpen) = (Monitor(false), Monitor(false))
    try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask {
        try await store.readLong(by: one) { _ in
          hasBegun.withLock { $0 = true }
          isOpen.wait { $0 ? () : nil }
          return 0
        }
      }
      while !hasBegun.withLock({ $0 }) { await Task.yield() }
      // The one that runs does not wait. limit-1 and limit reads of the same account wait.
      for number in 1...2 { group.addTask { try await store.readLong(by: one) { _ in number } } }
      while store.longReads.waitingCount < 2 { await Task.yield() }

      // limit+1
      await #expect(throws: refused) { try await store.readLong(by: one) { _ in 9 } }
      // Other accounts and the operator have the other places.
      for number in 3...4 { group.addTask { try await store.readLong(by: other) { _ in number } } }
      group.addTask { try await store.readLong(by: nil) { _ in 5 } }
      while store.longReads.waitingCount < 5 { await Task.yield() }

      isOpen.withLock { $0 = true }
      isOpen.wakeAll()
      var answers: [Int] = []
      for try await answer in group { answers.append(answer) }
      #expect(answers.sorted() == [0, 1, 2, 3, 4, 5])
    }
    #expect(try await store.readLong(by: one) { _ in 6 } == 6)
    store.close()
  }

  @Test("a closed store refuses a long read")
  func closes() async throws {
    let store = try store(limit: 1)
    store.close()

    await #expect(throws: StoreFault.unavailable("the store is closed")) {
      try await store.readLong(by: nil) { _ in 1 }
    }
  }

  /// The niceness of the calling thread.
  private static var niceness: Int32 { getpriority(Int32(PRIO_PROCESS.rawValue), 0) }
}
