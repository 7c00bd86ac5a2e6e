internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var decisions: [Check] {
    [
      Check(name: "a decision that throws undoes all its writes", isKept: rollback),
      Check(name: "a decision that throws undoes no writes of others", isKept: neighbours),
      Check(name: "a caught conflict undoes only its own write", isKept: caughtConflict),
      Check(name: "decisions never overlap", isKept: isolation),
      Check(name: "a decision sees its own writes", isKept: ownWrites),
      Check(name: "a read sees acknowledged writes in one state", isKept: durableReads),
    ]
  }

  private static let decisionCount = 200

  private static func rollback(_ store: any Store) async throws {
    let remaining = try Examples.account(1)
    let undone = try Examples.account(2)
    try await store.insert(remaining)

    try await expect(.unavailable("changed my mind"), from: store, "the decision's own fault") {
      transaction throws(StoreFault) in
      var renamed = remaining
      renamed.name = "Renamed"
      try transaction.update(renamed)
      try transaction.insert(undone)
      try transaction.insert(Examples.session())
      throw .unavailable("changed my mind")
    }

    let found = try await store.read { transaction throws(StoreFault) in
      [try transaction.account(remaining.id), try transaction.account(undone.id)]
    }
    try expect(found, is: [remaining, nil], "the accounts")
    let session = try await store.read { transaction throws(StoreFault) in
      try transaction.session(SessionID("session-1"))
    }
    try expect(session, is: nil, "the session")
  }

  private static func neighbours(_ store: any Store) async throws {
    let right = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<decisionCount {
        group.addTask { try await isDecidedAlone(number, in: store) }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    try expect(right, is: decisionCount, "decisions answered as they decided")

    let found = try await store.read { transaction throws(StoreFault) in
      try transaction.sessions(of: AccountID("account-1")).count
    }
    try expect(found, is: decisionCount - (decisionCount + 2) / 3, "sessions kept")
  }

  /// Makes every third decision throw after its write, and returns whether the answer is the
  /// expected one.
  private static func isDecidedAlone(_ number: Int, in store: any Store) async throws -> Bool {
    do throws(StoreFault) {
      try await store.transact { transaction throws(StoreFault) in
        try transaction.insert(Examples.session("session-\(number)"))
        if number % 3 == 0 { throw .unavailable("number \(number)") }
      }
      return number % 3 != 0
    } catch {
      return error == .unavailable("number \(number)")
    }
  }

  private static func caughtConflict(_ store: any Store) async throws {
    try await store.insert(Examples.session("taken"))

    let conflicted = try await store.transact { transaction throws(StoreFault) in
      try transaction.insert(Examples.session("before"))
      var conflicted = false
      do throws(StoreFault) {
        try transaction.insert(Examples.session("taken", lasting: 99..<999))
      } catch {
        conflicted = error == .conflict
      }
      try transaction.insert(Examples.session("later"))
      return conflicted
    }

    try expect(conflicted, is: true, "the conflict")
    let found = try await store.read { transaction throws(StoreFault) in
      try transaction.sessions(of: AccountID("account-1"))
    }
    try expect(found.map { $0.id.text }, is: ["taken", "later", "before"], "the sessions")
  }

  private static func isolation(_ store: any Store) async throws {
    try await store.insert(Examples.session())
    let before = Examples.session().refreshGeneration

    let seen = try await withThrowingTaskGroup(of: Int64.self) { group in
      for _ in 0..<decisionCount {
        group.addTask {
          try await store.transact { transaction throws(StoreFault) in
            guard var session = try transaction.session(SessionID("session-1")) else { return -1 }
            session.refreshGeneration += 1
            try transaction.update(session)
            return session.refreshGeneration
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }

    let expected = (1...Int64(decisionCount)).map { before + $0 }
    try expect(seen.sorted(), is: expected, "each increment seen once")
    let after = try await store.read { transaction throws(StoreFault) in
      try transaction.session(SessionID("session-1"))?.refreshGeneration
    }
    try expect(after, is: before + Int64(decisionCount), "the counter")
  }

  private static func ownWrites(_ store: any Store) async throws {
    let seen = try await store.transact { transaction throws(StoreFault) in
      let before = try transaction.session(SessionID("session-1"))
      try transaction.insert(Examples.session())
      return [before, try transaction.session(SessionID("session-1"))]
    }
    try expect(seen, is: [nil, Examples.session()], "the session before and after")
  }

  /// Two counters change together in every decision, so that every read must find them equal.
  private static func durableReads(_ store: any Store) async throws {
    let ids = [SessionID("one"), SessionID("two")]
    try await store.insert(Examples.session("one"), Examples.session("two"))

    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<decisionCount {
        group.addTask {
          let answered = try await store.transact { transaction throws(StoreFault) in
            try advance(ids, in: transaction)
          }
          let seen = try await store.read { transaction throws(StoreFault) in
            [
              try transaction.session(ids[0])?.refreshGeneration ?? -1,
              try transaction.session(ids[1])?.refreshGeneration ?? -2,
            ]
          }
          try expect(seen[0], is: seen[1], "one state of the two counters")
          try expect(seen[0] >= answered, is: true, "a look sees what was answered")
        }
      }
      try await group.waitForAll()
    }
  }

  private static func advance(
    _ ids: [SessionID], in transaction: any Transaction
  ) throws(StoreFault) -> Int64 {
    var answer: Int64 = 0
    for id in ids {
      guard var session = try transaction.session(id) else { throw .conflict }
      session.refreshGeneration += 1
      answer = session.refreshGeneration
      try transaction.update(session)
    }
    return answer
  }
}
