internal import SignInModel
internal import SignInService
internal import SignInWire

extension SQLTransaction: ContactProposalRecords {
  func save(_ proposal: ContactProposal) throws(StoreFault) {
    try write(
      """
      INSERT INTO contact_proposals
        (id, account, provider, issuer, subject, channel, value, proposed_at, declined_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (issuer, subject, channel) DO UPDATE SET
        id = excluded.id, account = excluded.account, provider = excluded.provider,
        value = excluded.value, proposed_at = excluded.proposed_at,
        declined_at = excluded.declined_at
      """
    ) {
      $0.bind(proposal.id)
      $0.bind(proposal.account.text)
      $0.bind(proposal.provider)
      $0.bind(proposal.issuer)
      $0.bind(proposal.subject)
      $0.bind(proposal.channel.rawValue)
      $0.bind(proposal.value.text)
      $0.bind(proposal.proposedAt)
      $0.bind(proposal.declinedAt)
    }
  }

  func contactProposals(of account: AccountID) throws(StoreFault) -> [ContactProposal] {
    try connection.all(
      """
      SELECT id, account, provider, issuer, subject, value, proposed_at, declined_at
      FROM contact_proposals WHERE account = ? ORDER BY proposed_at, id
      """,
      bind: { $0.bind(account.text) }, read: ContactProposal.init)
  }

  func removeContactProposal(_ id: String, of account: AccountID) throws(StoreFault) {
    try write("DELETE FROM contact_proposals WHERE id = ? AND account = ?") {
      $0.bind(id)
      $0.bind(account.text)
    }
  }

  func removeContactProposals(madeBefore moment: Instant, limit: Int) throws(StoreFault) -> Int {
    try removeOldest(
      """
      DELETE FROM contact_proposals WHERE id IN
        (SELECT id FROM contact_proposals WHERE declined_at IS NULL AND proposed_at < ?
          ORDER BY proposed_at LIMIT ?)
      """, before: moment, limit: limit)
  }
}

extension ContactProposal {
  fileprivate init(_ row: inout Row) throws(StoreFault) {
    self.init(
      id: row.text(), account: row.identifier(), provider: row.text(), issuer: row.text(),
      subject: row.text(), value: try row.recipient(), proposedAt: row.moment(),
      declinedAt: row.momentIfAny())
  }
}
