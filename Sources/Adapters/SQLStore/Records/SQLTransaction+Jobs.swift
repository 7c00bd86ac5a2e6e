internal import SignInModel
internal import SignInService

extension SQLTransaction: JobRecords {
  func jobs(of account: AccountID) throws(StoreFault) -> [Job] {
    try connection.all(
      """
      SELECT id, account, title, customer, place, starts_at, ends_at, status, phone,
        instructions, organization, version, status_note
      FROM jobs WHERE account = ? ORDER BY starts_at, id
      """,
      bind: { $0.bind(account.text) }, read: Job.init)
  }

  func jobs(
    of account: AccountID, in organization: OrganizationID?, withShared: Bool, limit: Int
  ) throws(StoreFault) -> [Job] {
    try connection.all(
      """
      SELECT id, account, title, customer, place, starts_at, ends_at, status, phone,
        instructions, organization, version, status_note
      FROM (
        SELECT * FROM jobs WHERE account = ?
          AND (organization = COALESCE(?, organization) OR COALESCE(organization, ?) = '')
        ORDER BY status = 'done', CASE status WHEN 'done' THEN -starts_at ELSE starts_at END, id
        LIMIT ?
      ) AS shown ORDER BY starts_at, id
      """,
      bind: {
        $0.bind(account.text)
        $0.bind(organization?.text)
        $0.bind(SharedWork.word(withShared))
        $0.bind(Int64(limit))
      }, read: Job.init)
  }

  func job(_ key: RecordKey) throws(StoreFault) -> Job? {
    try connection.first(
      """
      SELECT id, account, title, customer, place, starts_at, ends_at, status, phone,
        instructions, organization, version, status_note
      FROM jobs WHERE id = ?
      """,
      bind: { $0.bind(key.text) }, read: Job.init)
  }

  func jobs(named id: String, limit: Int) throws(StoreFault) -> [Job] {
    try connection.all(
      """
      SELECT id, account, title, customer, place, starts_at, ends_at, status, phone,
        instructions, organization, version, status_note
      FROM jobs WHERE substr(id, instr(id, '~') + 1) = ? AND organization IS NOT NULL
      ORDER BY id LIMIT ?
      """,
      bind: {
        $0.bind(id)
        $0.bind(Int64(limit))
      }, read: Job.init)
  }

  func removeJob(_ key: RecordKey) throws(StoreFault) {
    try write("DELETE FROM jobs WHERE id = ?") { $0.bind(key.text) }
  }

  func save(_ job: Job) throws(StoreFault) {
    try write(
      """
      INSERT INTO jobs
        (id, account, title, customer, place, starts_at, ends_at, status, version,
          phone, instructions, organization, status_note)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET
        account = excluded.account, title = excluded.title, customer = excluded.customer,
        place = excluded.place, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
        status = excluded.status, version = excluded.version, phone = excluded.phone,
        instructions = excluded.instructions, organization = excluded.organization,
        status_note = excluded.status_note
      """
    ) {
      $0.bind(job.key.text)
      $0.bind(job.account.text)
      $0.bind(job.title)
      $0.bind(job.customer)
      $0.bind(job.place)
      $0.bind(job.startsAt)
      $0.bind(job.endsAt)
      $0.bind(job.status.rawValue)
      $0.bind(job.version)
      $0.bind(job.phone)
      $0.bind(job.instructions)
      $0.bind(job.organization?.text)
      $0.bind(job.statusNote)
    }
  }
}

extension Job {
  fileprivate init(_ row: inout Row) throws(StoreFault) {
    self = try Job(
      id: RecordKey(stored: row.text()).id, account: row.identifier(), title: row.text(),
      customer: row.text(),
      place: row.text(), startsAt: row.moment(), endsAt: row.moment(), status: row.word(),
      phone: row.textIfAny(), instructions: row.textIfAny(), organization: row.identifierIfAny(),
      version: row.number(), statusNote: row.textIfAny()
    )
  }
}

/// How a list of work says whether it has the records without an organization.
enum SharedWork {
  /// The word that counts as the organization of a record without one: an empty one if the list has
  /// them, and otherwise another one.
  static func word(_ isShown: Bool) -> String { isShown ? "" : "hidden" }
}
