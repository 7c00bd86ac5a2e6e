import Cryptography
import SignInModel
import Synchronization
import Testing

@testable import SignInService
@testable import SignInTesting

@Suite("Signing keys that several servers share")
struct SharedSigningKeysTests {
  /// The table of a database.
  private final class KeyTable: SigningKeyStore {
    let log = MemoryStore(
      eventKey: Keyring.storeKeys(master: [UInt8](repeating: 8, count: 32)).events)
    /// Runs before each change, like the wait for other decisions.
    nonisolated(unsafe) var beforeChange: () -> Void = {}
    private let rows = Mutex<[SealedSigningKey]>([])

    func signingKeys() async throws(StoreFault) -> [SealedSigningKey] { rows.withLock { $0 } }

    func changeSigningKeys<Answer: Sendable>(
      _ change:
        @escaping @Sendable (
          _ keys: inout [SealedSigningKey], _ records: any SigningKeyRecords
        ) throws(StoreFault) -> Answer
    ) async throws(StoreFault) -> Answer {
      beforeChange()
      return try await log.transact(about: [.installation]) {
        [self] (transaction) throws(StoreFault) in
        var keys = rows.withLock { $0 }
        guard let records = transaction as? any SigningKeyRecords else {
          preconditionFailure("a transaction in memory reads reports of servers")
        }
        let answer = try change(&keys, records)
        rows.withLock { $0 = keys }
        return answer
      }
    }

    var events: [SecurityEvent.Code] {
      get async throws {
        _ = try await linkEvents(in: log, at: Instant(seconds: 0))
        return try await log.read { (transaction) throws(StoreFault) in
          try transaction.events(after: 0, limit: 10).map(\.code)
        }
      }
    }
  }

  private let table = KeyTable()
  private let now = Instant(milliseconds: 1_000_400)
  private let own = SigningKeys.Key(SigningKey.generate())
  private let least = SharedSigningKeys.minimumPublishedSeconds

  private func shared(master: UInt8 = 7) -> SharedSigningKeys {
    SharedSigningKeys(
      in: table, keys: Keyring.storeKeys(master: [UInt8](repeating: master, count: 32)))
  }

  private func rotate(at now: Instant) async throws -> SharedSigningKeys.Rotation {
    try await shared().rotate(publishedSeconds: least, clock: SimulatedClock(now))
  }

  @Test("The keys of the first server are taken over, with their ends, and all others use them")
  func takesOver() async throws {
    let earlier = SigningKeys.Key(SigningKey.generate(), signsUntil: Instant(seconds: 900))

    let first = try await shared().loadOrStore([own, earlier])
    let second = try await shared().loadOrStore([SigningKeys.Key(SigningKey.generate())])

    guard case .stored = first, case .found = second else {
      Issue.record("only the first server stores its keys")
      return
    }
    for found in [first.keys, second.keys, try await shared().read()] {
      #expect(Set(found.map(\.id)) == [own.id, earlier.id])
      #expect(found.first { $0.id == earlier.id }?.signsUntil == Instant(seconds: 900))
      #expect(found.first { $0.id == own.id }?.signsUntil == nil)
    }
    #expect(try await table.events.isEmpty)
  }

  @Test("The stored key is sealed with the master key and bound to its identifier")
  func sealed() async throws {
    _ = try await shared().loadOrStore([own])
    let stored = try #require(try await table.signingKeys().first)
    let pem = Array(own.signing.pem.utf8)

    #expect(stored.sealed.firstRange(of: pem) == nil && stored.sealed.count > pem.count)
    await #expect(throws: StoreFault.self) { try await shared(master: 8).read() }
    try await table.changeSigningKeys { (keys, _) throws(StoreFault) in
      keys = [SealedSigningKey(id: "another", sealed: stored.sealed, signsUntil: nil)]
    }
    await #expect(throws: StoreFault.self) { try await shared().read() }
  }

  @Test("Keys of which none or two have no end are not used")
  func oneLastKey() async throws {
    _ = try await shared().loadOrStore([own])
    let last = try #require(try await table.signingKeys().first)
    var ended = last
    ended.signsUntil = now
    for wrong in [[ended], [last, last]] {
      try await table.changeSigningKeys { (keys, _) throws(StoreFault) in keys = wrong }
      await #expect(throws: StoreFault.self) { try await shared().read() }
    }
  }

  @Test("A new key signs after every server has had the time to read it, and is recorded")
  func rotates() async throws {
    _ = try await shared().loadOrStore([own])

    guard case .rotated(let key, let start, let end) = try await rotate(at: now) else {
      Issue.record("the keys were not rotated")
      return
    }

    #expect(start == Instant(seconds: 1001 + least))
    #expect(end == start.adding(seconds: SigningKeys.overlapSeconds))
    let keys = SigningKeys(try await shared().read())
    #expect(keys.accepted(at: now).map(\.id) == [key.id, own.id])
    #expect(keys.current(at: start.adding(milliseconds: -1)).id == own.id)
    #expect(keys.current(at: start).id == key.id)
    #expect(try await table.events == [.signingKeyRotated])
  }

  @Test("The next rotation waits until the newest key signs", arguments: [-1, 0, 1] as [Int64])
  func waits(_ more: Int64) async throws {
    _ = try await shared().loadOrStore([own])
    guard case .rotated(_, let start, _) = try await rotate(at: now) else {
      Issue.record("the keys were not rotated")
      return
    }

    let second = try await rotate(at: start.adding(milliseconds: more))

    if case .tooEarly(let until) = second {
      #expect(until == start && more < 0)
    } else {
      #expect(more >= 0)
      #expect(try await shared().read().count == 3)
    }
  }

  @Test("A key is removed when its last token expires", arguments: [-1, 0] as [Int64])
  func removes(_ more: Int64) async throws {
    let earlier = SigningKeys.Key(SigningKey.generate(), signsUntil: now)
    _ = try await shared().loadOrStore([own, earlier])
    let end = now.adding(seconds: SigningKeys.overlapSeconds).adding(milliseconds: more)

    try await shared().removeEnded(at: end)

    #expect(try await shared().read().count == (more < 0 ? 2 : 1))
  }

  @Test("After a leak one new key remains, which signs at once")
  func replaces() async throws {
    _ = try await shared().loadOrStore([own])
    _ = try await rotate(at: now)

    let (key, start) = try await shared().replace(clock: SimulatedClock(now))

    let found = try await shared().read()
    #expect(found.map(\.id) == [key.id] && found[0].signsUntil == nil && start == now)
    #expect(try await table.events == [.signingKeyRotated, .signingKeyRotated])
  }

  @Test("The end of a key is sealed with it: a changed end is not used", arguments: [0, 900])
  func sealedEnd(_ end: Int64) async throws {
    let earlier = SigningKeys.Key(SigningKey.generate(), signsUntil: Instant(seconds: 901))
    _ = try await shared().loadOrStore([own, earlier])
    let sealed = try await table.signingKeys()

    try await table.changeSigningKeys { (keys, _) throws(StoreFault) in
      for index in keys.indices where keys[index].signsUntil != nil {
        keys[index].signsUntil = Instant(seconds: end)
      }
    }

    #expect(try await shared().read().map(\.id) == [own.id])
    try await table.changeSigningKeys { (keys, _) throws(StoreFault) in keys = sealed }
    #expect(try await shared().read().count == 2)
  }

  @Test("A row that was not sealed with the master key prevents neither reading nor rotating")
  func foreignRow() async throws {
    _ = try await shared().loadOrStore([own])
    let (key, _) = try await shared().replace(clock: SimulatedClock(now))
    let foreign = [nil, now.adding(seconds: 9_000_000)].map {
      SealedSigningKey(id: "foreign", sealed: [0], signsUntil: $0)
    }
    try await table.changeSigningKeys { (keys, _) throws(StoreFault) in keys += foreign }

    #expect(try await shared().read().map(\.id) == [key.id])
    guard case .rotated = try await rotate(at: now) else {
      Issue.record("a row of another writer delays the rotation")
      return
    }
    #expect(try await table.signingKeys().count == 2, "the rotation removes it")
  }

  @Test("A rotation reads the clock after it has waited for other decisions")
  func readsClockLate() async throws {
    _ = try await shared().loadOrStore([own])
    let clock = SimulatedClock(now)
    table.beforeChange = { clock.advance(seconds: 90) }

    let rotation = try await shared().rotate(publishedSeconds: least, clock: clock)

    guard case .rotated(_, let start, _) = rotation else {
      Issue.record("the keys were not rotated")
      return
    }
    #expect(start == Instant(seconds: 1001 + 90 + least))
  }

  @Test("L-45 keys of a lost master key are replaced by a new one, and the log names the new key")
  func replacesLost() async throws {
    _ = try await shared().loadOrStore([own])
    _ = try await rotate(at: now)
    let new = shared(master: 8)
    await #expect(throws: StoreFault.self) { try await new.read() }

    #expect(try await new.replaceLost(clock: SimulatedClock(now)) == .replaced)

    let found = try await new.read()
    #expect(found.count == 1 && found[0].signsUntil == nil && found[0].id != own.id)
    await #expect(throws: StoreFault.self) { try await shared().read() }
    #expect(try await table.events.first == .logKeyed)
  }

  @Test("L-45 a replacement whose answer was lost can be repeated with the same master key")
  func repeatsLoss() async throws {
    _ = try await shared().loadOrStore([own])
    let new = shared(master: 8)
    _ = try await new.replaceLost(clock: SimulatedClock(now))
    let keys = try await new.read().map(\.id)
    let events = try await table.events
    // Servers with the new key run already.
    table.log.tables.nodeReports = [NodeReport(node: "node", at: now, digests: [:])]

    #expect(try await new.replaceLost(clock: SimulatedClock(now)) == .replaced)

    #expect(try await new.read().map(\.id) == keys)
    #expect(try await table.events == events)
  }

  @Test(
    "L-45 of two new master keys only the first replaces the keys, by the clock of the database",
    arguments: [-1, 0] as [Int64])
  func twoReplacements(_ more: Int64) async throws {
    _ = try await shared().loadOrStore([own])
    let first = shared(master: 8)
    #expect(try await first.replaceLost(clock: SimulatedClock(now)) == .replaced)
    let end = now.adding(seconds: NodeReport.validSeconds).adding(milliseconds: more)
    table.log.setDatabaseClock { end }

    let second = try await shared(master: 9).replaceLost(clock: SimulatedClock(now))

    #expect(second == (more < 0 ? .replacedByAnother : .replaced))
    if more < 0 { #expect(try await first.read().count == 1) }
  }

  @Test(
    "L-45 keys are not replaced while a server reports itself, by the clock of the database",
    arguments: [
      (-NodeReport.validSeconds, 0), (1 - NodeReport.validSeconds, 1), (0, 1), (3600, 1),
    ])
  func serverRuns(_ reportSeconds: Int64, _ expected: Int) async throws {
    _ = try await shared().loadOrStore([own])
    let databaseTime = now.adding(seconds: 7200)
    table.log.setDatabaseClock { databaseTime }
    // The server reports itself after the command has begun.
    table.beforeChange = { [table] in
      table.log.tables.nodeReports = [
        NodeReport(node: "node", at: databaseTime.adding(seconds: reportSeconds), digests: [:])
      ]
    }

    let result = try await shared(master: 8).replaceLost(clock: SimulatedClock(now))

    #expect(result == (expected == 0 ? .replaced : .serversRun(expected)))
    let kept = try await table.signingKeys().map(\.id)
    #expect((kept == [own.id]) == (expected > 0))
  }
}
