import Cryptography
import SignInModel
import SignInService
import SignInTesting
import Testing

@Suite("The key of the security log")
struct EventKeyTests {
  private let key = Keyring.storeKeys(master: [UInt8](repeating: 7, count: 32)).events
  private let caller = Caller(client: ClientID("app"), peer: "192.0.2.1", proofKeyThumbprint: "key")

  private func write(_ count: Int64, to store: any Store) async throws {
    try await store.transact { [caller] (transaction) throws(StoreFault) in
      for number in 0..<count {
        try transaction.record(
          .codeSent, about: AccountID("tara"), by: caller, at: Instant(seconds: number))
      }
    }
    _ = try await linkEvents(in: store, at: Instant(seconds: count))
  }

  private func events(in store: any Store) async throws -> [SecurityEvent] {
    try await store.read { (transaction) throws(StoreFault) in
      try transaction.events(after: 0, limit: 99)
    }
  }

  /// A store with exactly these events.
  private func forged(_ events: [SecurityEvent]) async throws -> MemoryStore {
    let store = MemoryStore(eventKey: key)
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.append(events)
    }
    return store
  }

  /// A log without a key at first, and with a key from its fourth event on.
  private func upgraded() async throws -> [SecurityEvent] {
    let old = MemoryStore()
    try await write(3, to: old)
    let store = try await forged(try await events(in: old))
    try await write(2, to: store)
    return try await events(in: store)
  }

  @Test("Every event names its key, and the chain is valid with that key alone")
  func keyed() async throws {
    let store = MemoryStore(eventKey: key)
    try await write(3, to: store)
    let head = try #require(try await events(in: store).last?.hash)

    #expect(try await events(in: store).allSatisfy { $0.keyID == key.id })
    #expect(try await verifyEvents(in: store, key: key) == .unbroken(count: 3, head: head))
    let other = Keyring.storeKeys(master: [UInt8](repeating: 8, count: 32)).events
    #expect(try await verifyEvents(in: store, key: other) == .foreignKey(at: 1))
    #expect(try await verifyEvents(in: store) == .foreignKey(at: 1))
  }

  @Test("A log from before the key stays verifiable, and exactly one event marks the change")
  func upgrade() async throws {
    let all = try await upgraded()

    #expect(all.map(\.code) == [.codeSent, .codeSent, .codeSent, .logKeyed, .codeSent, .codeSent])
    #expect(all.map { $0.keyID == nil } == [true, true, true, false, false, false])
    let store = try await forged(all)
    let head = try #require(all.last?.hash)
    #expect(try await verifyEvents(in: store, key: key) == .unbroken(count: 6, head: head))
  }

  @Test("Only the start of the server gives an old log its key")
  func start() async throws {
    let test = try await TestWorld()
    _ = try await test.signIn()
    await startEventKey(in: test.world)
    #expect(try await test.events().count == 3)

    let store = try await forged(try await test.events())
    for _ in 0..<2 {
      try await store.transact { (transaction) throws(StoreFault) in
        try transaction.startUsingKey(at: TestWorld.start)
      }
    }

    #expect(try await events(in: store).map(\.code).suffix(2) == [.signInCompleted, .logKeyed])
  }

  @Test("An attacker who can write the database but has no key cannot link an event")
  func forgery() async throws {
    let all = try await upgraded()
    let attacker = try await forgedWithoutKey(Array(all.prefix(3)), adding: 3)

    // All events have no key, as if the log never had one.
    #expect(try await verifyEvents(in: attacker, key: key) == .unkeyed(count: 6))
    // An event without a key follows the change.
    let appended = try await unkeyed(after: all)
    #expect(
      try await verifyEvents(in: try await forged(all + [appended]), key: key) == .broken(at: 7))
    // An event before the change was altered, and the following ones were linked again.
    let relinked = try await forgedWithoutKey([], adding: 3)
    let changed = try await events(in: relinked) + all.suffix(3)
    #expect(try await verifyEvents(in: try await forged(changed), key: key) == .broken(at: 4))
    // The event that marks the change was removed.
    let unmarked = Array(all.prefix(3)) + [renumbered(all[4], 4)]
    #expect(try await verifyEvents(in: try await forged(unmarked), key: key) == .broken(at: 4))
  }

  @Test("A log with a key accepts no event without its key")
  func withoutKey() async throws {
    let all = try await upgraded()
    let store = MemoryStore()
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.append(all)
    }

    await #expect(throws: StoreFault.self) { try await write(1, to: store) }
    #expect(try await events(in: store) == all)
  }

  /// The key that replaces a lost one.
  private let other = Keyring.storeKeys(master: [UInt8](repeating: 8, count: 32)).events

  /// A log with the lost key, opened with the new one.
  private func lost() async throws -> MemoryStore {
    let store = MemoryStore(eventKey: other)
    let all = try await upgraded()
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.append(all)
    }
    return store
  }

  private func replaceKey(of store: any Store) async throws {
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.replaceLostKey(at: TestWorld.start)
    }
  }

  @Test("A server with another key than the log neither links an event nor changes the key")
  func staleServer() async throws {
    let store = try await lost()
    let before = try await events(in: store)

    await #expect(throws: StoreFault.self) { try await write(1, to: store) }
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.startUsingKey(at: TestWorld.start)
    }

    #expect(try await events(in: store) == before)
  }

  @Test("The replacement of a lost key is the first event of an empty log, and happens once")
  func emptyLog() async throws {
    let store = MemoryStore(eventKey: other)
    for _ in 0..<2 { try await replaceKey(of: store) }

    #expect(try await events(in: store).map(\.code) == [.logKeyed])
    let head = try #require(try await events(in: store).last?.hash)
    #expect(try await verifyEvents(in: store, key: other) == .unbroken(count: 1, head: head))
    try await store.read { (transaction) throws(StoreFault) in
      #expect(try !transaction.hasOtherKey())
    }
  }

  @Test("Another key begins with its own event")
  func otherKey() async throws {
    let store = try await lost()
    try await replaceKey(of: store)

    try await write(1, to: store)

    #expect(try await events(in: store).map(\.code).suffix(2) == [.logKeyed, .codeSent])
    #expect(try await verifyEvents(in: store, key: key) == .foreignKey(at: 7))
  }

  /// A log that lost its key after the sixth event and has another key from the seventh on.
  private func replacedKey() async throws -> (events: [SecurityEvent], key: EventKey) {
    let store = try await lost()
    try await replaceKey(of: store)
    try await write(2, to: store)
    return (try await events(in: store), other)
  }

  @Test("After a new key the events from the change on are verified, and earlier ones are named")
  func afterLoss() async throws {
    let (all, other) = try await replacedKey()
    let head = try #require(all.last?.hash)

    let chain = try await verifyEvents(in: try await forged(all), key: other)

    #expect(all.map(\.code).suffix(3) == [.logKeyed, .codeSent, .codeSent])
    #expect(chain == .keyChanged(at: 7, count: 3, head: head))
  }

  @Test("Only an event with the given key marks a change of the key")
  func forgedChange() async throws {
    let (all, other) = try await replacedKey()

    // The event of the change was removed, so that the next event does not mention it.
    let unmarked = Array(all.prefix(6)) + [renumbered(all[7], 7)]
    #expect(try await verifyEvents(in: try await forged(unmarked), key: other) == .broken(at: 7))
    // The event before the change was replaced, so that the change refers to another event.
    var replaced = all
    replaced[5] = renumbered(all[4], 6)
    #expect(try await verifyEvents(in: try await forged(replaced), key: other) == .broken(at: 7))
    // An event after the change was altered.
    var altered = all
    altered[8] = renumbered(all[7], 9)
    #expect(try await verifyEvents(in: try await forged(altered), key: other) == .broken(at: 9))
    // Events of the own log were relabelled as if they had another key.
    let own = try await upgraded()
    let relabelled = own.prefix(5).map { relabel($0) } + [own[5]]
    #expect(
      try await verifyEvents(in: try await forged(relabelled), key: key) == .broken(at: 6))
  }

  private func relabel(_ event: SecurityEvent) -> SecurityEvent {
    SecurityEvent(
      sequence: event.sequence, at: event.at, code: event.code, account: event.account,
      client: event.client, session: event.session, peer: event.peer,
      proofKeyThumbprint: event.proofKeyThumbprint, detail: event.detail, keyID: "other",
      hash: event.hash
    )
  }

  private func forgedWithoutKey(
    _ events: [SecurityEvent], adding count: Int64
  ) async throws -> MemoryStore {
    let store = MemoryStore()
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.append(events)
    }
    try await store.transact { (transaction) throws(StoreFault) in
      for _ in 0..<count {
        try transaction.record(
          .accountUnlocked, about: AccountID("tara"),
          by: Caller(client: nil, peer: nil, proofKeyThumbprint: nil), at: TestWorld.start)
      }
    }
    _ = try await linkEvents(in: store, at: TestWorld.start)
    return store
  }

  /// An event that follows these, linked in the form without a key.
  private func unkeyed(after events: [SecurityEvent]) async throws -> SecurityEvent {
    let last = try #require(events.last)
    func event(_ hash: [UInt8]) -> SecurityEvent {
      SecurityEvent(
        sequence: last.sequence + 1, at: last.at, code: .codeSent, account: nil, client: nil,
        session: nil, peer: nil, proofKeyThumbprint: nil, detail: nil, hash: hash
      )
    }
    return event(try #require(event([]).hash(after: last.hash)))
  }

  private func renumbered(_ event: SecurityEvent, _ sequence: Int64) -> SecurityEvent {
    SecurityEvent(
      sequence: sequence, at: event.at, code: event.code, account: event.account,
      client: event.client, session: event.session, peer: event.peer,
      proofKeyThumbprint: event.proofKeyThumbprint, detail: event.detail, keyID: event.keyID,
      hash: event.hash
    )
  }
}
