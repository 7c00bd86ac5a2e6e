internal import SignInModel
internal import SignInService

extension MemoryTransaction: DeliveryRecords {
  func deliveries(of account: AccountID, from start: Instant, until end: Instant) -> [Delivery] {
    tables.deliveries.values
      .filter { $0.account == account && start <= $0.startsAt && $0.startsAt < end }
      .sorted { ($0.startsAt, $0.key.text) < ($1.startsAt, $1.key.text) }
  }

  func deliveries(
    of account: AccountID, in organization: OrganizationID?, withShared: Bool,
    during time: Range<Instant>, limit: Int
  ) -> [Delivery] {
    deliveries(of: account, from: time.lowerBound, until: time.upperBound)
      .filter { $0.organization.isShown(in: organization, withShared) }
      .mostRelevant(
        limit, start: { $0.startsAt },
        isOver: { $0.status == .delivered || $0.status == .failed })
  }

  func deliveryCounts(
    of account: AccountID, in organization: OrganizationID?, withShared: Bool,
    during time: Range<Instant>
  ) -> [Delivery.Status: Int64] {
    deliveries(of: account, from: time.lowerBound, until: time.upperBound)
      .filter { $0.organization.isShown(in: organization, withShared) }
      .reduce(into: [:]) { $0[$1.status, default: 0] += 1 }
  }

  func save(_ delivery: Delivery) throws(StoreFault) {
    try write { tables in tables.deliveries[delivery.key] = delivery }
  }

  func delivery(_ key: RecordKey) -> Delivery? { tables.deliveries[key] }

  func deliveries(named id: String, limit: Int) -> [Delivery] {
    let found = tables.deliveries.values.filter { $0.organization != nil && $0.id == id }
    return Array(found.sorted { $0.key.text < $1.key.text }.prefix(limit))
  }

  func removeDelivery(_ key: RecordKey) throws(StoreFault) {
    try write { tables in tables.deliveries[key] = nil }
  }
}

extension OrganizationID? {
  /// Whether a record of this organization is shown in a session of `other`.
  func isShown(in other: OrganizationID?, _ withShared: Bool) -> Bool {
    guard let own = self else { return withShared }
    return other == nil || own == other
  }
}
