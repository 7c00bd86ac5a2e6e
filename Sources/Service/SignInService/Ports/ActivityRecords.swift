public import SignInModel

public protocol ActivityRecords {
  /// The account's activities in one organization, by start time.
  func activities(
    of account: AccountID, in organization: OrganizationID
  ) throws(StoreFault) -> [Activity]
  func activity(_ id: String) throws(StoreFault) -> Activity?
  /// Inserts the activity, or takes the place of the one with the same identifier.
  func save(_ activity: Activity) throws(StoreFault)
  /// Does nothing when there is no such activity.
  func removeActivity(_ id: String) throws(StoreFault)
}
