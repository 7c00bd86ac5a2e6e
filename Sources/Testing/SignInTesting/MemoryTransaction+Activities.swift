internal import SignInModel
internal import SignInService

extension MemoryTransaction: ActivityRecords {
  func activities(
    of account: AccountID, in organization: OrganizationID, limit: Int
  ) -> [Activity] {
    tables.activities.values.filter { $0.account == account && $0.organization == organization }
      .sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
      .mostRelevant(limit, start: { $0.startsAt }, isOver: { $0.status != .planned })
  }

  func activity(_ key: RecordKey) -> Activity? { tables.activities[key] }

  func activities(named id: String, limit: Int) -> [Activity] {
    let found = tables.activities.values.filter { $0.id == id }
    return Array(found.sorted { $0.key.text < $1.key.text }.prefix(limit))
  }

  func save(_ activity: Activity) throws(StoreFault) {
    try write { tables in tables.activities[activity.key] = activity }
  }

  func removeActivity(_ key: RecordKey) throws(StoreFault) {
    try write { tables in tables.activities[key] = nil }
  }
}

extension Array {
  /// Returns the first open elements, and fills the remaining places with the last closed ones.
  ///
  /// The order is that of this array, which is sorted by start.
  func mostRelevant(
    _ limit: Int, start: (Element) -> Instant, isOver: (Element) -> Bool
  ) -> [Element] {
    let open = indices.filter { !isOver(self[$0]) }.prefix(limit)
    // Of closed elements with the same start, the first ones are chosen, as with the open ones.
    let over = indices.filter { isOver(self[$0]) }
      .sorted { (start(self[$1]), $0) < (start(self[$0]), $1) }
    let kept = open + over.prefix(limit - open.count)
    return kept.sorted().map { self[$0] }
  }
}
