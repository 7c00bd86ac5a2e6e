internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var refusals: [Check] {
    [
      Check(name: "a tally of refusals is read unchanged", isKept: tallyRoundTrip),
      Check(name: "tallies of different sources are separate", isKept: tallySources),
      Check(name: "due tallies are listed oldest first", isKept: tallyDue),
      Check(name: "unreported refusals are summed by code and detail", isKept: tallySums),
    ]
  }

  private static func source(
    code: String = "test.refused", subject: String = "account-1", client: String? = "phone-app",
    network: String? = "192.0.2.1", detail: String? = nil
  ) -> RefusalSource {
    RefusalSource(
      code: SecurityEvent.Code(rawValue: code), subject: subject,
      client: client.map { ClientID($0) }, network: network, detail: detail
    )
  }

  private static func tally(
    _ source: RefusalSource, account: String? = nil, at seconds: Int64 = 0, unreported: Int64 = 0
  ) -> RefusalTally {
    RefusalTally(
      source: source, account: account.map { AccountID($0) }, peer: source.network,
      refusals: RepeatedRefusals(
        reportedAt: Examples.start.adding(seconds: seconds), unreported: unreported
      )
    )
  }

  private static func save(_ tallies: [RefusalTally], in store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in
      for tally in tallies { try transaction.save(tally) }
    }
  }

  private static func found(_ source: RefusalSource, in store: any Store) async throws
    -> RefusalTally?
  {
    try await store.read { transaction throws(StoreFault) in try transaction.refusalTally(source) }
  }

  private static func tallyRoundTrip(_ store: any Store) async throws {
    let full = tally(source(detail: "number"), account: "account-1", at: 1, unreported: 7)
    let bare = tally(source(subject: "", client: nil, network: nil))
    try await save([full, bare], in: store)
    try expect(try await found(full.source, in: store), is: full, "the tally")
    try expect(try await found(bare.source, in: store), is: bare, "the tally with nothing in it")

    let later = tally(full.source, at: 9, unreported: 9_007_199_254_740_991)
    try await save([later], in: store)
    try expect(try await found(full.source, in: store), is: later, "the tally saved again")

    try await store.transact { transaction throws(StoreFault) in
      try transaction.removeRefusalTally(full.source)
      try transaction.removeRefusalTally(full.source)
    }
    try expect(try await found(full.source, in: store), is: nil, "the tally removed")
    try expect(try await found(bare.source, in: store), is: bare, "the other tally")
  }

  private static func tallySources(_ store: any Store) async throws {
    let sources = [
      source(), source(code: "test.other"), source(subject: "account-2"), source(client: "other"),
      source(network: "192.0.2.2"), source(detail: "number"),
    ]
    let tallies = sources.enumerated().map { tally($1, unreported: Int64($0)) }
    try await save(tallies, in: store)
    for one in tallies {
      try expect(try await found(one.source, in: store), is: one, "a tally among others")
    }
  }

  private static func tallyDue(_ store: any Store) async throws {
    let tallies = [3, 1, 2].map { tally(source(subject: "account-\($0)"), at: $0) }
    try await save(tallies, in: store)
    for (moment, limit, expected) in [
      (0, 9, []), (1, 9, [1]), (2, 9, [1, 2]), (3, 2, [1, 2]), (3, 0, []),
    ] as [(Int64, Int, [Int64])] {
      let due = try await store.read { transaction throws(StoreFault) in
        try transaction.refusalTallies(
          reportedUntil: Examples.start.adding(seconds: moment), limit: limit)
      }
      try expect(
        due.map(\.source.subject), is: expected.map { "account-\($0)" }, "due at \(moment)"
      )
    }
  }

  private static func tallySums(_ store: any Store) async throws {
    try await save(
      [
        tally(source(subject: "a"), unreported: 2), tally(source(subject: "b"), unreported: 3),
        tally(source(detail: "number"), unreported: 5), tally(source(code: "test.none")),
      ], in: store)
    let sums = try await store.read { transaction throws(StoreFault) in
      try transaction.unreportedRefusals()
    }
    let code = SecurityEvent.Code(rawValue: "test.refused")
    try expect(
      sums,
      is: [
        UnreportedRefusals(code: code, detail: nil, count: 5),
        UnreportedRefusals(code: code, detail: "number", count: 5),
      ], "the sums"
    )
  }
}
