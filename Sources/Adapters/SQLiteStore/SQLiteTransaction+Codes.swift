internal import SignInModel
internal import SignInRules
internal import SignInService

extension SQLiteTransaction: CodeRecords {
  func codeChallenge(
    _ account: AccountID, for purpose: CodeChallenge.Purpose
  ) throws(StoreFault) -> CodeChallenge? {
    try connection.first(
      """
      SELECT id, account, client, proof_key, mac, superseded, digits, expires_at, resend_at,
        is_consumed, purpose
      FROM code_challenges WHERE account = ? AND purpose = ?
      """,
      bind: {
        $0.bind(account.text)
        $0.bind(purpose.rawValue)
      },
      read: { (row: inout Row) throws(StoreFault) -> CodeChallenge in
        CodeChallenge(
          id: row.text(), account: row.identifier(), client: row.identifier(),
          proofKeyThumbprint: row.text(), mac: row.bytes(),
          supersededMACs: try row.byteList(), digits: row.number(), expiresAt: row.moment(),
          resendAt: row.moment(), isConsumed: row.truth(), purpose: try row.word()
        )
      })
  }

  func save(_ challenge: CodeChallenge) throws(StoreFault) {
    try write(
      """
      INSERT OR REPLACE INTO code_challenges
        (id, account, client, proof_key, mac, superseded, digits, expires_at, resend_at,
        is_consumed, purpose)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ) {
      $0.bind(challenge.id)
      $0.bind(challenge.account.text)
      $0.bind(challenge.client.text)
      $0.bind(challenge.proofKeyThumbprint)
      $0.bind(challenge.mac)
      $0.bind(list: challenge.supersededMACs)
      $0.bind(challenge.digits)
      $0.bind(challenge.expiresAt)
      $0.bind(challenge.resendAt)
      $0.bind(challenge.isConsumed)
      $0.bind(challenge.purpose.rawValue)
    }
  }
}
