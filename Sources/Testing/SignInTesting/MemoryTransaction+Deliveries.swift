internal import SignInModel
internal import SignInService

extension MemoryTransaction: DeliveryRecords {
  func deliveries(of account: AccountID, from start: Instant, until end: Instant) -> [Delivery] {
    tables.deliveries.values
      .filter { $0.account == account && start <= $0.startsAt && $0.startsAt < end }
      .sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
  }

  func save(_ delivery: Delivery) throws(StoreFault) {
    try write { tables in tables.deliveries[delivery.id] = delivery }
  }

  func delivery(_ id: String) -> Delivery? { tables.deliveries[id] }

  func removeDelivery(_ id: String) throws(StoreFault) {
    try write { tables in tables.deliveries[id] = nil }
  }
}
