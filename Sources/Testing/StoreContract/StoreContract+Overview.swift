internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInTesting
internal import SignInWire

extension StoreContract {
  static var overview: [Check] {
    [
      Check(name: "counts of one day and kind are added", isKept: countsAdded),
      Check(name: "an account of two organizations is counted once", isKept: countedOnce),
      Check(name: "counts of old days are removed, the oldest first", isKept: countsRemoved),
      Check(name: "open sessions of organizations are counted", isKept: sessionsCounted),
      Check(name: "pending accounts of organizations are counted", isKept: pendingCounted),
      Check(name: "locked accounts are counted and listed, each once", isKept: lockedCounted),
      Check(name: "messages are listed and counted by outcome", isKept: outcomes),
    ]
  }

  private static let north = OrganizationID("north")
  private static let south = OrganizationID("south")
  private static let east = OrganizationID("east")

  private static func addAccounts(to store: any Store) async throws {
    let accounts = try [
      Examples.account(1, organizations: ["north"]),
      Examples.account(2, status: .pending, organizations: ["north", "south"]),
      Examples.account(3, status: .pending),
      Examples.account(4, status: .pending, organizations: ["northern"]),
    ]
    try await store.transact { transaction throws(StoreFault) in
      for account in accounts { try transaction.insert(account) }
    }
  }

  private static func count(
    _ kind: DailyCount.Kind = .failures, _ times: Int64 = 1, day: Int64, account: Int?,
    _ store: any Store
  ) async throws {
    try await store.transact { transaction throws(StoreFault) in
      try transaction.count(
        kind, times: times, on: CalendarDay(number: day),
        of: account.map { AccountID("account-\($0)") })
    }
  }

  /// The counts as texts, such as `2 failures 3`.
  private static func counts(
    _ store: any Store, _ first: Int64, _ last: Int64, of organizations: [OrganizationID]? = nil
  ) async throws -> [String] {
    try await store.read { transaction throws(StoreFault) in
      try transaction.dailyCounts(
        from: CalendarDay(number: first), through: CalendarDay(number: last), of: organizations
      ).map { "\($0.day.number) \($0.kind.rawValue) \($0.count)" }
    }
  }

  private static func countsAdded(_ store: any Store) async throws {
    try await count(.signIns, day: 2, account: nil, store)
    try await count(.failures, 4, day: 2, account: nil, store)
    try await count(.failures, 3, day: 2, account: 9, store)
    try await count(.failures, day: 1, account: nil, store)
    try await count(.failures, day: 3, account: nil, store)
    try expect(try await counts(store, 2, 2), is: ["2 failures 7", "2 sign_ins 1"], "one day")
    try expect(
      try await counts(store, 1, 3),
      is: ["1 failures 1", "2 failures 7", "2 sign_ins 1", "3 failures 1"], "three days")
    try expect(try await counts(store, 1, 3, of: [north]), is: [], "of an organization")
  }

  private static func countedOnce(_ store: any Store) async throws {
    try await addAccounts(to: store)
    for number in 1...4 { try await count(day: 2, account: number, store) }
    try expect(try await counts(store, 2, 2), is: ["2 failures 4"], "all")
    try expect(try await counts(store, 2, 2, of: [north]), is: ["2 failures 2"], "north")
    try expect(try await counts(store, 2, 2, of: [south]), is: ["2 failures 1"], "south")
    try expect(try await counts(store, 2, 2, of: [north, south]), is: ["2 failures 2"], "both")
    try expect(try await counts(store, 2, 2, of: []), is: [], "none")
  }

  private static func countsRemoved(_ store: any Store) async throws {
    for day: Int64 in [3, 1, 2] { try await count(day: day, account: nil, store) }
    let remove: @Sendable (any Transaction) throws(StoreFault) -> Int = {
      transaction throws(StoreFault) in
      try transaction.removeDailyCounts(before: CalendarDay(number: 3), limit: 1)
    }
    try expect(try await store.transact(remove), is: 1, "the first removal")
    try expect(try await counts(store, 0, 9), is: ["2 failures 1", "3 failures 1"], "the rest")
    try expect(try await store.transact(remove), is: 1, "the second removal")
    try expect(try await store.transact(remove), is: 0, "the third removal")
  }

  private static func sessionsCounted(_ store: any Store) async throws {
    var ended = Examples.session("session-4", organization: north)
    ended.end = .revoked
    let sessions = [
      Examples.session("session-1", organization: north), Examples.session("session-2"),
      Examples.session("session-3", lasting: 0..<60, organization: south), ended,
    ]
    try await store.transact { transaction throws(StoreFault) in
      for session in sessions { try transaction.insert(session) }
    }
    func open(_ organizations: [OrganizationID]?, after seconds: Int64) async throws -> Int64 {
      try await store.read { transaction throws(StoreFault) in
        try transaction.openSessionCount(
          of: organizations, at: Examples.start.adding(seconds: seconds))
      }
    }
    try expect(try await open(nil, after: 59), is: 3, "all before the end of one")
    try expect(try await open(nil, after: 60), is: 2, "all at the end of one")
    try expect(try await open([north], after: 59), is: 1, "north")
    try expect(try await open([north, south], after: 59), is: 2, "north and south")
    try expect(try await open([east], after: 59), is: 0, "east")
  }

  private static func pendingCounted(_ store: any Store) async throws {
    try await addAccounts(to: store)
    func pending(_ organizations: [OrganizationID]?) async throws -> Int64 {
      try await store.read { transaction throws(StoreFault) in
        try transaction.pendingAccountCount(of: organizations)
      }
    }
    try expect(try await pending(nil), is: 3, "all")
    try expect(try await pending([north]), is: 1, "north")
    try expect(try await pending([north, south]), is: 1, "north and south")
    try expect(try await pending([east]), is: 0, "east")
  }

  private static func lockedCounted(_ store: any Store) async throws {
    try await addAccounts(to: store)
    let end = Examples.start.adding(seconds: 60)
    let locked = Lockout(
      failures: 5, failuresInRow: 5, reserved: 0, reservedAt: Examples.start, locks: 1,
      lockedUntil: end)
    let keys = [
      LockoutKey(AccountID("account-1")), LockoutKey(AccountID("account-1"), device: "phone"),
      LockoutKey(AccountID("account-2"), device: "phone"), LockoutKey(AccountID("unknown")),
      LockoutKey(AccountID("account-3"), isForResets: true),
    ]
    try await store.transact { transaction throws(StoreFault) in
      for key in keys { try transaction.save(locked, for: key) }
    }
    func found(_ organizations: [OrganizationID]?, at now: Instant) async throws -> [String] {
      try await store.read { transaction throws(StoreFault) in
        var query = AccountQuery()
        query.lockedAt = now
        query.organizations = organizations
        let count = try transaction.lockedAccountCount(of: organizations, at: now)
        let listed = try transaction.accounts(query, after: nil, limit: 9)
        return ["\(count)"] + listed.map(\.id.text)
      }
    }
    let before = end.adding(milliseconds: -1)
    try expect(try await found(nil, at: before), is: ["2", "account-2", "account-1"], "all")
    try expect(try await found([south], at: before), is: ["1", "account-2"], "south")
    try expect(try await found(nil, at: end), is: ["0"], "at the end")
  }

  private static func outcomes(_ store: any Store) async throws {
    var messages: [OutboxMessage] = []
    for (number, receipt) in [nil, .delayed, .delivered, OutboxMessage.Receipt.undelivered]
      .enumerated()
    {
      var message = try Examples.message(
        "message-\(number)", createdIn: Int64(number), state: .handedOver)
      message.receipt = receipt
      messages.append(message)
    }
    messages.append(try Examples.message("message-4", createdIn: 4, state: .failed))
    messages.append(try Examples.message("message-5", createdIn: 5))
    messages.append(try Examples.message("message-6", createdIn: 6, state: .decoy))
    messages[3].organization = north
    let all = messages
    try await store.transact { transaction throws(StoreFault) in
      for message in all { try transaction.insert(message) }
    }
    for outcome in OutboxMessage.Outcome.allCases {
      let found = try await store.read { transaction throws(StoreFault) in
        var query = MessageQuery()
        query.outcome = outcome
        return try transaction.messages(query, after: nil, limit: 9)
      }
      let wanted = all.reversed().filter { $0.outcome == outcome }
      try expect(found, is: Array(wanted), "the messages with outcome \(outcome)")
    }
    let counts: [Int64] = try await store.read { transaction throws(StoreFault) in
      try [nil, [north], [south]].map { (organizations) throws(StoreFault) in
        try transaction.failedMessageCount(of: organizations)
      }
    }
    try expect(counts, is: [2, 1, 0], "the failed messages")
  }
}
