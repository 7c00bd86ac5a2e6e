import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Filters of the security log")
struct EventQueryTests {
  private static let start = Instant(seconds: 1_000_000)
  private static let caller = Caller(client: nil, peer: nil, proofKeyThumbprint: nil)

  /// A log with an event at each of these seconds after the start.
  private func log(_ seconds: [Int64]) async throws -> MemoryStore {
    let store = MemoryStore()
    try await store.transact { (transaction) throws(StoreFault) in
      for second in seconds {
        try transaction.record(
          .codeSent, about: nil, by: Self.caller, at: Self.start.adding(seconds: second))
      }
    }
    _ = try await linkEvents(in: store, at: Self.start)
    return store
  }

  private func numbers(
    _ store: MemoryStore, from: Int64?, until: Int64?
  ) async throws -> Range<Int64> {
    let period = Period(
      from: from.map { Self.start.adding(seconds: $0) },
      until: until.map { Self.start.adding(seconds: $0) })
    return try await store.read { (transaction) throws(StoreFault) in
      try EventSearch.numbers(of: period, transaction)
    }
  }

  @Test("T-16 a period needs the events in it, and those of an hour on each side")
  func numbers() async throws {
    let hour = EventSearch.clockDifferenceSeconds
    let store = try await log((0..<100).map { $0 * hour })

    #expect(try await numbers(store, from: 50 * hour, until: nil) == 50..<101)
    #expect(try await numbers(store, from: 50 * hour + 1, until: nil) == 51..<101)
    #expect(try await numbers(store, from: nil, until: 50 * hour) == 1..<52)
    #expect(try await numbers(store, from: nil, until: 50 * hour - 1) == 1..<52)
    #expect(try await numbers(store, from: nil, until: 49 * hour) == 1..<51)
    #expect(try await numbers(store, from: 20 * hour, until: 22 * hour) == 20..<24)
    #expect(try await numbers(store, from: 500 * hour, until: nil).isEmpty)
    #expect(try await numbers(store, from: nil, until: -2 * hour).isEmpty)
    #expect(try await numbers(store, from: 30 * hour, until: 20 * hour).isEmpty)
  }

  @Test("T-16 a log that was cut or is empty has no numbers before its start")
  func cut() async throws {
    let hour = EventSearch.clockDifferenceSeconds
    let store = try await log((0..<10).map { $0 * hour })
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.removeEvents(at: LogStart(sequence: 4, hash: SecurityEvent.firstLink))
    }
    #expect(try await numbers(store, from: 0, until: nil) == 5..<11)
    #expect(try await numbers(store, from: nil, until: 6 * hour) == 5..<8)
    let empty = try await log([])
    #expect(try await numbers(empty, from: 0, until: 5) == EventSearch.everyNumber)
  }

  @Test("T-16 the kind of failed sign-ins has exactly the events that the overview counts")
  func failures() {
    let every = Set(EventKind.allCases.flatMap(\.codes))
    #expect(Set(EventKind.failures.codes) == every.filter { $0.dailyCount == .failures })
    #expect(Set(EventKind.locks.codes).isSuperset(of: every.filter { $0.dailyCount == .locks }))
  }

  @Test("T-16 no kind has a code twice", arguments: EventKind.allCases)
  func codes(_ kind: EventKind) {
    #expect(!kind.codes.isEmpty && Set(kind.codes).count == kind.codes.count)
  }
}
