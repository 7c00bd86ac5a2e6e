public import SignInModel

public protocol RememberedAnswerRecords {
  func rememberedAnswer(owner: AccountID, key: String) throws(StoreFault) -> RememberedAnswer?
  /// Replaces the earlier answer of this owner under this key, if there is one.
  func save(_ answer: RememberedAnswer) throws(StoreFault)
  /// Removes at most `limit` answers that expired before `moment`, and returns how many.
  func removeRememberedAnswers(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}
