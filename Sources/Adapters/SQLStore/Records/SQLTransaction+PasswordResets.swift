internal import SignInModel
internal import SignInService

extension SQLTransaction: PasswordResetRecords {
  func insert(_ reset: PasswordReset) throws(StoreFault) {
    try write(
      """
      INSERT INTO password_resets (digest, account, client, proof_key, expires_at)
      VALUES (?, ?, ?, ?, ?)
      """
    ) {
      $0.bind(reset.digest)
      $0.bind(reset.account.text)
      $0.bind(reset.client.text)
      $0.bind(reset.proofKeyThumbprint)
      $0.bind(reset.expiresAt)
    }
  }

  func passwordReset(digest: [UInt8]) throws(StoreFault) -> PasswordReset? {
    try connection.first(
      "SELECT digest, account, client, proof_key, expires_at FROM password_resets WHERE digest = ?",
      bind: { $0.bind(digest) },
      read: { row in
        PasswordReset(
          digest: row.bytes(), account: row.identifier(), client: row.identifier(),
          proofKeyThumbprint: row.textIfAny(), expiresAt: row.moment()
        )
      })
  }

  func passwordResetCount(
    of account: AccountID, proofKeyThumbprint: String, expiringAfter moment: Instant
  ) throws(StoreFault) -> Int {
    let count = try connection.first(
      """
      SELECT COUNT(*) FROM password_resets WHERE account = ? AND proof_key = ? AND expires_at > ?
      """,
      bind: {
        $0.bind(account.text)
        $0.bind(proofKeyThumbprint)
        $0.bind(moment)
      }, read: { row in row.number() })
    return Int(count ?? 0)
  }

  func removePasswordResets(
    of account: AccountID, proofKeyThumbprint: String, keeping count: Int
  ) throws(StoreFault) {
    try write(
      """
      DELETE FROM password_resets WHERE digest IN
        (SELECT digest FROM password_resets WHERE account = ? AND proof_key = ?
        ORDER BY expires_at DESC, digest LIMIT 1000000000 OFFSET ?)
      """
    ) {
      $0.bind(account.text)
      $0.bind(proofKeyThumbprint)
      $0.bind(Int64(count))
    }
  }

  func removePasswordResets(of account: AccountID) throws(StoreFault) {
    try write("DELETE FROM password_resets WHERE account = ?") { $0.bind(account.text) }
  }

  func removePasswordResets(
    expiredBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try removeOldest(
      """
      DELETE FROM password_resets WHERE digest IN
        (SELECT digest FROM password_resets WHERE expires_at < ? ORDER BY expires_at LIMIT ?)
      """, before: moment, limit: limit)
  }
}
