internal import SignInModel
internal import SignInService

extension SQLTransaction: WaitingPasswordRecords {
  func waitingPassword(of account: AccountID) throws(StoreFault) -> WaitingPassword? {
    try connection.first(
      """
      SELECT account, client, password_hash, requested_at, available_at
      FROM waiting_passwords WHERE account = ?
      """,
      bind: { $0.bind(account.text) }, read: WaitingPassword.init)
  }

  func save(_ waiting: WaitingPassword) throws(StoreFault) {
    try write(
      """
      INSERT INTO waiting_passwords
        (account, client, password_hash, requested_at, available_at)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (account) DO UPDATE SET
        client = excluded.client, password_hash = excluded.password_hash,
        requested_at = excluded.requested_at, available_at = excluded.available_at
      """
    ) {
      $0.bind(waiting.account.text)
      $0.bind(waiting.client.text)
      $0.bind(keys?.sealed(waiting.passwordHash, for: waiting.account) ?? waiting.passwordHash)
      $0.bind(waiting.requestedAt)
      $0.bind(waiting.availableAt)
    }
  }

  func removeWaitingPassword(of account: AccountID) throws(StoreFault) {
    try write("DELETE FROM waiting_passwords WHERE account = ?") { $0.bind(account.text) }
  }

  func waitingPasswords(
    availableAt moment: Instant, limit: Int
  ) throws(StoreFault) -> [WaitingPassword] {
    try connection.all(
      """
      SELECT account, client, password_hash, requested_at, available_at
      FROM waiting_passwords WHERE available_at <= ? ORDER BY available_at, account LIMIT ?
      """,
      bind: {
        $0.bind(moment)
        $0.bind(Int64(limit))
      }, read: WaitingPassword.init)
  }
}

extension SQLTransaction: InvitationRecords {
  func invitation(digest: [UInt8]) throws(StoreFault) -> Invitation? {
    try connection.first(
      "SELECT account, digest, created_at, expires_at, sent_to FROM invitations WHERE digest = ?",
      bind: { $0.bind(digest) },
      read: Invitation.init)
  }

  func save(_ invitation: Invitation) throws(StoreFault) {
    try write(
      """
      INSERT INTO invitations (account, digest, created_at, expires_at, sent_to)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (account) DO UPDATE SET
        digest = excluded.digest, created_at = excluded.created_at,
        expires_at = excluded.expires_at, sent_to = excluded.sent_to
      """
    ) {
      $0.bind(invitation.account.text)
      $0.bind(invitation.digest)
      $0.bind(invitation.createdAt)
      $0.bind(invitation.expiresAt)
      $0.bind(invitation.sentTo?.text)
    }
  }

  func removeInvitation(of account: AccountID) throws(StoreFault) {
    try write("DELETE FROM invitations WHERE account = ?") { $0.bind(account.text) }
  }

  func removeInvitations(
    expiredBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try removeOldest(
      """
      DELETE FROM invitations WHERE account IN
        (SELECT account FROM invitations WHERE expires_at < ? ORDER BY expires_at LIMIT ?)
      """, before: moment, limit: limit)
  }
}

extension SQLTransaction: NoticeRecords {
  func insert(_ notice: AccountNotice) throws(StoreFault) {
    try writeLater("INSERT INTO account_notices (id, account, kind, at) VALUES (?, ?, ?, ?)") {
      $0.bind(notice.id)
      $0.bind(notice.account.text)
      $0.bind(notice.kind.rawValue)
      $0.bind(notice.at)
    }
  }

  func notices(of account: AccountID) throws(StoreFault) -> [AccountNotice] {
    try connection.all(
      """
      SELECT id, account, kind, at FROM account_notices WHERE account = ?
      ORDER BY at DESC, id DESC
      """,
      bind: { $0.bind(account.text) }, read: AccountNotice.init)
  }

  func removeNotice(_ id: String, of account: AccountID) throws(StoreFault) {
    try writeLater("DELETE FROM account_notices WHERE id = ? AND account = ?") {
      $0.bind(id)
      $0.bind(account.text)
    }
  }

  func removeNotices(madeBefore moment: Instant, limit: Int) throws(StoreFault) -> Int {
    try removeOldest(
      """
      DELETE FROM account_notices WHERE id IN
        (SELECT id FROM account_notices WHERE at < ? ORDER BY at LIMIT ?)
      """, before: moment, limit: limit)
  }
}

extension WaitingPassword {
  fileprivate init(_ row: inout Row) {
    self.init(
      account: row.identifier(), client: row.identifier(), passwordHash: row.text(),
      requestedAt: row.moment(), availableAt: row.moment()
    )
  }
}

extension AccountNotice {
  fileprivate init(_ row: inout Row) throws(StoreFault) {
    self.init(
      id: row.text(), account: row.identifier(), kind: try row.word(), at: row.moment()
    )
  }
}

extension Invitation {
  init(_ row: inout Row) throws(StoreFault) {
    self.init(
      account: row.identifier(), digest: row.bytes(), createdAt: row.moment(),
      expiresAt: row.moment(), sentTo: try row.recipientIfAny()
    )
  }
}
