public import SignInModel
public import SignInWire

/// What a store holds of one person, for an export of their data.
public protocol PersonRecords {
  /// Every activity of the account, in every organization, by start time.
  func activities(of account: AccountID) throws(StoreFault) -> [Activity]
  /// Every message that names the account or goes to its number or address, newest first.
  func messages(of account: AccountID) throws(StoreFault) -> [OutboxMessage]
  /// What the account asked for, newest first.
  func serviceRequests(of account: AccountID) throws(StoreFault) -> [ServiceRequestEntry]
  func invitation(of account: AccountID) throws(StoreFault) -> Invitation?
}
