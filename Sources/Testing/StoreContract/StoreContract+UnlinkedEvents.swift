internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var unlinkedEvents: [Check] {
    [
      Check(
        name: "unlinked events are read unchanged, in the order of writing", isKept: unlinkedRead),
      Check(
        name: "removed and refused unlinked events are not read again", isKept: unlinkedRemoved),
      Check(name: "an unlinked event of a failed decision is not stored", isKept: unlinkedUndone),
      Check(name: "an event is linked once and counted on its day", isKept: unlinkedLinked),
    ]
  }

  private static let caller = Caller(
    client: ClientID("phone-app"), peer: "192.0.2.1", proofKeyThumbprint: "thumbprint")

  private static func content(_ number: Int64, isBare: Bool = false) -> EventContent {
    EventContent(
      at: Examples.start.adding(seconds: number),
      code: SecurityEvent.Code(rawValue: isBare ? "" : "test.happened"),
      account: isBare ? nil : AccountID("account-1"), client: isBare ? nil : ClientID("phone-app"),
      session: isBare ? nil : SessionID("session-1"), peer: isBare ? nil : "192.0.2.1",
      proofKeyThumbprint: isBare ? nil : "thumbprint", detail: isBare ? nil : Examples.detail,
      count: isBare ? nil : number, keyID: isBare ? nil : "key")
  }

  private static func add(_ contents: [EventContent], to store: any Store) async throws {
    for content in contents {
      try await store.transact { transaction throws(StoreFault) in
        try transaction.addUnlinked(content, writerCode: Examples.digest(1))
      }
    }
  }

  private static func unlinked(
    _ store: any Store, after id: Int64 = 0, limit: Int = 9
  ) async throws -> [UnlinkedEvent] {
    try await store.read { transaction throws(StoreFault) in
      try transaction.unlinkedEvents(after: id, limit: limit)
    }
  }

  private static func unlinkedRead(_ store: any Store) async throws {
    let contents = [content(1), content(2, isBare: true), content(3)]
    try await add(contents, to: store)
    let all = try await unlinked(store)
    try expect(all.map(\.content), is: contents, "the contents")
    try expect(
      all.map(\.writerCode), is: .init(repeating: Examples.digest(1), count: 3), "the codes")
    try expect(all.map(\.id), is: all.map(\.id).sorted(), "the order")
    try expect(try await unlinked(store, limit: 2), is: Array(all.prefix(2)), "the first two")
    try expect(
      try await unlinked(store, after: all[0].id, limit: 1), is: [all[1]], "one after the first")
    try expect(try await unlinked(store, after: all[2].id), is: [], "after the last")
  }

  private static func unlinkedRemoved(_ store: any Store) async throws {
    try await add((1...4).map { content($0) }, to: store)
    let all = try await unlinked(store)
    try await store.transact { transaction throws(StoreFault) in
      try transaction.removeUnlinked([all[0].id, all[3].id])
      try transaction.refuseUnlinked([all[1].id])
      try transaction.removeUnlinked([])
    }
    try expect(try await unlinked(store), is: [all[2]], "the rest")
    let refused = try await store.read { transaction throws(StoreFault) in
      try transaction.refusedEventCount()
    }
    try expect(refused, is: 1, "the refused events")
  }

  private static func unlinkedUndone(_ store: any Store) async throws {
    try await expect(.conflict, from: store, "adding, then failing") {
      transaction throws(StoreFault) in
      try transaction.addUnlinked(content(1), writerCode: [])
      throw .conflict
    }
    try expect(try await unlinked(store), is: [], "the unlinked events")
  }

  private static func unlinkedLinked(_ store: any Store) async throws {
    let account = try Examples.account(1, organizations: ["north"])
    try await store.transact { transaction throws(StoreFault) in
      try transaction.insert(account)
      for second: Int64 in 0..<3 {
        try transaction.record(
          .passwordRefused, about: account.id, by: caller,
          at: Examples.start.adding(seconds: second))
      }
    }
    for expected in [3, 0] {
      let result = try await linkEvents(in: store, at: Examples.start)
      try expect(result.linked, is: expected, "the linked events")
    }
    try expect(try await unlinked(store), is: [], "the unlinked events")
    let (events, counts) = try await store.read { transaction throws(StoreFault) in
      let day = CalendarDay(Examples.start)
      return (
        try transaction.events(after: 0, limit: 9),
        try transaction.dailyCounts(from: day, through: day, of: [OrganizationID("north")])
      )
    }
    try expect(events.map(\.sequence), is: [1, 2, 3], "the numbers")
    try expect(counts.map(\.count), is: [3], "the counts of the day")
  }
}
