import SignInModel
import SignInRules
import SignInTesting
import Testing

@testable import SignInService

@Suite("Linking the events of the security log")
struct LinkEventsTests {
  private let key = Keyring.storeKeys(master: [UInt8](repeating: 7, count: 32)).events
  private let caller = Caller(client: ClientID("app"), peer: nil, proofKeyThumbprint: "key")
  private let store: MemoryStore

  init() { store = MemoryStore(eventKey: key) }

  private func write(_ count: Int, _ code: SecurityEvent.Code = .codeSent) async throws {
    try await store.transact { [caller] (transaction) throws(StoreFault) in
      for _ in 0..<count {
        try transaction.record(code, about: AccountID("tara"), by: caller, at: TestWorld.start)
      }
    }
  }

  /// Adds an event as a person with write access to the database can.
  private func forge(_ change: (EventContent) -> (EventContent, [UInt8])) async throws {
    let real = EventContent(
      EventDraft(code: .accountUnlocked, account: AccountID("tara")), by: caller,
      at: TestWorld.start, key: key)
    let (content, code) = change(real)
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.addUnlinked(content, writerCode: code)
    }
  }

  private func events() async throws -> [SecurityEvent] {
    try await store.read { (transaction) throws(StoreFault) in
      try transaction.events(after: 0, limit: 10_000)
    }
  }

  private func unlinkedCount(in store: any Store) async throws -> Int {
    try await store.read { (transaction) throws(StoreFault) in
      try transaction.unlinkedEvents(after: 0, limit: 10_000).count
    }
  }

  private func link() async throws -> LinkedEvents {
    try await linkEvents(in: store, at: TestWorld.start)
  }

  @Test("A decision only writes its event, and linking appends it to the chain")
  func linked() async throws {
    try await write(2)
    #expect(try await events().isEmpty)
    #expect(try await unlinkedCount(in: store) == 2)

    #expect(try await link() == LinkedEvents(linked: 2, refused: 0))

    let all = try await events()
    #expect(all.map(\.sequence) == [1, 2] && all.allSatisfy { $0.code == .codeSent })
    let head = try #require(all.last?.hash)
    #expect(try await verifyEvents(in: store, key: key) == .unbroken(count: 2, head: head))
    #expect(try await unlinkedCount(in: store) == 0)
    #expect(try await link() == LinkedEvents(linked: 0, refused: 0))
  }

  @Test(
    "One decision links at most a batch, and linking continues until none is left",
    arguments: [-1, 0, 1])
  func batches(_ more: Int) async throws {
    let count = EventLimits.batch + more
    try await write(count)

    let first = try await store.transact { (transaction) throws(StoreFault) in
      try transaction.linkBatch(at: TestWorld.start, waits: true)
    }
    #expect(first.linked == min(count, EventLimits.batch))
    #expect(try await link().linked == count - first.linked)
    #expect(try await events().map(\.sequence) == Array(1...Int64(count)))
  }

  @Test(
    "T-14 a forged, changed or unkeyed event is never linked, and the log and the check name it",
    arguments: 0..<4)
  func forged(_ way: Int) async throws {
    let other = Keyring.storeKeys(master: [UInt8](repeating: 8, count: 32)).events
    try await write(1)
    try await forge { real in
      let changed = EventContent(
        at: real.at, code: .accountReset, account: real.account, client: real.client,
        session: nil, peer: nil, proofKeyThumbprint: real.proofKeyThumbprint, detail: nil,
        count: nil, keyID: real.keyID)
      let unkeyed = EventContent(
        EventDraft(code: .accountUnlocked, account: nil), by: caller, at: real.at, key: nil)
      let foreign = EventContent(
        EventDraft(code: .accountUnlocked, account: nil), by: caller, at: real.at, key: other)
      return switch way {
      case 0: (real, [UInt8](repeating: 0, count: 32))
      case 1: (changed, real.writerCode(key) ?? [])
      case 2: (unkeyed, unkeyed.writerCode(nil) ?? [])
      default: (foreign, foreign.writerCode(other) ?? [])
      }
    }
    try await write(1)

    #expect(try await link() == LinkedEvents(linked: 2, refused: 1))
    #expect(try await link() == LinkedEvents(linked: 0, refused: 0))

    #expect(try await events().map(\.code) == [.codeSent, .codeSent, .logEventsRefused])
    let tail = try await readUnlinkedReport(in: store, key: key, at: TestWorld.start)
    #expect(tail.refusedCount == 1 && tail.count == 0)
    guard case .unbroken = try await verifyEvents(in: store, key: key) else {
      Issue.record("a refused event broke the chain")
      return
    }
  }

  @Test("Forged events do not delay others, even a whole batch of them", arguments: [-1, 0, 1])
  func flood(_ more: Int) async throws {
    let count = EventLimits.batch + more
    for _ in 0..<count { try await forge { ($0, []) } }
    try await write(1)

    #expect(try await link() == LinkedEvents(linked: 1, refused: count))

    let refusals = try await events().filter { $0.code == .logEventsRefused }
    #expect(refusals.map { $0.count ?? 1 }.reduce(0, +) == Int64(count))
  }

  @Test("The check accepts an unlinked event for one second", arguments: [-1, 0, 1])
  func age(_ more: Int64) async throws {
    try await write(3)
    let age = EventLimits.unlinkedMilliseconds + more

    let tail = try await readUnlinkedReport(
      in: store, key: key, at: TestWorld.start.adding(milliseconds: age))

    #expect(tail.count == 3 && tail.milliseconds == age && tail.refusedCount == 0)
    #expect(tail.lateCount == (more > 0 ? 3 : 0))
  }

  @Test("Events are counted by day when they are linked")
  func counted() async throws {
    try await write(3, .passwordRefused)
    let day = CalendarDay(TestWorld.start)
    func counts() async throws -> [Int64] {
      try await store.read { (transaction) throws(StoreFault) in
        try transaction.dailyCounts(from: day, through: day, of: nil).map(\.count)
      }
    }
    #expect(try await counts().isEmpty)

    _ = try await link()

    #expect(try await counts() == [3])
  }

  @Test("The linker links in its pauses and once more when it stops")
  func worker() async throws {
    let test = try await TestWorld()
    let linker = EventLinker(world: test.world)
    _ = try await test.signIn()
    while test.clock.sleeperCount == 0 { await Task.yield() }
    test.clock.advance(milliseconds: EventLinker.pauseMilliseconds)
    while try await unlinkedCount(in: test.store) > 0 { await Task.yield() }
    _ = try await test.signIn()

    await linker.stop()

    #expect(try await unlinkedCount(in: test.store) == 0)
    #expect(EventLinker.pauseMilliseconds * 4 <= EventLimits.unlinkedMilliseconds)
  }
}
