internal import JSONText
internal import SignInModel
internal import SignInService

extension SQLTransaction: AccountRecords {
  func account(_ id: AccountID) throws(StoreFault) -> Account? {
    try connection.first(
      Self.accountByID,
      bind: { $0.bind(id.text) }, read: Account.init)
  }

  func account(email: EmailAddress) throws(StoreFault) -> Account? {
    try connection.first(
      Self.accountByEmail,
      bind: { $0.bind(email.text) }, read: Account.init)
  }

  func account(phone: PhoneNumber, role: AccountRole) throws(StoreFault) -> Account? {
    try connection.first(
      Self.accountByPhone,
      bind: {
        $0.bind(phone.e164)
        $0.bind(role.rawValue)
      }, read: Account.init)
  }

  func insert(_ account: Account) throws(StoreFault) {
    try write(
      """
      INSERT INTO accounts
        (email, phone, name, role, status, password_hash, organizations, permissions,
          phone_changed_at, email_proof, phone_proof, search_text, id, created_at, is_demo)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ) {
      account.bind(&$0, keys)
      $0.bind(account.createdAt)
      $0.bind(account.isDemo)
    }
  }

  func update(_ account: Account) throws(StoreFault) {
    try keepContacts(replacedBy: account)
    try rewrite(
      """
      UPDATE accounts
      SET email = ?, phone = ?, name = ?, role = ?, status = ?, password_hash = ?,
        organizations = ?, permissions = ?, phone_changed_at = ?,
        email_proof = ?, phone_proof = ?, search_text = ?
      WHERE id = ?
      """,
      bind: { account.bind(&$0, keys) })
  }

  func save(signedOutAt moment: Instant, of account: AccountID) throws(StoreFault) {
    try write("UPDATE accounts SET signed_out_at = ? WHERE id = ?") {
      $0.bind(moment)
      $0.bind(account.text)
    }
  }

  /// The inner statement reads only the index, which is much smaller than the records.
  ///
  /// A search that finds nothing reads all of it. In PostgreSQL, a filter by organization reads the
  /// records too, because the index does not have their organizations.
  func accounts(
    _ query: AccountQuery, after position: ListCursor?, limit: Int
  ) throws(StoreFault) -> [Account] {
    try connection.allReadable(
      """
      SELECT id, email, phone, name, role, status, password_hash, organizations,
        permissions, phone_changed_at, created_at, is_demo, email_proof, phone_proof,
        signed_out_at
      FROM accounts WHERE id IN (
        SELECT id FROM accounts INDEXED BY accounts_for_search
        WHERE (?1 IS NULL
            OR NOT EXISTS (SELECT 1 FROM json_each(?1) WHERE instr(search_text, value) = 0)
              AND search_text IS NOT NULL
            OR instr(search_text, ?10) > 0 OR instr(phone, ?2) > 0)
          AND (?3 IS NULL OR status = ?3) AND (?4 IS NULL OR role = ?4)
          AND (?5 IS NULL OR (created_at, id) < (?5, ?6))
          AND (?8 IS NULL OR EXISTS (SELECT 1 FROM json_each(?8)
            WHERE instr(' ' || organizations || ' ', ' ' || value || ' ') > 0))
          AND (?9 IS NULL OR id IN (SELECT account FROM lockouts
            WHERE locked_until > ?9 AND is_for_resets = 0))
        ORDER BY created_at DESC, id DESC LIMIT ?7)
      ORDER BY created_at DESC, id DESC
      """,
      bind: {
        $0.bind(query.words.list)
        $0.bind(query.phoneText)
        $0.bind(query.status?.rawValue)
        $0.bind(query.role?.rawValue)
        $0.bind(position?.createdAt)
        $0.bind(position?.id)
        $0.bind(Int64(limit))
        $0.bind(query.organizations.map { Self.list($0) })
        $0.bind(query.lockedAt)
        $0.bind(query.words.joinedText)
      }, read: Account.init)
  }

  func hasGlobalAdministrator(besides id: AccountID) throws(StoreFault) -> Bool {
    try connection.first(
      """
      SELECT 1 FROM accounts
      WHERE role = 'administrator' AND status = 'active' AND id <> ?
        AND instr(' ' || permissions || ' ', ' administrator ') > 0
      LIMIT 1
      """,
      bind: { $0.bind(id.text) }, read: { row in row.number() }) != nil
  }

  /// The identifiers as a JSON array, which SQLite's JSON functions can read.
  static func list(_ organizations: [OrganizationID]) -> String {
    let json = JSON.array(organizations.map { JSON.string($0.text) })
    return String(decoding: json.utf8, as: UTF8.self)
  }
}

extension Account {
  fileprivate init(_ row: inout Row) throws(StoreFault) {
    self.init(
      id: row.identifier(), email: try row.emailIfAny(), phone: try row.phoneIfAny(),
      name: row.text(), role: try row.word(), status: try row.word(),
      passwordHash: row.textIfAny(), organizations: row.names().map { OrganizationID($0) },
      permission: try row.permission(), phoneChangedAt: row.momentIfAny(), createdAt: row.moment(),
      isDemo: row.truth(), emailProof: try row.wordIfAny(), phoneProof: try row.wordIfAny()
    )
    signedOutAt = row.momentIfAny()
  }

  fileprivate func bind(_ parameters: inout Parameters, _ keys: StoreKeys?) {
    parameters.bind(email?.text)
    parameters.bind(phone?.e164)
    parameters.bind(name)
    parameters.bind(role.rawValue)
    parameters.bind(status.rawValue)
    parameters.bind(passwordHash.map { keys?.sealed($0, for: id) ?? $0 })
    parameters.bind(names: organizations.map { $0.text })
    parameters.bind(names: permission.words)
    parameters.bind(phoneChangedAt)
    parameters.bind(emailProof?.rawValue)
    parameters.bind(phoneProof?.rawValue)
    parameters.bind(String(decoding: searchText, as: UTF8.self))
    parameters.bind(id.text)
  }
}

/// Statements that are also read ahead.
extension SQLTransaction {
  static let accountByID: StaticString = """
    SELECT id, email, phone, name, role, status, password_hash, organizations,
      permissions, phone_changed_at, created_at, is_demo, email_proof, phone_proof,
      signed_out_at
    FROM accounts WHERE id = ?
    """

  static let accountByEmail: StaticString = """
    SELECT id, email, phone, name, role, status, password_hash, organizations,
      permissions, phone_changed_at, created_at, is_demo, email_proof, phone_proof,
      signed_out_at
    FROM accounts WHERE email = ?
    """

  static let accountByPhone: StaticString = """
    SELECT id, email, phone, name, role, status, password_hash, organizations,
      permissions, phone_changed_at, created_at, is_demo, email_proof, phone_proof,
      signed_out_at
    FROM accounts WHERE phone = ? AND role = ?
    """
}
