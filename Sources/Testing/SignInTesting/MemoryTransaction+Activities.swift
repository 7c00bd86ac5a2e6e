internal import SignInModel
internal import SignInService

extension MemoryTransaction: ActivityRecords {
  func activities(of account: AccountID, in organization: OrganizationID) -> [Activity] {
    tables.activities.values.filter { $0.account == account && $0.organization == organization }
      .sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
  }

  func activity(_ id: String) -> Activity? { tables.activities[id] }

  func save(_ activity: Activity) throws(StoreFault) {
    try write { tables in tables.activities[activity.id] = activity }
  }

  func removeActivity(_ id: String) throws(StoreFault) {
    try write { tables in tables.activities[id] = nil }
  }
}
