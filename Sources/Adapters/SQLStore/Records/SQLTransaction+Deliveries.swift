internal import SignInModel
internal import SignInService

extension SQLTransaction: DeliveryRecords {
  func deliveries(
    of account: AccountID, from start: Instant, until end: Instant
  ) throws(StoreFault) -> [Delivery] {
    try connection.all(
      """
      SELECT id, account, recipient, place, parcels, starts_at, ends_at, status, phone,
        instructions, organization, version, status_note
      FROM deliveries WHERE account = ? AND starts_at >= ? AND starts_at < ?
      ORDER BY starts_at, id
      """,
      bind: {
        $0.bind(account.text)
        $0.bind(start)
        $0.bind(end)
      },
      read: Delivery.init)
  }

  func deliveries(
    of account: AccountID, in organization: OrganizationID?, withShared: Bool,
    during time: Range<Instant>, limit: Int
  ) throws(StoreFault) -> [Delivery] {
    try connection.all(
      """
      SELECT id, account, recipient, place, parcels, starts_at, ends_at, status, phone,
        instructions, organization, version, status_note
      FROM (
        SELECT * FROM deliveries WHERE account = ? AND starts_at >= ? AND starts_at < ?
          AND (organization = COALESCE(?, organization) OR COALESCE(organization, ?) = '')
        ORDER BY status IN ('delivered', 'failed'),
          CASE WHEN status IN ('delivered', 'failed') THEN -starts_at ELSE starts_at END, id
        LIMIT ?
      ) AS shown ORDER BY starts_at, id
      """,
      bind: {
        $0.bind(account.text)
        $0.bind(time.lowerBound)
        $0.bind(time.upperBound)
        $0.bind(organization?.text)
        $0.bind(SharedWork.word(withShared))
        $0.bind(Int64(limit))
      },
      read: Delivery.init)
  }

  func deliveryCounts(
    of account: AccountID, in organization: OrganizationID?, withShared: Bool,
    during time: Range<Instant>
  ) throws(StoreFault) -> [Delivery.Status: Int64] {
    let counts = try connection.all(
      """
      SELECT status, COUNT(*) FROM deliveries
      WHERE account = ? AND starts_at >= ? AND starts_at < ?
        AND (organization = COALESCE(?, organization) OR COALESCE(organization, ?) = '')
      GROUP BY status
      """,
      bind: {
        $0.bind(account.text)
        $0.bind(time.lowerBound)
        $0.bind(time.upperBound)
        $0.bind(organization?.text)
        $0.bind(SharedWork.word(withShared))
      },
      read: { (row: inout Row) throws(StoreFault) -> (Delivery.Status, Int64) in
        (try row.word(), row.number())
      })
    return Dictionary(counts, uniquingKeysWith: { first, _ in first })
  }

  func delivery(_ key: RecordKey) throws(StoreFault) -> Delivery? {
    try connection.first(
      """
      SELECT id, account, recipient, place, parcels, starts_at, ends_at, status, phone,
        instructions, organization, version, status_note
      FROM deliveries WHERE id = ?
      """,
      bind: { $0.bind(key.text) }, read: Delivery.init)
  }

  func deliveries(named id: String, limit: Int) throws(StoreFault) -> [Delivery] {
    try connection.all(
      """
      SELECT id, account, recipient, place, parcels, starts_at, ends_at, status, phone,
        instructions, organization, version, status_note
      FROM deliveries WHERE substr(id, instr(id, '~') + 1) = ? AND organization IS NOT NULL
      ORDER BY id LIMIT ?
      """,
      bind: {
        $0.bind(id)
        $0.bind(Int64(limit))
      }, read: Delivery.init)
  }

  func removeDelivery(_ key: RecordKey) throws(StoreFault) {
    try write("DELETE FROM deliveries WHERE id = ?") { $0.bind(key.text) }
  }

  func save(_ delivery: Delivery) throws(StoreFault) {
    try write(
      """
      INSERT INTO deliveries
        (id, account, recipient, place, parcels, starts_at, ends_at, status, version,
          phone, instructions, organization, status_note)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET
        account = excluded.account, recipient = excluded.recipient, place = excluded.place,
        parcels = excluded.parcels, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
        status = excluded.status, version = excluded.version, phone = excluded.phone,
        instructions = excluded.instructions, organization = excluded.organization,
        status_note = excluded.status_note
      """
    ) {
      $0.bind(delivery.key.text)
      $0.bind(delivery.account.text)
      $0.bind(delivery.recipient)
      $0.bind(delivery.place)
      $0.bind(delivery.parcels)
      $0.bind(delivery.startsAt)
      $0.bind(delivery.endsAt)
      $0.bind(delivery.status.rawValue)
      $0.bind(delivery.version)
      $0.bind(delivery.phone)
      $0.bind(delivery.instructions)
      $0.bind(delivery.organization?.text)
      $0.bind(delivery.statusNote)
    }
  }
}

extension Delivery {
  fileprivate init(_ row: inout Row) throws(StoreFault) {
    self = try Delivery(
      id: RecordKey(stored: row.text()).id, account: row.identifier(), recipient: row.text(),
      place: row.text(),
      parcels: row.number(), startsAt: row.moment(), endsAt: row.moment(), status: row.word(),
      phone: row.textIfAny(), instructions: row.textIfAny(), organization: row.identifierIfAny(),
      version: row.number(), statusNote: row.textIfAny()
    )
  }
}
