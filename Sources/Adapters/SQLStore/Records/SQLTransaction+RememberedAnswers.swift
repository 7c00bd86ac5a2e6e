internal import SignInModel
internal import SignInService

extension SQLTransaction: RememberedAnswerRecords {
  func rememberedAnswer(owner: AccountID, key: String) throws(StoreFault) -> RememberedAnswer? {
    try connection.first(
      """
      SELECT owner, key, fingerprint, body, expires_at
      FROM remembered_answers WHERE owner = ? AND key = ?
      """,
      bind: {
        $0.bind(owner.text)
        $0.bind(key)
      }, read: RememberedAnswer.init)
  }

  func save(_ answer: RememberedAnswer) throws(StoreFault) {
    try writeLater(
      """
      INSERT INTO remembered_answers (owner, key, fingerprint, body, expires_at)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (owner, key) DO UPDATE SET
        fingerprint = excluded.fingerprint, body = excluded.body, expires_at = excluded.expires_at
      """
    ) {
      $0.bind(answer.owner.text)
      $0.bind(answer.key)
      $0.bind(answer.fingerprint)
      $0.bind(answer.body)
      $0.bind(answer.expiresAt)
    }
  }

  func removeRememberedAnswers(
    expiredBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try removeOldest(
      """
      DELETE FROM remembered_answers WHERE (owner, key) IN
        (SELECT owner, key FROM remembered_answers WHERE expires_at < ?
        ORDER BY expires_at LIMIT ?)
      """, before: moment, limit: limit)
  }
}

extension RememberedAnswer {
  fileprivate init(_ row: inout Row) {
    self.init(
      owner: row.identifier(), key: row.text(), fingerprint: row.bytes(), body: row.bytes(),
      expiresAt: row.moment()
    )
  }
}
