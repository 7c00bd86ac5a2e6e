internal import SignInModel
internal import SignInService

extension SQLTransaction {
  /// Stores the address and the number that saving this account replaces or removes.
  func keepContacts(replacedBy account: Account) throws(StoreFault) {
    try writeLater(
      """
      INSERT INTO former_contacts (account, value, proof)
      SELECT id, email, email_proof FROM accounts
      WHERE id = ?1 AND email IS NOT NULL AND (?2 IS NULL OR email <> ?2)
      UNION ALL
      SELECT id, phone, phone_proof FROM accounts
      WHERE id = ?1 AND phone IS NOT NULL AND (?3 IS NULL OR phone <> ?3)
      ON CONFLICT (account, value) DO UPDATE SET
        proof = coalesce(excluded.proof, former_contacts.proof), replaced_at = NULL
      """
    ) {
      $0.bind(account.id.text)
      $0.bind(account.email?.text)
      $0.bind(account.phone?.e164)
    }
  }

  func formerContacts(of account: AccountID) throws(StoreFault) -> [FormerContact] {
    try connection.all(
      """
      SELECT account, value, proof, replaced_at
      FROM former_contacts WHERE account = ? ORDER BY value
      """,
      bind: { $0.bind(account.text) }, read: FormerContact.init)
  }

  func dateFormerContacts(at moment: Instant) throws(StoreFault) {
    try write("UPDATE former_contacts SET replaced_at = ? WHERE replaced_at IS NULL") {
      $0.bind(moment)
    }
  }

  func removeFormerContacts(replacedBefore moment: Instant) throws(StoreFault) {
    try write("DELETE FROM former_contacts WHERE replaced_at < ?") { $0.bind(moment) }
  }
}

extension FormerContact {
  fileprivate init(_ row: inout Row) throws(StoreFault) {
    self.init(
      account: row.identifier(), value: try row.recipient(), proof: try row.wordIfAny(),
      replacedAt: row.momentIfAny())
  }
}
