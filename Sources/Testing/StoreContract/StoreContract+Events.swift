internal import SignInModel
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var events: [Check] {
    [
      Check(name: "a security event is read unchanged", isKept: eventRoundTrip),
      Check(name: "several events are appended at once, unchanged", isKept: eventsTogether),
      Check(name: "a sequence number belongs to one event", isKept: eventUnique),
      Check(name: "events are listed newest first, page by page", isKept: eventPages),
      Check(name: "events are found by account, code, app, time and number", isKept: eventQueries),
      Check(
        name: "messages are found by kind, account, destination and time", isKept: messageQueries),
      Check(name: "events are read in batches oldest first", isKept: eventWalk),
      Check(name: "an event of a failed decision is not stored", isKept: eventUndone),
      Check(name: "a cut log begins at its recorded start", isKept: eventCut),
    ] + unlinkedEvents
  }

  private static func event(
    _ sequence: Int64, _ account: String? = "account-1", bare isBare: Bool = false,
    detail: String = "", count: Int64? = nil
  ) -> SecurityEvent {
    SecurityEvent(
      sequence: sequence, at: Examples.start.adding(seconds: sequence),
      code: SecurityEvent.Code(rawValue: isBare ? "" : "test.happened"),
      account: account.map { AccountID($0) }, client: isBare ? nil : ClientID("phone-app"),
      session: isBare ? nil : SessionID("session-1"), peer: isBare ? nil : "192.0.2.1",
      proofKeyThumbprint: isBare ? nil : "thumbprint", detail: isBare ? nil : detail, count: count,
      hash: Examples.digest(UInt8(sequence))
    )
  }

  private static func append(_ events: [SecurityEvent], to store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in
      try transaction.append(events)
    }
  }

  private static func eventRoundTrip(_ store: any Store) async throws {
    let none = try await store.read { transaction throws(StoreFault) in try transaction.lastEvent()
    }
    try expect(none, is: nil, "the last event of an empty log")
    for event in [
      event(1), event(2, nil, bare: true), event(3, count: 7), event(4, detail: Examples.detail),
    ] {
      try await append([event], to: store)
      let last = try await store.read { transaction throws(StoreFault) in
        try transaction.lastEvent()
      }
      try expect(last, is: event, "the last event")
    }
  }

  private static func eventsTogether(_ store: any Store) async throws {
    let all = [
      event(1, bare: true), event(2, nil, count: 7), event(3, detail: Examples.detail),
      event(4, nil, bare: true),
    ]
    for events in [[], all, []] { try await append(events, to: store) }
    let found = try await store.read { transaction throws(StoreFault) in
      try transaction.events(after: 0, limit: 9)
    }
    try expect(found, is: all, "the events")
  }

  private static func eventUnique(_ store: any Store) async throws {
    try await append([event(1)], to: store)
    try await expect(.conflict, from: store, "appending a number twice") {
      transaction throws(StoreFault) in try transaction.append([event(1, "account-2")])
    }
    for numbers: [Int64] in [[2, 1], [2, 2]] {
      try await expect(.conflict, from: store, "appending several, one number twice") {
        transaction throws(StoreFault) in try transaction.append(numbers.map { event($0) })
      }
    }
    let all = try await store.read { transaction throws(StoreFault) in
      try transaction.events(after: 0, limit: 9)
    }
    try expect(all, is: [event(1)], "the events after the conflicts")
  }

  private static func eventPages(_ store: any Store) async throws {
    let all = (1...6).map { event($0, $0 % 2 == 0 ? "account-2" : "account-1") }
    try await append(all, to: store)
    let none = AccountID("account-3")
    let second = AccountID("account-2")
    let pages: [(AccountID?, Int64?, Int, [Int64])] = [
      (nil, nil, 2, [6, 5]), (nil, 5, 2, [4, 3]), (nil, 3, 9, [2, 1]), (nil, 1, 9, []),
      (second, nil, 2, [6, 4]), (second, 4, 2, [2]), (none, nil, 9, []), (nil, nil, 0, []),
    ]
    for (account, before, limit, expected) in pages {
      let page = try await store.read { transaction throws(StoreFault) in
        try transaction.events(of: account, before: before, limit: limit)
      }
      try expect(page.map(\.sequence), is: expected, "a page")
    }
  }

  private static func eventWalk(_ store: any Store) async throws {
    let all = (1...5).map { event($0) }
    try await append(all, to: store)
    for (after, limit, expected) in [(0, 2, 0..<2), (2, 9, 2..<5), (5, 9, 5..<5)] {
      let batch = try await store.read { transaction throws(StoreFault) in
        try transaction.events(after: Int64(after), limit: limit)
      }
      try expect(batch, is: Array(all[expected]), "a batch")
    }
  }

  private static func eventUndone(_ store: any Store) async throws {
    try await append([event(1)], to: store)
    try await expect(.conflict, from: store, "appending, then failing") {
      transaction throws(StoreFault) in
      try transaction.append([event(2)])
      throw .conflict
    }
    try await append([event(2, "account-2")], to: store)
    let last = try await store.read { transaction throws(StoreFault) in try transaction.lastEvent()
    }
    try expect(last, is: event(2, "account-2"), "the last event")
  }

  private static func eventCut(_ store: any Store) async throws {
    let all = (1...4).map { event($0) }
    try await append(all, to: store)
    let whole = try await store.read { transaction throws(StoreFault) in try transaction.logStart()
    }
    try expect(whole, is: .whole, "the start of an uncut log")
    for sequence in [2, 3] as [Int64] {
      let start = LogStart(sequence: sequence, hash: Examples.digest(UInt8(sequence)))
      try await store.transact { transaction throws(StoreFault) in
        try transaction.removeEvents(at: start)
      }
      let (found, left) = try await store.read { transaction throws(StoreFault) in
        (try transaction.logStart(), try transaction.events(after: 0, limit: 9))
      }
      try expect(found, is: start, "the start")
      try expect(left, is: Array(all[Int(sequence)...]), "the rest")
    }
    try await append([event(5)], to: store)
    let last = try await store.read { transaction throws(StoreFault) in try transaction.lastEvent()
    }
    try expect(last, is: event(5), "the last event")
  }
}
