internal import SignInModel
internal import SignInService

extension SQLiteTransaction: AccountRecords {
  func account(_ id: AccountID) throws(StoreFault) -> Account? {
    try connection.first(
      """
      SELECT id, email, phone, name, role, status, password_hash, organizations, created_at
      FROM accounts WHERE id = ?
      """,
      bind: { $0.bind(id.text) }, read: Account.init)
  }

  func account(email: EmailAddress) throws(StoreFault) -> Account? {
    try connection.first(
      """
      SELECT id, email, phone, name, role, status, password_hash, organizations, created_at
      FROM accounts WHERE email = ?
      """,
      bind: { $0.bind(email.text) }, read: Account.init)
  }

  func account(phone: PhoneNumber, role: Account.Role) throws(StoreFault) -> Account? {
    try connection.first(
      """
      SELECT id, email, phone, name, role, status, password_hash, organizations, created_at
      FROM accounts WHERE phone = ? AND role = ?
      """,
      bind: {
        $0.bind(phone.e164)
        $0.bind(role.rawValue)
      }, read: Account.init)
  }

  func insert(_ account: Account) throws(StoreFault) {
    try write(
      """
      INSERT INTO accounts
        (email, phone, name, role, status, password_hash, organizations, id, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ) {
      account.bind(&$0)
      $0.bind(account.createdAt)
    }
  }

  func update(_ account: Account) throws(StoreFault) {
    try rewrite(
      """
      UPDATE accounts
      SET email = ?, phone = ?, name = ?, role = ?, status = ?, password_hash = ?,
        organizations = ?
      WHERE id = ?
      """,
      bind: account.bind)
  }
}

extension Account {
  fileprivate init(_ row: inout Row) throws(StoreFault) {
    self.init(
      id: row.identifier(), email: try row.emailIfAny(), phone: try row.phone(),
      name: row.text(), role: try row.word(), status: try row.word(),
      passwordHash: row.textIfAny(), organizations: row.names().map { OrganizationID($0) },
      createdAt: row.moment()
    )
  }

  fileprivate func bind(_ parameters: inout Parameters) {
    parameters.bind(email?.text)
    parameters.bind(phone.e164)
    parameters.bind(name)
    parameters.bind(role.rawValue)
    parameters.bind(status.rawValue)
    parameters.bind(passwordHash)
    parameters.bind(names: organizations.map { $0.text })
    parameters.bind(id.text)
  }
}
