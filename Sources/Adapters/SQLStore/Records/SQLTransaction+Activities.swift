internal import SignInModel
internal import SignInService

extension SQLTransaction: ActivityRecords {
  func activities(
    of account: AccountID, in organization: OrganizationID, limit: Int
  ) throws(StoreFault) -> [Activity] {
    try connection.all(
      """
      SELECT id, account, organization, title, place, companion, starts_at, ends_at, status, notes,
        version
      FROM (
        SELECT * FROM activities WHERE account = ? AND organization = ?
        ORDER BY status <> 'planned',
          CASE status WHEN 'planned' THEN starts_at ELSE -starts_at END, id LIMIT ?
      ) AS shown ORDER BY starts_at, id
      """,
      bind: {
        $0.bind(account.text)
        $0.bind(organization.text)
        $0.bind(Int64(limit))
      }, read: Activity.init)
  }

  func activity(_ key: RecordKey) throws(StoreFault) -> Activity? {
    try connection.first(
      """
      SELECT id, account, organization, title, place, companion, starts_at, ends_at, status, notes,
        version
      FROM activities WHERE id = ?
      """,
      bind: { $0.bind(key.text) }, read: Activity.init)
  }

  func activities(named id: String, limit: Int) throws(StoreFault) -> [Activity] {
    try connection.all(
      """
      SELECT id, account, organization, title, place, companion, starts_at, ends_at, status, notes,
        version
      FROM activities WHERE substr(id, instr(id, '~') + 1) = ? ORDER BY id LIMIT ?
      """,
      bind: {
        $0.bind(id)
        $0.bind(Int64(limit))
      }, read: Activity.init)
  }

  func save(_ activity: Activity) throws(StoreFault) {
    try write(
      """
      INSERT INTO activities
        (id, account, organization, title, place, companion, starts_at, ends_at, status, notes,
        version)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET
        account = excluded.account, organization = excluded.organization, title = excluded.title,
        place = excluded.place, companion = excluded.companion, starts_at = excluded.starts_at,
        ends_at = excluded.ends_at, status = excluded.status, notes = excluded.notes,
        version = excluded.version
      """
    ) {
      $0.bind(activity.key.text)
      $0.bind(activity.account.text)
      $0.bind(activity.organization.text)
      $0.bind(activity.title)
      $0.bind(activity.place)
      $0.bind(activity.companion)
      $0.bind(activity.startsAt)
      $0.bind(activity.endsAt)
      $0.bind(activity.status.rawValue)
      $0.bind(activity.notes)
      $0.bind(activity.version)
    }
  }

  func removeActivity(_ key: RecordKey) throws(StoreFault) {
    try write("DELETE FROM activities WHERE id = ?") { $0.bind(key.text) }
  }
}

extension Activity {
  init(_ row: inout Row) throws(StoreFault) {
    self.init(
      id: RecordKey(stored: row.text()).id, account: row.identifier(),
      organization: row.identifier(), title: row.text(), place: row.text(), companion: row.text(),
      startsAt: row.moment(),
      endsAt: row.moment(), status: try row.word(), notes: row.text(),
      version: row.number()
    )
  }
}
