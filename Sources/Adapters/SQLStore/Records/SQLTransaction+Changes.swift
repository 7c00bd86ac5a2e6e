internal import SignInModel
internal import SignInService

extension SQLTransaction: VersionRecords {
  func nextVersion(in organization: OrganizationID?) throws(StoreFault) -> Int64 {
    if let organization { return try nextVersion(of: organization) }
    try rewrite("UPDATE record_versions SET last = last + 1 WHERE id = 1") { _ in }
    let last = try connection.first("SELECT last FROM record_versions WHERE id = 1") { row in
      row.number()
    }
    guard let last else { throw .conflict }
    return last
  }

  /// Begins with 2, because the records of the demo have version 1.
  private func nextVersion(of organization: OrganizationID) throws(StoreFault) -> Int64 {
    try write(
      """
      INSERT INTO organization_versions (organization, last)
      VALUES (?, 2)
      ON CONFLICT (organization) DO UPDATE SET last = organization_versions.last + 1
      """
    ) { $0.bind(organization.text) }
    let last = try connection.first(
      "SELECT last FROM organization_versions WHERE organization = ?",
      bind: { $0.bind(organization.text) }, read: { row in row.number() })
    guard let last else { throw .conflict }
    return last
  }
}

extension SQLTransaction: ChangeRecords {
  func append(_ change: DataChange) throws(StoreFault) {
    // The first statement also locks the row, so that two nodes never give the same number.
    try rewrite("UPDATE data_change_bounds SET last = last + 1 WHERE id = 1") { _ in }
    try write(
      """
      INSERT INTO data_changes (sequence, at, kind, record, act, account, status, version)
      VALUES ((SELECT last FROM data_change_bounds), ?, ?, ?, ?, ?, ?, ?)
      """
    ) {
      $0.bind(change.at)
      $0.bind(change.kind.rawValue)
      $0.bind(change.key.text)
      $0.bind(change.act.rawValue)
      $0.bind(change.account.text)
      $0.bind(change.status)
      $0.bind(change.version)
    }
  }

  func changes(
    after sequence: Int64, of organizations: [OrganizationID]?, limit: Int
  ) throws(StoreFault) -> [DataChange] {
    guard let organizations else {
      return try connection.all(
        """
        SELECT sequence, at, kind, record, act, account, status, version
        FROM data_changes WHERE sequence > ? ORDER BY sequence LIMIT ?
        """,
        bind: {
          $0.bind(sequence)
          $0.bind(Int64(limit))
        }, read: DataChange.init)
    }
    return try connection.all(
      """
      SELECT sequence, at, kind, record, act, account, status, version
      FROM data_changes
      WHERE sequence > ? AND organization IN (SELECT value FROM json_each(?))
      ORDER BY sequence LIMIT ?
      """,
      bind: {
        $0.bind(sequence)
        $0.bind(Self.list(organizations))
        $0.bind(Int64(limit))
      }, read: DataChange.init)
  }

  func removedChange(of organizations: [OrganizationID]) throws(StoreFault) -> Int64 {
    try connection.first(
      """
      SELECT max(last) FROM removed_changes
      WHERE organization IN (SELECT value FROM json_each(?))
      """, bind: { $0.bind(Self.list(organizations)) }, read: { row in row.number() }) ?? 0
  }

  func changeBounds() throws(StoreFault) -> (removed: Int64, last: Int64) {
    let found = try connection.first("SELECT removed, last FROM data_change_bounds") { row in
      (removed: row.number(), last: row.number())
    }
    return found ?? (0, 0)
  }

  func removeChanges(
    madeBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try write(
      """
      INSERT INTO removed_changes (organization, last)
      SELECT organization, max(sequence) FROM (
        SELECT organization, sequence FROM data_changes WHERE at < ? ORDER BY sequence LIMIT ?
      ) AS removed WHERE organization IS NOT NULL GROUP BY organization
      ON CONFLICT (organization) DO UPDATE SET last = excluded.last
      """
    ) {
      $0.bind(moment)
      $0.bind(Int64(limit))
    }
    let count = try removeOldest(
      """
      DELETE FROM data_changes WHERE sequence IN
        (SELECT sequence FROM data_changes WHERE at < ? ORDER BY sequence LIMIT ?)
      """, before: moment, limit: limit)
    guard count > 0 else { return 0 }
    try rewrite(
      """
      UPDATE data_change_bounds
      SET removed = coalesce((SELECT min(sequence) - 1 FROM data_changes), last) WHERE id = 1
      """
    ) { _ in }
    return count
  }
}

extension SQLTransaction: ChangeReceiverRecords {
  func acceptedChange(by receiver: String) throws(StoreFault) -> Int64? {
    try connection.first(
      "SELECT taken FROM change_receivers WHERE name = ?", bind: { $0.bind(receiver) },
      read: { row in row.number() })
  }

  func saveAcceptedChange(_ sequence: Int64, by receiver: String) throws(StoreFault) {
    try write(
      """
      INSERT INTO change_receivers (name, taken) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET
        taken = excluded.taken
      """
    ) {
      $0.bind(receiver)
      $0.bind(sequence)
    }
  }
}

extension DataChange {
  fileprivate init(_ row: inout Row) throws(StoreFault) {
    self.init(
      sequence: row.number(), at: row.moment(), kind: try row.word(),
      key: RecordKey(stored: row.text()), act: try row.word(), account: row.identifier(),
      status: row.textIfAny(), version: row.numberIfAny()
    )
  }
}
