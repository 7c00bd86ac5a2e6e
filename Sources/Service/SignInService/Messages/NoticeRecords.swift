public import SignInModel

public protocol NoticeRecords {
  /// Inserts the notice.
  ///
  /// - Throws: `.conflict` if the identifier exists already.
  func insert(_ notice: AccountNotice) throws(StoreFault)
  /// Every notice of the account, newest first.
  func notices(of account: AccountID) throws(StoreFault) -> [AccountNotice]
  /// Does nothing if the account has no such notice.
  func removeNotice(_ id: String, of account: AccountID) throws(StoreFault)
  /// Removes at most `limit` notices made before `moment`, and returns how many.
  func removeNotices(madeBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}
