public import SignInModel

public protocol ContactProposalRecords {
  /// Saves the proposal.
  ///
  /// It replaces the proposal of the same identity and channel.
  func save(_ proposal: ContactProposal) throws(StoreFault)
  /// The proposals of the account, also declined and expired ones, the oldest first.
  func contactProposals(of account: AccountID) throws(StoreFault) -> [ContactProposal]
  /// Does nothing if the account has no such proposal.
  func removeContactProposal(_ id: String, of account: AccountID) throws(StoreFault)
  /// Removes at most `limit` proposals that were made before `moment` and not declined, and returns
  /// how many.
  func removeContactProposals(madeBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}
