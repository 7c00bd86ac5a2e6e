internal import SignInModel
internal import SignInService
internal import SignInTesting
internal import SignInWire

/// The contract for ids that senders choose: each is unique in one organization only.
extension StoreContract {
  static var recordKeys: [Check] {
    [
      Check(name: "an id is unique in its organization only", isKept: sameIDs),
      Check(name: "products of one id are apart in the owner's app", isKept: shownProducts),
      Check(name: "changes are read by organization, also after removals", isKept: changesOfOne),
      Check(name: "a service request has its product's organization", isKept: requestOfOne),
    ]
  }

  private static let account = AccountID("account-1")
  private static let north = OrganizationID("north")
  private static let south = OrganizationID("south")

  private static func job(_ organization: OrganizationID?) -> Job {
    Job(
      id: "x", account: account, title: organization?.text ?? "none", customer: "C", place: "P",
      startsAt: Examples.start, endsAt: Examples.start, status: .done, organization: organization)
  }

  private static func delivery(_ organization: OrganizationID?) -> Delivery {
    Delivery(
      id: "x", account: account, recipient: organization?.text ?? "none", place: "P", parcels: 1,
      startsAt: Examples.start, endsAt: Examples.start, status: .failed,
      organization: organization)
  }

  private static func activity(_ organization: OrganizationID) -> Activity {
    Activity(
      id: "x", account: account, organization: organization, title: organization.text, place: "P",
      companion: "C", startsAt: Examples.start, endsAt: Examples.start, status: .held)
  }

  private static func product(
    _ organization: OrganizationID?, shownAs shown: String? = nil
  ) -> Product {
    Product(
      entry: ProductEntry(
        id: ProductID("x"), name: organization?.text ?? "none", model: "M", serialNumber: "1",
        category: "C", warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil),
      createdAt: Examples.start, holder: .owner(account), position: 1, organization: organization,
      shownID: shown.map { ProductID($0) })
  }

  private static func sameIDs(_ store: any Store) async throws {
    let spaces = [nil, north, south]
    try await store.transact { transaction throws(StoreFault) in
      for space in spaces {
        try transaction.save(job(space))
        try transaction.save(delivery(space))
        try transaction.save(product(space))
        if let space { try transaction.save(activity(space)) }
      }
      try transaction.removeJob(RecordKey(north, "x"))
      try transaction.removeDelivery(RecordKey(nil, "x"))
      try transaction.removeActivity(RecordKey(south, "x"))
      try transaction.removeProduct(product(south).id)
    }
    let read = try await store.read { transaction throws(StoreFault) in
      [
        try spaces.map { (space) throws(StoreFault) in
          try transaction.job(RecordKey(space, "x"))?.title
        },
        try spaces.map { (space) throws(StoreFault) in
          try transaction.delivery(RecordKey(space, "x"))?.recipient
        },
        try spaces.map { (space) throws(StoreFault) in
          try transaction.activity(RecordKey(space, "x"))?.title
        },
        try spaces.map { (space) throws(StoreFault) in
          try transaction.product(product(space).id)?.entry.name
        },
      ]
    }
    try expect(
      read,
      is: [
        ["none", nil, "south"], [nil, "north", "south"], [nil, "north", nil],
        ["none", "north", nil],
      ], "the records of each space")
    let named = try await store.read { transaction throws(StoreFault) in
      [
        try transaction.jobs(named: "x", limit: 2).map(\.title),
        try transaction.deliveries(named: "x", limit: 2).map(\.recipient),
        try transaction.deliveries(named: "x", limit: 1).map(\.recipient),
        try transaction.activities(named: "x", limit: 2).map(\.title),
        try transaction.products(named: "x", limit: 2).map(\.entry.name),
        try transaction.jobs(named: "y", limit: 2).map(\.title),
      ]
    }
    try expect(
      named, is: [["south"], ["north", "south"], ["north"], ["north"], ["north"], []],
      "the records of organizations with the id")
  }

  private static func shownProducts(_ store: any Store) async throws {
    let saved = [product(nil), product(north, shownAs: "north~x"), product(south, shownAs: "y")]
    try await store.transact { transaction throws(StoreFault) in
      for product in saved { try transaction.save(product) }
      try transaction.save(
        ProductRemoval(
          owner: account, product: ProductID("x"), key: RecordKey(nil, "x"), position: 1,
          removedAt: Examples.start))
      // Another product with this id in the app is still removed.
      try transaction.save(saved[1])
    }
    let found = try await store.read { transaction throws(StoreFault) in
      try ["x", "north~x", "y", "z"].map { (id) throws(StoreFault) in
        try transaction.product(shownAs: ProductID(id), to: account)
      }
    }
    try expect(found, is: saved + [nil], "the products by their ids in the app")
    let (none, removals) = try await store.read { transaction throws(StoreFault) in
      (
        try transaction.product(shownAs: ProductID("x"), to: AccountID("account-2")),
        try transaction.productRemovals(of: account, after: 0, limit: 9).map(\.product.text)
      )
    }
    try expect(none, is: nil, "the product of another owner")
    try expect(removals, is: ["x"], "the removals")
  }

  private static func change(
    _ organization: OrganizationID?, in seconds: Int64
  ) -> DataChange {
    DataChange(
      at: Examples.start.adding(seconds: seconds), kind: .job, key: RecordKey(organization, "x"),
      act: .statusChanged, account: account)
  }

  private static func changesOfOne(_ store: any Store) async throws {
    let spaces = [nil, north, south, nil, north]
    try await store.transact { transaction throws(StoreFault) in
      for (second, space) in spaces.enumerated() {
        try transaction.append(change(space, in: Int64(second)))
      }
    }
    let reads: [(Int64, [OrganizationID]?, Int, [Int64])] = [
      (0, nil, 9, [1, 2, 3, 4, 5]), (0, [north], 9, [2, 5]), (2, [north], 9, [5]),
      (0, [north], 1, [2]), (0, [north, south], 9, [2, 3, 5]), (0, [], 9, []),
    ]
    for (after, organizations, limit, expected) in reads {
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.changes(after: after, of: organizations, limit: limit).map(\.sequence)
      }
      try expect(found, is: expected, "the changes of \(organizations ?? [])")
    }
    let removed = try await store.transact { transaction throws(StoreFault) in
      let count = try transaction.removeChanges(
        madeBefore: Examples.start.adding(seconds: 3), limit: 9)
      return [
        Int64(count), try transaction.removedChange(of: [north]),
        try transaction.removedChange(of: [north, south]),
        try transaction.removedChange(of: [OrganizationID("east")]),
      ]
    }
    try expect(removed, is: [3, 2, 3, 0], "the removed changes, and the last of each")
  }

  private static func requestOfOne(_ store: any Store) async throws {
    let requests = [nil, north].map { organization in
      ServiceRequestEntry(
        id: organization?.text ?? "none", product: ProductID("x"), productName: "Name",
        account: account, description: "It hums.", createdAt: Examples.start,
        organization: organization)
    }
    try await store.transact { transaction throws(StoreFault) in
      for request in requests { try transaction.insert(request) }
    }
    let found = try await store.read { transaction throws(StoreFault) in
      [try transaction.serviceRequest("none"), try transaction.serviceRequest("north")]
    }
    try expect(found, is: requests, "the requests")
  }
}
