internal import SignInModel
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var deliveries: [Check] {
    [
      Check(name: "an account's deliveries in a period are read in order", isKept: deliveryOrder),
      Check(name: "a delivery replaces its earlier version", isKept: deliveryReplaced),
    ]
  }

  private static func delivery(
    _ id: String, startsIn seconds: Int64, account: String = "account-1",
    _ status: Delivery.Status = .assigned
  ) -> Delivery {
    Delivery(
      id: id, account: AccountID(account), recipient: "Recipient \(id)", place: "Place \(id)",
      parcels: 3, startsAt: Examples.start.adding(seconds: seconds),
      endsAt: Examples.start.adding(seconds: seconds + 1), status: status, phone: "+91 22 1",
      instructions: "Leave it at the gate.", organization: OrganizationID("org-\(id)"),
      statusNote: "The gate was locked."
    )
  }

  private static func found(_ store: any Store) async throws -> [Delivery] {
    try await store.read { transaction throws(StoreFault) in
      try transaction.deliveries(
        of: AccountID("account-1"), from: Examples.start,
        until: Examples.start.adding(seconds: 10)
      )
    }
  }

  private static func save(_ deliveries: [Delivery], in store: any Store) async throws {
    try await store.transact { transaction throws(StoreFault) in
      for delivery in deliveries { try transaction.save(delivery) }
    }
  }

  private static func deliveryOrder(_ store: any Store) async throws {
    let wanted = [
      delivery("b", startsIn: 0, .delivered), delivery("c", startsIn: 0, .failed),
      delivery("a", startsIn: 9, .pickedUp),
    ]
    let others = [
      delivery("d", startsIn: -1), delivery("e", startsIn: 10),
      delivery("f", startsIn: 1, account: "account-2"),
    ]
    try await save(others + wanted.reversed(), in: store)
    try expect(try await found(store), is: wanted, "the deliveries")
  }

  private static func deliveryReplaced(_ store: any Store) async throws {
    let later = delivery("a", startsIn: 2, .delivered)
    try await save([delivery("a", startsIn: 1), later], in: store)
    try expect(try await found(store), is: [later], "the deliveries")
  }
}
