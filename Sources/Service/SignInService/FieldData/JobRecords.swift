public import SignInModel

public protocol JobRecords {
  /// The account's jobs, in order of their start.
  func jobs(of account: AccountID) throws(StoreFault) -> [Job]
  /// At most `limit` of the account's jobs, in order of their start.
  ///
  /// With an organization, those of other organizations are left out. Those without an organization
  /// are among them only `withShared`.
  /// If there are more, jobs that are not done come first, beginning with the earliest. The latest
  /// of the others fill the rest.
  func jobs(
    of account: AccountID, in organization: OrganizationID?, withShared: Bool, limit: Int
  ) throws(StoreFault) -> [Job]
  /// Inserts the job, or replaces the one with the same key.
  func save(_ job: Job) throws(StoreFault)
  func job(_ key: RecordKey) throws(StoreFault) -> Job?
  /// At most `limit` jobs of organizations that have this id.
  func jobs(named id: String, limit: Int) throws(StoreFault) -> [Job]
  /// Does nothing if there is no such job.
  func removeJob(_ key: RecordKey) throws(StoreFault)
}
