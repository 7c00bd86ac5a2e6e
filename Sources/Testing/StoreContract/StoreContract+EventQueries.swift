internal import SignInModel
internal import SignInService
internal import SignInTesting

extension StoreContract {
  private static let (one, two) = (AccountID("account-1"), AccountID("account-2"))
  private static let (phone, desk) = (ClientID("phone-app"), ClientID("desk-app"))
  private static let right = SecurityEvent.Code.codeAccepted
  private static let wrong = SecurityEvent.Code.codeRefused

  /// The event with this number, this many seconds after the start.
  private static func event(
    _ sequence: Int64, _ code: SecurityEvent.Code, _ account: AccountID?, _ client: ClientID?
  ) -> SecurityEvent {
    SecurityEvent(
      sequence: sequence, at: Examples.start.adding(seconds: sequence), code: code,
      account: account, client: client, session: nil, peer: nil, proofKeyThumbprint: nil,
      detail: nil, hash: Examples.digest(UInt8(sequence))
    )
  }

  private static func query(
    _ account: AccountID? = nil, _ codes: [SecurityEvent.Code]? = nil, _ client: ClientID? = nil,
    from: Int64? = nil, until: Int64? = nil
  ) -> EventQuery {
    var query = EventQuery(account: account)
    (query.codes, query.client) = (codes, client)
    query.period = Period(
      from: from.map { Examples.start.adding(seconds: $0) },
      until: until.map { Examples.start.adding(seconds: $0) })
    return query
  }

  static func eventQueries(_ store: any Store) async throws {
    let all = [
      event(1, right, one, phone), event(2, wrong, two, desk), event(3, wrong, nil, nil),
      event(4, wrong, one, desk), event(5, right, two, phone), event(6, wrong, one, phone),
    ]
    try await store.transact { transaction throws(StoreFault) in
      try transaction.append(all)
    }
    let every: Range<Int64> = 0..<Int64.max
    let cases: [(EventQuery, Range<Int64>, Int, [Int64])] = [
      (query(), every, 9, [6, 5, 4, 3, 2, 1]), (query(), every, 2, [6, 5]),
      (query(), 2..<5, 9, [4, 3, 2]), (query(), 7..<9, 9, []), (query(), every, 0, []),
      (query(one), every, 9, [6, 4, 1]), (query(one), 0..<6, 1, [4]),
      (query(nil, [wrong]), every, 9, [6, 4, 3, 2]), (query(nil, [wrong]), every, 3, [6, 4, 3]),
      (query(nil, [wrong, right]), every, 4, [6, 5, 4, 3]), (query(nil, []), every, 9, []),
      (query(one, [wrong]), every, 9, [6, 4]), (query(one, [right, wrong]), 0..<6, 9, [4, 1]),
      (query(nil, nil, phone), every, 9, [6, 5, 1]), (query(one, [wrong], desk), every, 9, [4]),
      (query(from: 3), every, 9, [6, 5, 4, 3]), (query(until: 3), every, 9, [2, 1]),
      (query(from: 2, until: 4), every, 9, [3, 2]), (query(one, from: 4), every, 9, [6, 4]),
      (query(nil, [wrong], from: 3, until: 6), every, 9, [4, 3]),
    ]
    for (query, numbers, limit, expected) in cases {
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.events(query, in: numbers, limit: limit)
      }
      try expect(found.map(\.sequence), is: expected, "the events of \(query) in \(numbers)")
    }
  }

  static func messageQueries(_ store: any Store) async throws {
    var messages = [
      try Examples.message("message-1", createdIn: 1, state: .failed),
      try Examples.message("message-2", createdIn: 2),
      try Examples.message("message-3", createdIn: 3),
    ]
    messages[1].kind = .notice
    messages[2].account = two
    let all = messages
    try await store.transact { transaction throws(StoreFault) in
      for message in all { try transaction.insert(message) }
    }
    func expectFound(
      _ ids: [String], _ change: (inout MessageQuery) throws -> Void
    ) async throws {
      var query = MessageQuery()
      try change(&query)
      let asked = query
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.messages(asked, after: nil, limit: 9)
      }
      try expect(found.map(\.id), is: ids, "the messages of \(query)")
      try expect(ids, is: all.reversed().filter(query.finds).map(\.id), "the query")
    }
    try await expectFound(["message-3", "message-2", "message-1"]) { _ in }
    try await expectFound(["message-2"]) { $0.kind = .notice }
    try await expectFound(["message-3"]) { $0.account = two }
    try await expectFound(["message-3", "message-2", "message-1"]) { $0.to = all[0].to }
    try await expectFound([]) { $0.to = try Recipient(parsing: "none@example.com") }
    let second = all[1].createdAt
    try await expectFound(["message-3", "message-2"]) { $0.period = Period(from: second) }
    try await expectFound(["message-1"]) { $0.period = Period(until: second) }
    try await expectFound(["message-1"]) {
      $0.outcome = .failed
      $0.kind = .code
    }
  }
}
