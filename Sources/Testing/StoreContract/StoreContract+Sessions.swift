internal import SignInModel
internal import SignInService
internal import SignInTesting
internal import SignInWire

extension StoreContract {
  static var sessions: [Check] {
    [
      Check(name: "a session is read unchanged, with every kind of end", isKept: sessionRoundTrip),
      Check(name: "only the changeable fields of a session change", isKept: sessionUpdate),
      Check(name: "sessions of an account are read newest first", isKept: sessionOrder),
      Check(name: "expired sessions are removed up to the limit", isKept: sessionRemoval),
      Check(
        name: "sessions with unreported renewals are read up to the limit, and are not removed",
        isKept: sessionRenewals),
    ]
  }

  static var jobs: [Check] {
    [Check(name: "jobs are read by start time and replaced by identifier", isKept: jobOrder)]
  }

  private static func sessionRoundTrip(_ store: any Store) async throws {
    let ends: [EndReason?] = [
      nil, .signedOut, .revoked, .expired, .accountDeactivated, .reuseDetected, .passwordChanged,
      .sessionLimit, .replaced, .noRights,
    ]
    let methods = [[], ["pwd"], ["pwd", "otp", "sms"]]
    for (number, end) in ends.enumerated() {
      var session = Examples.session(
        "session-\(number)", organization: number % 2 == 0 ? OrganizationID("north") : nil,
        methods: methods[number % 3])
      session.end = end
      session.successor = number % 3 == 0 ? SessionID("next") : nil
      session.provider = number % 2 == 0 ? "login" : nil
      session.assurance = number % 3 == 0 ? "high" : nil
      session.authenticatedAt = number % 4 == 0 ? Examples.start.adding(seconds: -9) : nil
      session.renewals = number % 2 == 0 ? renewals(since: Int64(number)) : nil
      try await store.insert(session)
      let found = try await store.read { [session] transaction throws(StoreFault) in
        try transaction.session(session.id)
      }
      try expect(found, is: session, "the session")
    }
    try await expect(.conflict, from: store, "inserting a session twice") {
      transaction throws(StoreFault) in try transaction.insert(Examples.session("session-0"))
    }
    let unknown = try await store.read { transaction throws(StoreFault) in
      try transaction.session(SessionID("unknown"))
    }
    try expect(unknown, is: nil, "an unknown session")
  }

  private static func sessionUpdate(_ store: any Store) async throws {
    try await store.insert(Examples.session(), Examples.session("session-2"))
    var changed = Examples.session()
    changed.lastUsedAt = Examples.start.adding(seconds: 77)
    // The greatest generation that a store accepts, so that sums of stored numbers still fit.
    changed.refreshGeneration = 1 << 53
    changed.end = .revoked
    changed.renewals = renewals(since: 5)
    changed.successor = SessionID("session-9")

    // The same change on a record with another account. Fields that are `let` must stay.
    var forged = Examples.session(account: "account-2", organization: OrganizationID("south"))
    forged.lastUsedAt = changed.lastUsedAt
    forged.refreshGeneration = changed.refreshGeneration
    forged.end = changed.end
    forged.renewals = changed.renewals
    forged.successor = changed.successor
    try await store.transact { [forged] transaction throws(StoreFault) in
      try transaction.update(forged)
    }

    let found = try await store.read { transaction throws(StoreFault) in
      [
        try transaction.session(SessionID("session-1")),
        try transaction.session(SessionID("session-2")),
      ]
    }
    try expect(found, is: [changed, Examples.session("session-2")], "the sessions")
    try await expect(.conflict, from: store, "changing a missing session") {
      transaction throws(StoreFault) in try transaction.update(Examples.session("session-3"))
    }
  }

  private static func renewals(since seconds: Int64) -> SessionRenewals {
    SessionRenewals(
      count: 7, firstAt: Examples.start.adding(seconds: seconds),
      lastAt: Examples.start.adding(seconds: seconds + 2))
  }

  private static func sessionRenewals(_ store: any Store) async throws {
    for (name, since) in [("a", 9), ("b", 1), ("c", 5), ("d", nil)] as [(String, Int64?)] {
      var session = Examples.session(name, lasting: 0..<1)
      session.renewals = since.map(renewals)
      try await store.insert(session)
    }

    for (seconds, limit, expected) in [
      (9, 9, ["b", "c"]), (10, 9, ["b", "c", "a"]), (10, 2, ["b", "c"]), (1, 9, []),
    ] as [(Int64, Int, [String])] {
      let moment = Examples.start.adding(seconds: seconds)
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.sessions(renewedSinceBefore: moment, limit: limit)
      }
      try expect(found.map { $0.id.text }, is: expected, "the sessions before \(seconds)")
    }
    let removed = try await store.transact { transaction throws(StoreFault) in
      try transaction.removeSessions(
        expiredBefore: Examples.start.adding(seconds: 99), limit: 9)
    }
    try expect(removed, is: 1, "the removed sessions")
  }

  private static func sessionOrder(_ store: any Store) async throws {
    var ended = Examples.session("e", lasting: 5..<99)
    ended.end = .signedOut
    try await store.insert(
      Examples.session("b", lasting: 10..<99), Examples.session("a", lasting: 20..<99),
      Examples.session("c", account: "account-2", lasting: 30..<99), ended,
      Examples.session("d", lasting: 5..<99))

    let found = try await store.read { transaction throws(StoreFault) in
      try transaction.sessions(of: AccountID("account-1"))
    }

    try expect(found.map { $0.id.text }, is: ["a", "b", "e", "d"], "the sessions")
    let open = try await store.read { transaction throws(StoreFault) in
      try transaction.openSessions(of: AccountID("account-1"))
    }
    try expect(open.map { $0.id.text }, is: ["a", "b", "d"], "the open sessions")
    let keys = try await store.read { transaction throws(StoreFault) in
      try transaction.proofKeys(ofSessionsOf: AccountID("account-1"))
    }
    try expect(keys, is: Set(found.map(\.proofKeyThumbprint)), "the keys of the sessions")
    let none = try await store.read { transaction throws(StoreFault) in
      try transaction.sessions(of: AccountID("account-3"))
    }
    try expect(none, is: [], "the sessions of an account without any")
  }

  private static func sessionRemoval(_ store: any Store) async throws {
    try await store.insert(
      Examples.session("a", lasting: 0..<1), Examples.session("b", lasting: 0..<2),
      Examples.session("c", lasting: 0..<3))
    let moment = Examples.start.adding(seconds: 3)

    for (limit, expected) in [(1, 1), (5, 1), (5, 0)] {
      let removed = try await store.transact { transaction throws(StoreFault) in
        try transaction.removeSessions(expiredBefore: moment, limit: limit)
      }
      try expect(removed, is: expected, "removed at a limit of \(limit)")
    }

    let left = try await store.read { transaction throws(StoreFault) in
      try transaction.sessions(of: AccountID("account-1"))
    }
    try expect(left.map { $0.id.text }, is: ["c"], "the remaining sessions")
  }

  private static func jobOrder(_ store: any Store) async throws {
    let statuses: [Job.Status] = [.scheduled, .onTheWay, .inProgress, .done]
    let jobs = statuses.enumerated().map { number, status in
      Examples.job("job-\(number)", startsIn: Int64(100 - 10 * number), status: status)
    }
    let twin = Examples.job("job-2-twin", startsIn: 80)

    let found = try await store.transact { transaction throws(StoreFault) in
      for job in jobs + [twin] { try transaction.save(job) }
      try transaction.save(Examples.job("other", account: "account-2"))
      try transaction.save(Examples.job("job-0", startsIn: 75, status: .done))
      return try transaction.jobs(of: AccountID("account-1"))
    }

    let moved = Examples.job("job-0", startsIn: 75, status: .done)
    try expect(found, is: [jobs[3], moved, jobs[2], twin, jobs[1]], "the jobs")
  }
}
