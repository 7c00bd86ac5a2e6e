public import SignInModel

public protocol ActivityRecords {
  /// At most `limit` of the account's activities in one organization, by start time: first those
  /// that are planned, the earliest first, then the latest of the others.
  func activities(
    of account: AccountID, in organization: OrganizationID, limit: Int
  ) throws(StoreFault) -> [Activity]
  func activity(_ id: String) throws(StoreFault) -> Activity?
  /// Inserts the activity, or takes the place of the one with the same identifier.
  func save(_ activity: Activity) throws(StoreFault)
  /// Does nothing when there is no such activity.
  func removeActivity(_ id: String) throws(StoreFault)
}
