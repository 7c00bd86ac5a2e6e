internal import SignInModel
internal import SignInService
internal import SignInTesting

/// The contract for lists that show only a part of a person's records.
extension StoreContract {
  /// Each record is named after its start.
  ///
  /// Closed records have an odd number.
  static func mostRelevant(_ store: any Store) async throws {
    let account = AccountID("account-1")
    let (start, end) = (Examples.start, Examples.start.adding(seconds: 100))
    try await store.transact { transaction throws(StoreFault) in
      for number in 0..<8 {
        let (id, at) = ("\(number)", start.adding(seconds: Int64(number)))
        let isOver = number % 2 == 1
        try transaction.save(
          Examples.job(id, startsIn: Int64(number), status: isOver ? .done : .onTheWay))
        try transaction.save(
          Delivery(
            id: id, account: account, recipient: "R", place: "P", parcels: 1, startsAt: at,
            endsAt: at, status: isOver ? (number == 1 ? .failed : .delivered) : .assigned))
        try transaction.save(
          Activity(
            id: id, account: account, organization: OrganizationID("north"), title: "T",
            place: "P", companion: "K", startsAt: at, endsAt: at,
            status: isOver ? .held : .planned, notes: ""))
      }
      try transaction.save(Examples.job("other", account: "account-2"))
    }
    let shown: [(limit: Int, ids: String)] = [
      (0, ""), (1, "0"), (4, "0246"), (5, "02467"), (7, "0234567"), (8, "01234567"),
      (9, "01234567"),
    ]
    for (limit, ids) in shown {
      let found = try await store.read { transaction throws(StoreFault) in
        [
          try transaction.jobs(of: account, in: nil, withShared: true, limit: limit).map(\.id),
          try transaction.deliveries(
            of: account, in: nil, withShared: true, during: start..<end, limit: limit
          ).map(\.id),
          try transaction.activities(of: account, in: OrganizationID("north"), limit: limit).map(
            \.id),
        ]
      }
      try expect(found.map { $0.joined() }, is: [ids, ids, ids], "\(limit) records")
    }
    let counts = try await store.read { transaction throws(StoreFault) in
      try transaction.deliveryCounts(
        of: account, in: nil, withShared: true,
        during: start..<start.adding(seconds: 7))
    }
    try expect(counts, is: [.assigned: 4, .failed: 1, .delivered: 2], "the numbers of each status")
  }

  /// A record of no organization is shown in each, unless they are left out, and without an
  /// organization all are shown.
  static func workOfOneOrganization(_ store: any Store) async throws {
    let account = AccountID("account-1")
    let (start, end) = (Examples.start, Examples.start.adding(seconds: 100))
    let (north, south) = (OrganizationID("north"), OrganizationID("south"))
    try await store.transact { transaction throws(StoreFault) in
      for (id, organization) in [("0", nil), ("1", north), ("2", south)] {
        try transaction.save(
          Job(
            id: id, account: account, title: "T", customer: "C", place: "P", startsAt: start,
            endsAt: start, status: .scheduled, organization: organization))
        try transaction.save(
          Delivery(
            id: id, account: account, recipient: "R", place: "P", parcels: 1, startsAt: start,
            endsAt: start, status: .assigned, organization: organization))
      }
    }
    let shown: [(OrganizationID?, Bool, String)] = [
      (nil, true, "012"), (north, true, "01"), (south, true, "02"),
      (OrganizationID("east"), true, "0"), (nil, false, "12"), (north, false, "1"),
      (OrganizationID("east"), false, ""),
    ]
    for (organization, withShared, ids) in shown {
      let (found, counts) = try await store.read { transaction throws(StoreFault) in
        (
          [
            try transaction.jobs(
              of: account, in: organization, withShared: withShared, limit: 9
            ).map(\.id),
            try transaction.deliveries(
              of: account, in: organization, withShared: withShared, during: start..<end,
              limit: 9
            ).map(\.id),
          ],
          try transaction.deliveryCounts(
            of: account, in: organization, withShared: withShared, during: start..<end)
        )
      }
      try expect(
        found.map { $0.joined() }, is: [ids, ids], "work in \(organization?.text ?? "all")")
      let expected: [Delivery.Status: Int64] =
        ids.isEmpty ? [:] : [.assigned: Int64(ids.utf8.count)]
      try expect(counts, is: expected, "the numbers of each status")
    }
  }
}
