public import SignInModel
public import SignInWire

/// The records of one account, for the export of personal data.
public protocol PersonRecords {
  /// Every activity of the account, in every organization, in order of their start.
  func activities(of account: AccountID) throws(StoreFault) -> [Activity]
  /// Every message that names the account or goes to its number or address, newest first.
  func messages(of account: AccountID) throws(StoreFault) -> [OutboxMessage]
  /// The accounts of the messages and proposals that contain one of the addresses.
  func accounts(withRecordsFor addresses: Set<Recipient>) throws(StoreFault) -> Set<AccountID>
  /// The account's service requests, newest first.
  func serviceRequests(of account: AccountID) throws(StoreFault) -> [ServiceRequestEntry]
  func invitation(of account: AccountID) throws(StoreFault) -> Invitation?
}
