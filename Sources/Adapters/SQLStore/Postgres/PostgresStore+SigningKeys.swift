public import SignInService

/// The signing keys are in the database, so that all its servers have the same.
extension PostgresStore: SigningKeyStore {
  public func signingKeys() async throws(StoreFault) -> [SealedSigningKey] {
    try await read { (transaction) throws(StoreFault) in
      try Self.records(transaction).signingKeys()
    }
  }

  public func changeSigningKeys<Answer: Sendable>(
    _ change:
      @escaping @Sendable (
        _ keys: inout [SealedSigningKey], _ records: any SigningKeyRecords
      ) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    try await transact(about: [.installation]) { (transaction) throws(StoreFault) in
      let records = Self.records(transaction)
      let before = try records.signingKeys()
      var keys = before
      let answer = try change(&keys, records)
      try records.replaceSigningKeys(before, by: keys)
      return answer
    }
  }

  static func records(_ transaction: any Transaction) -> SQLTransaction {
    guard let records = transaction as? SQLTransaction else {
      preconditionFailure("a transaction of this store is one of this adapter")
    }
    return records
  }
}

extension SQLTransaction {
  fileprivate func signingKeys() throws(StoreFault) -> [SealedSigningKey] {
    try connection.all(
      "SELECT id, sealed, signs_until FROM signing_keys ORDER BY id",
      read: { row in
        SealedSigningKey(id: row.text(), sealed: row.bytes(), signsUntil: row.momentIfAny())
      })
  }

  /// Only one key may have no end, so the changed ones are removed first.
  fileprivate func replaceSigningKeys(
    _ before: [SealedSigningKey], by after: [SealedSigningKey]
  ) throws(StoreFault) {
    for key in before where !after.contains(key) {
      try writeLater("DELETE FROM signing_keys WHERE id = ?") { $0.bind(key.id) }
    }
    for key in after where !before.contains(key) {
      try writeLater("INSERT INTO signing_keys (id, sealed, signs_until) VALUES (?, ?, ?)") {
        $0.bind(key.id)
        $0.bind(key.sealed)
        $0.bind(key.signsUntil)
      }
    }
  }
}
