public import SignInModel

public protocol AccountRecords {
  func account(_ id: AccountID) throws(StoreFault) -> Account?
  func account(email: EmailAddress) throws(StoreFault) -> Account?
  func account(phone: PhoneNumber, role: AccountRole) throws(StoreFault) -> Account?
  /// Inserts the account.
  ///
  /// - Throws: `.conflict` if the identifier or the e-mail address exists already, or the phone
  ///   number within the role.
  func insert(_ account: Account) throws(StoreFault)
  /// Does not change `signedOutAt`, because the account may be older than a sign-out.
  ///
  /// An address or a number that it replaces or removes becomes a former contact.
  func update(_ account: Account) throws(StoreFault)
  /// The addresses and numbers that the account had before, in the order of their texts.
  ///
  /// One that it has again can be among them.
  func formerContacts(of account: AccountID) throws(StoreFault) -> [FormerContact]
  /// Sets the time of the former contacts that have none yet.
  func dateFormerContacts(at moment: Instant) throws(StoreFault)
  /// Removes the former contacts that were replaced before `moment`.
  func removeFormerContacts(replacedBefore moment: Instant) throws(StoreFault)
  /// Does nothing if there is no such account.
  func save(signedOutAt moment: Instant, of account: AccountID) throws(StoreFault)
  /// At most `limit` accounts that match `query`, newest first.
  ///
  /// The list begins after `position` if there is one.
  func accounts(
    _ query: AccountQuery, after position: ListCursor?, limit: Int
  ) throws(StoreFault) -> [Account]
  /// Whether an active administrator other than this one has the level `administrator` everywhere.
  func hasGlobalAdministrator(besides id: AccountID) throws(StoreFault) -> Bool
}
