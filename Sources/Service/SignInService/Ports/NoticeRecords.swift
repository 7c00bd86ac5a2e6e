public import SignInModel

public protocol NoticeRecords {
  /// Faults with `.conflict` when the identifier is taken.
  func insert(_ notice: AccountNotice) throws(StoreFault)
  /// Every notice of the account, newest first.
  func notices(of account: AccountID) throws(StoreFault) -> [AccountNotice]
  /// Does nothing when the account has no such notice.
  func removeNotice(_ id: String, of account: AccountID) throws(StoreFault)
  /// Removes the notices made before `moment`, at most `limit`; answers how many.
  func removeNotices(madeBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}
