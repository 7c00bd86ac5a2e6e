internal import SignInModel
internal import SignInService

extension SQLTransaction: RevocableChangeRecords {
  func insert(_ change: RevocableChange) throws(StoreFault) {
    try write(
      """
      INSERT INTO revocable_changes (id, account, kind, value, digest, made_at, ends_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """
    ) {
      $0.bind(change.id)
      $0.bind(change.account.text)
      $0.bind(change.kind.rawValue)
      $0.bind(change.before?.text)
      $0.bind(change.digest)
      $0.bind(change.madeAt)
      $0.bind(change.endsAt)
    }
  }

  func revocableChanges(of account: AccountID) throws(StoreFault) -> [RevocableChange] {
    try connection.all(
      """
      SELECT id, account, kind, value, digest, made_at, ends_at
      FROM revocable_changes WHERE account = ? ORDER BY made_at, id
      """,
      bind: { $0.bind(account.text) }, read: RevocableChange.init)
  }

  func revocableChange(digest: [UInt8]) throws(StoreFault) -> RevocableChange? {
    try connection.first(
      """
      SELECT id, account, kind, value, digest, made_at, ends_at
      FROM revocable_changes WHERE digest = ? AND kind <> 'erasure'
      """,
      bind: { $0.bind(digest) }, read: RevocableChange.init)
  }

  func dueErasures(at moment: Instant, limit: Int) throws(StoreFault) -> [RevocableChange] {
    try connection.all(
      """
      SELECT id, account, kind, value, digest, made_at, ends_at
      FROM revocable_changes WHERE kind = 'erasure' AND ends_at <= ?
      ORDER BY ends_at, id LIMIT ?
      """,
      bind: {
        $0.bind(moment)
        $0.bind(Int64(limit))
      }, read: RevocableChange.init)
  }

  func removeRevocableChange(_ id: String, of account: AccountID) throws(StoreFault) {
    try write("DELETE FROM revocable_changes WHERE id = ? AND account = ?") {
      $0.bind(id)
      $0.bind(account.text)
    }
  }

  func removeRevocableChanges(
    endedBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try removeOldest(
      """
      DELETE FROM revocable_changes WHERE id IN
        (SELECT id FROM revocable_changes WHERE kind <> 'erasure' AND ends_at < ?
          ORDER BY ends_at LIMIT ?)
      """, before: moment, limit: limit)
  }
}

extension RevocableChange {
  fileprivate init(_ row: inout Row) throws(StoreFault) {
    let (id, account) = (row.text(), AccountID(row.text()))
    let kind: Kind = try row.word()
    let text = row.textIfAny()
    let value: Recipient?
    do throws(Malformed) {
      value = try text.map { (text) throws(Malformed) in try Recipient(parsing: text) }
    } catch {
      throw .unusable("a stored address or number cannot be read")
    }
    self.init(
      id: id, account: account, kind: kind, before: value, digest: row.bytes(),
      madeAt: row.moment(), endsAt: row.moment())
  }
}
