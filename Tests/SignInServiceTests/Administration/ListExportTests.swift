import CSVText
import SignInModel
import SignInTesting
import SignInWire
import Synchronization
import Testing

@testable import SignInService

@Suite("Lists that are saved as tables")
struct ListExportTests {
  /// Counts the decisions and the reads that a use case makes.
  private final class CountingStore: Store {
    let inner = MemoryStore()
    let decisions = Mutex(0)
    let reads = Mutex(0)

    func transact<Answer: Sendable>(
      about subjects: [Subject],
      _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
    ) async throws(StoreFault) -> Answer {
      decisions.withLock { $0 += 1 }
      return try await inner.transact(about: subjects, decide)
    }

    func read<Answer: Sendable>(
      _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
    ) async throws(StoreFault) -> Answer {
      reads.withLock { $0 += 1 }
      return try await inner.read(body)
    }
  }

  @Test("T-16 an export of several pages links the events once")
  func linksOnce() async throws {
    let store = CountingStore()
    let world = try await TestWorld.empty(store: store, clock: SimulatedClock(TestWorld.start))
    let caller = Caller(client: nil, peer: nil, proofKeyThumbprint: nil)
    let count = 2 * PageLimits.longest + 1
    try await store.inner.transact { (transaction) throws(StoreFault) in
      for _ in 0..<count {
        try transaction.record(.codeSent, about: nil, by: caller, at: TestWorld.start)
      }
    }
    _ = try await linkEvents(in: store.inner, at: TestWorld.start)

    let table = try await exportEventList(
      EventQuery(), about: nil, rules: .operatorCommand, in: world)

    // The header is a line, too.
    #expect(table.bytes.count { $0 == UInt8(ascii: "\n") } == count + 1)
    // The event of the export.
    #expect(store.decisions.withLock { $0 } == 1)
    // The check for unlinked events, and three pages.
    #expect(store.reads.withLock { $0 } == 4)
  }
}
