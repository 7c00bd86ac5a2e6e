internal import SignInModel
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var activities: [Check] {
    [
      Check(name: "activities are read by organization, in order of time", isKept: activityOrder),
      Check(name: "an activity replaces its earlier version", isKept: activityReplaced),
    ]
  }

  private static func activity(
    _ id: String, startsIn seconds: Int64 = 0, account: String = "account-1",
    organization: String = "north", _ status: Activity.Status = .planned
  ) -> Activity {
    Activity(
      id: id, account: AccountID(account), organization: OrganizationID(organization),
      title: "Title \(id)", place: "Place \(id)", companion: "Companion \(id)",
      startsAt: Examples.start.adding(seconds: seconds),
      endsAt: Examples.start.adding(seconds: seconds + 1), status: status,
      notes: "æøå\n\"two\" lines of \(id) in \(seconds)"
    )
  }

  private static func save(_ activities: [Activity], in store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in
      for activity in activities { try transaction.save(activity) }
    }
  }

  private static func found(_ store: any Store) async throws -> [Activity] {
    try await store.read { transaction throws(StoreFault) in
      try transaction.activities(
        of: AccountID("account-1"), in: OrganizationID("north"), limit: 9)
    }
  }

  private static func activityOrder(_ store: any Store) async throws {
    let wanted = [
      activity("b", .held), activity("c", .cancelled), activity("a", startsIn: 9),
    ]
    let others = [activity("d", organization: "south"), activity("e", account: "account-2")]
    try await save(others + wanted.reversed(), in: store)

    try expect(try await found(store), is: wanted, "the activities")
  }

  private static func activityReplaced(_ store: any Store) async throws {
    let later = activity("a", startsIn: 2, .held)
    try await save([activity("a", startsIn: 1), later], in: store)

    try expect(try await found(store), is: [later], "the activities")
    let (one, none) = try await store.read { transaction throws(StoreFault) in
      (
        try transaction.activity(RecordKey(OrganizationID("north"), "a")),
        try transaction.activity(RecordKey(OrganizationID("north"), "b"))
      )
    }
    try expect(one, is: later, "the activity")
    try expect(none, is: nil, "an unknown activity")
  }
}
