internal import JSONText
internal import SignInModel
internal import SignInService
internal import SignInWire

extension SQLTransaction: PersonRecords {
  func activities(of account: AccountID) throws(StoreFault) -> [Activity] {
    try connection.all(
      """
      SELECT id, account, organization, title, place, companion, starts_at, ends_at, status, notes,
        version
      FROM activities WHERE account = ? ORDER BY starts_at, id
      """,
      bind: { $0.bind(account.text) }, read: Activity.init)
  }

  func messages(of account: AccountID) throws(StoreFault) -> [OutboxMessage] {
    try connection.allReadable(
      """
      SELECT id, recipient, sealed_text, created_at, expires_at, leased_until, tries, state,
        client, organization, segments, messenger, reference, doubts, handed_over_at, receipt,
        received_at, price, channel, kind, account
      FROM outbox WHERE account = ?1 OR recipient IN (
        SELECT phone FROM accounts WHERE id = ?1
        UNION SELECT email FROM accounts WHERE id = ?1 AND email IS NOT NULL)
      ORDER BY created_at DESC, id DESC
      """,
      bind: { $0.bind(account.text) }, read: OutboxMessage.init)
  }

  func accounts(withRecordsFor addresses: Set<Recipient>) throws(StoreFault) -> Set<AccountID> {
    let list = JSON.array(addresses.map(\.text).sorted().map { JSON.string($0) })
    return Set(
      try connection.all(
        """
        SELECT account FROM outbox
          WHERE recipient IN (SELECT value FROM json_each(?1)) AND account IS NOT NULL
        UNION SELECT account FROM contact_proposals
          WHERE value IN (SELECT json_each.value FROM json_each(?1))
        """,
        bind: { $0.bind(String(decoding: list.utf8, as: UTF8.self)) }, read: { $0.identifier() }))
  }

  func serviceRequests(of account: AccountID) throws(StoreFault) -> [ServiceRequestEntry] {
    try connection.all(
      """
      SELECT id, product, product_name, account, description, created_at
      FROM service_requests WHERE account = ? ORDER BY created_at DESC, id DESC
      """,
      bind: { $0.bind(account.text) }, read: ServiceRequestEntry.init)
  }

  func invitation(of account: AccountID) throws(StoreFault) -> Invitation? {
    try connection.first(
      "SELECT account, digest, created_at, expires_at, sent_to FROM invitations WHERE account = ?",
      bind: { $0.bind(account.text) }, read: Invitation.init)
  }
}
