internal import SignInModel
internal import SignInService

extension SQLTransaction: RevocableChangeRecords {
  func insert(_ change: RevocableChange) throws(StoreFault) {
    try write(
      """
      INSERT INTO revocable_changes (id, account, kind, value, proof, unverified_since, digest,
        made_at, ends_at, undone_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ) {
      $0.bind(change.id)
      $0.bind(change.account.text)
      $0.bind(change.kind.rawValue)
      $0.bind(change.before?.value.text)
      $0.bind(change.before?.proof?.rawValue)
      $0.bind(change.before?.unverifiedSince)
      $0.bind(change.digest)
      $0.bind(change.madeAt)
      $0.bind(change.endsAt)
      $0.bind(change.undoneAt)
    }
  }

  func update(_ change: RevocableChange) throws(StoreFault) {
    try write(
      "UPDATE revocable_changes SET ends_at = ?, undone_at = ? WHERE id = ? AND account = ?"
    ) {
      $0.bind(change.endsAt)
      $0.bind(change.undoneAt)
      $0.bind(change.id)
      $0.bind(change.account.text)
    }
  }

  func revocableChanges(of account: AccountID) throws(StoreFault) -> [RevocableChange] {
    try connection.all(
      """
      SELECT id, account, kind, value, proof, unverified_since, digest, made_at,
        ends_at, undone_at
      FROM revocable_changes WHERE account = ? ORDER BY made_at, id
      """,
      bind: { $0.bind(account.text) }, read: RevocableChange.init)
  }

  func revocableChange(digest: [UInt8]) throws(StoreFault) -> RevocableChange? {
    try connection.first(
      """
      SELECT id, account, kind, value, proof, unverified_since, digest, made_at,
        ends_at, undone_at
      FROM revocable_changes WHERE digest = ?
      """,
      bind: { $0.bind(digest) }, read: RevocableChange.init)
  }

  func dueErasures(at moment: Instant, limit: Int) throws(StoreFault) -> [RevocableChange] {
    try connection.allReadable(
      """
      SELECT id, account, kind, value, proof, unverified_since, digest, made_at,
        ends_at, undone_at
      FROM revocable_changes WHERE kind = 'erasure' AND ends_at <= ? AND undone_at IS NULL
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
        (SELECT id FROM revocable_changes
          WHERE (kind <> 'erasure' OR undone_at IS NOT NULL) AND ends_at < ?
          ORDER BY ends_at LIMIT ?)
      """, before: moment, limit: limit)
  }
}

extension RevocableChange {
  fileprivate init(_ row: inout Row) throws(StoreFault) {
    let (id, account) = (row.text(), AccountID(row.text()))
    let kind: Kind = try row.word()
    let text = row.textIfAny()
    let proof: ContactProof? = try row.wordIfAny()
    let unverifiedSince = row.momentIfAny()
    let before: EarlierContact?
    do throws(Malformed) {
      before = try text.map { (text) throws(Malformed) in
        EarlierContact(
          value: try Recipient(stored: text), proof: proof, unverifiedSince: unverifiedSince)
      }
    } catch {
      throw row.unreadable()
    }
    self.init(
      id: id, account: account, kind: kind, before: before, digest: row.bytes(),
      madeAt: row.moment(), endsAt: row.moment(), undoneAt: row.momentIfAny())
  }
}
