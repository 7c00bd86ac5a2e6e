public import SignInModel

/// The changes that people made in the apps, in their order, for other systems.
public protocol ChangeRecords {
  /// Appends a change.
  ///
  /// Its sequence number is the last one plus one.
  func append(_ change: DataChange) throws(StoreFault)
  /// At most `limit` changes after `sequence`, oldest first.
  ///
  /// With organizations, only the changes of their records.
  func changes(
    after sequence: Int64, of organizations: [OrganizationID]?, limit: Int
  ) throws(StoreFault) -> [DataChange]
  /// The sequence numbers of the last change that was removed and of the newest change.
  ///
  /// A number is zero if there is no such change.
  func changeBounds() throws(StoreFault) -> (removed: Int64, last: Int64)
  /// The sequence number of the last removed change of these organizations' records; zero if there
  /// is none.
  func removedChange(of organizations: [OrganizationID]) throws(StoreFault) -> Int64
  /// Removes at most `limit` changes made before `moment`, oldest first, and returns how many.
  func removeChanges(madeBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}
