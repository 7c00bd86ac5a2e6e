internal import SignInModel
internal import SignInService
internal import SignInTesting
internal import SignInWire

/// The contract for records of other systems and for people's changes to them.
extension StoreContract {
  static var data: [Check] {
    [
      Check(name: "each version is greater than the previous one", isKept: versions),
      Check(name: "a job is read with its version until it is removed", isKept: jobRecord),
      Check(
        name: "a delivery comes back with its version until it is removed", isKept: deliveryRecord),
      Check(
        name: "an activity comes back with its version until it is removed",
        isKept: activityRecord),
      Check(
        name: "a product comes back with its version until it is removed", isKept: productRecord),
      Check(name: "a short list has the most relevant records", isKept: mostRelevant),
      Check(name: "a list can show the work of one organization", isKept: workOfOneOrganization),
      Check(name: "a service request is found by its identifier", isKept: serviceRequestFound),
      Check(name: "changes are read from a number on, oldest first", isKept: changesRead),
      Check(name: "the number of a change is never used twice", isKept: changeNumbers),
      Check(name: "old changes are removed up to the limit", isKept: changesRemoved),
      Check(name: "each receiver of changes has its own position", isKept: acceptedChanges),
    ]
  }

  private static let north = OrganizationID("north")

  private static func versions(_ store: any Store) async throws {
    for organization in [nil, north] {
      let found = try await store.transact { transaction throws(StoreFault) in
        let first = try transaction.nextVersion(in: organization)
        _ = try transaction.nextVersion(in: OrganizationID("south"))
        return [first, try transaction.nextVersion(in: organization)]
      }
      let later = try await store.transact { transaction throws(StoreFault) in
        try transaction.nextVersion(in: organization)
      }
      let all = found + [later]
      try expect(all[0] > 1, is: true, "that none is that of the demo")
      try expect(all, is: [all[0], all[0] + 1, all[0] + 2], "that others change nothing")
    }
  }

  private static func acceptedChanges(_ store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in
      try transaction.saveAcceptedChange(3, by: "a")
      try transaction.saveAcceptedChange(5, by: "a")
      try transaction.saveAcceptedChange(4, by: "b")
    }
    let found = try await store.read { transaction throws(StoreFault) in
      [
        try transaction.acceptedChange(by: "a"), try transaction.acceptedChange(by: "b"),
        try transaction.acceptedChange(by: "c"),
      ]
    }
    try expect(found, is: [5, 4, nil], "the positions")
  }

  private static func jobRecord(_ store: any Store) async throws {
    var job = Examples.job("record", account: "account-1")
    job.version = 7
    let saved = job
    try await keepAndRemove(
      saved, in: store,
      save: { (transaction, job) throws(StoreFault) in try transaction.save(job) },
      find: { (transaction) throws(StoreFault) in try transaction.job(saved.key) },
      remove: { (transaction, id) throws(StoreFault) in
        try transaction.removeJob(RecordKey(saved.organization, id))
      })
  }

  private static func deliveryRecord(_ store: any Store) async throws {
    let delivery = Delivery(
      id: "record", account: AccountID("account-1"), recipient: "Recipient", place: "Place",
      parcels: 3, startsAt: Examples.start, endsAt: Examples.start.adding(seconds: 9),
      status: .pickedUp, version: 9
    )
    try await keepAndRemove(
      delivery, in: store,
      save: { (transaction, delivery) throws(StoreFault) in try transaction.save(delivery) },
      find: { (transaction) throws(StoreFault) in try transaction.delivery(RecordKey(nil, "record"))
      },
      remove: { (transaction, id) throws(StoreFault) in
        try transaction.removeDelivery(RecordKey(nil, id))
      })
  }

  private static func activityRecord(_ store: any Store) async throws {
    let activity = Activity(
      id: "record", account: AccountID("account-1"), organization: OrganizationID("north"),
      title: "Title", place: "Place", companion: "Kari", startsAt: Examples.start,
      endsAt: Examples.start, status: .held, notes: "Words", version: 11
    )
    try await keepAndRemove(
      activity, in: store,
      save: { (transaction, activity) throws(StoreFault) in try transaction.save(activity) },
      find: { (transaction) throws(StoreFault) in
        try transaction.activity(RecordKey(OrganizationID("north"), "record"))
      },
      remove: { (transaction, id) throws(StoreFault) in
        try transaction.removeActivity(RecordKey(OrganizationID("north"), id))
      })
  }

  private static func productRecord(_ store: any Store) async throws {
    let product = Product(
      entry: ProductEntry(
        id: ProductID("record"), name: "Name", model: "Model", serialNumber: "1",
        category: "Fridge", warrantyProvider: nil, purchasedOn: nil, warrantyExpiresOn: nil
      ), createdAt: Examples.start, holder: .owner(AccountID("account-1")), position: 3,
      version: 13
    )
    try await keepAndRemove(
      product, in: store,
      save: { (transaction, product) throws(StoreFault) in try transaction.save(product) },
      find: { (transaction) throws(StoreFault) in try transaction.product(ProductID("record")) },
      remove: { (transaction, id) throws(StoreFault) in
        try transaction.removeProduct(ProductID(id))
      })
  }

  /// Saves and removes a record with the identifier `record`.
  private static func keepAndRemove<Record: Equatable & Sendable>(
    _ record: Record, in store: any Store,
    save: @escaping @Sendable (any Transaction, Record) throws(StoreFault) -> Void,
    find: @escaping @Sendable (any Transaction) throws(StoreFault) -> Record?,
    remove: @escaping @Sendable (any Transaction, String) throws(StoreFault) -> Void
  ) async throws {
    try await store.transact { transaction throws(StoreFault) in try save(transaction, record) }
    try expect(try await store.read(find), is: record, "the record")
    for removed in ["other", "record"] {
      try await store.transact { transaction throws(StoreFault) in
        try remove(transaction, removed)
      }
      let left = removed == "record" ? nil : record
      try expect(try await store.read(find), is: left, "the record after removing \(removed)")
    }
  }

  private static func serviceRequestFound(_ store: any Store) async throws {
    let request = ServiceRequestEntry(
      id: "request", product: ProductID("p"), productName: "Name",
      account: AccountID("account-1"), description: "It hums.", createdAt: Examples.start
    )
    try await store.transact { transaction throws(StoreFault) in try transaction.insert(request) }
    let found = try await store.read { transaction throws(StoreFault) in
      [try transaction.serviceRequest("request"), try transaction.serviceRequest("other")]
    }
    try expect(found, is: [request, nil], "the request, and another")
  }

  private static func change(
    _ id: String, in seconds: Int64 = 0, account: String = "account-1",
    of organization: OrganizationID? = nil
  ) -> DataChange {
    DataChange(
      at: Examples.start.adding(seconds: seconds), kind: .delivery,
      key: RecordKey(organization, id), act: .statusChanged,
      account: AccountID(account), status: id == "b" ? nil : "delivered",
      version: id == "b" ? nil : 5
    )
  }

  private static func append(_ changes: [DataChange], in store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in
      for change in changes { try transaction.append(change) }
    }
  }

  private static func changesRead(_ store: any Store) async throws {
    let changes = [change("a"), change("b", in: 1), change("c", in: 2)]
    try await append(changes, in: store)
    let numbered = changes.enumerated().map { index, change in
      var change = change
      change.sequence = Int64(index + 1)
      return change
    }
    for (after, limit, expected) in [
      (0, 9, numbered), (0, 2, Array(numbered[..<2])), (1, 9, Array(numbered[1...])), (3, 9, []),
    ] as [(Int64, Int, [DataChange])] {
      let found = try await store.read { transaction throws(StoreFault) in
        try transaction.changes(after: after, of: nil, limit: limit)
      }
      try expect(found, is: expected, "changes after \(after), at most \(limit)")
    }
    let bounds = try await bounds(of: store)
    try expect(bounds, is: [0, 3], "the last removed and the newest")
  }

  private static func changeNumbers(_ store: any Store) async throws {
    try await store.insert(try Examples.account(1))
    let account = try Examples.account(1).id.text
    try await append(
      [change("a", account: "another"), change("b", account: account)], in: store)
    _ = try await store.transact { transaction throws(StoreFault) in
      try transaction.removeAccount(AccountID(account))
    }
    try await append([change("c")], in: store)
    let found = try await store.read { transaction throws(StoreFault) in
      try transaction.changes(after: 0, of: nil, limit: 9).map { "\($0.sequence) \($0.id)" }
    }
    try expect(found, is: ["1 a", "3 c"], "the changes after an account was removed")
  }

  private static func changesRemoved(_ store: any Store) async throws {
    try await append((1...3).map { change("a", in: $0) }, in: store)
    for (limit, expected, removedTo) in [(1, 1, 1), (5, 1, 2), (5, 0, 2)] as [(Int, Int, Int64)] {
      let removed = try await store.transact { transaction throws(StoreFault) in
        let moment = Examples.start.adding(seconds: 3)
        return try transaction.removeChanges(madeBefore: moment, limit: limit)
      }
      try expect(removed, is: expected, "removed at a limit of \(limit)")
      try expect(try await bounds(of: store), is: [removedTo, 3], "the bounds")
    }
    _ = try await store.transact { transaction throws(StoreFault) in
      try transaction.removeChanges(madeBefore: Examples.start.adding(seconds: 9), limit: 9)
    }
    try expect(try await bounds(of: store), is: [3, 3], "the bounds of none")
    try await append([change("d")], in: store)
    try expect(try await bounds(of: store), is: [3, 4], "the bounds of one more")
  }

  private static func bounds(of store: any Store) async throws -> [Int64] {
    try await store.read { transaction throws(StoreFault) in
      let bounds = try transaction.changeBounds()
      return [bounds.removed, bounds.last]
    }
  }
}
