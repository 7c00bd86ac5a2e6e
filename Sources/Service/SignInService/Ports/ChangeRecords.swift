public import SignInModel

/// What people changed in the apps, in the order in which they did, for other systems.
public protocol ChangeRecords {
  /// Adds a change; its sequence number is that of the last one and one more.
  func append(_ change: DataChange) throws(StoreFault)
  /// Oldest first, at most `limit`: those after `sequence`.
  func changes(after sequence: Int64, limit: Int) throws(StoreFault) -> [DataChange]
  /// The sequence numbers of the last change that was removed and of the newest; zero for none.
  func changeBounds() throws(StoreFault) -> (removed: Int64, last: Int64)
  /// Removes the changes made before `moment`, the oldest first, at most `limit`; answers how many.
  func removeChanges(madeBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}
