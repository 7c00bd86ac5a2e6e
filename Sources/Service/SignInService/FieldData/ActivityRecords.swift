public import SignInModel

public protocol ActivityRecords {
  /// At most `limit` of the account's activities in one organization, in order of their start.
  ///
  /// If there are more, planned activities come first, beginning with the earliest. The latest of
  /// the others fill the rest.
  func activities(
    of account: AccountID, in organization: OrganizationID, limit: Int
  ) throws(StoreFault) -> [Activity]
  func activity(_ key: RecordKey) throws(StoreFault) -> Activity?
  /// At most `limit` activities that have this id.
  func activities(named id: String, limit: Int) throws(StoreFault) -> [Activity]
  /// Inserts the activity, or replaces the one with the same key.
  func save(_ activity: Activity) throws(StoreFault)
  /// Does nothing if there is no such activity.
  func removeActivity(_ key: RecordKey) throws(StoreFault)
}
