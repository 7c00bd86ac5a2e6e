internal import SignInModel
internal import SignInService
internal import SignInWire

extension SQLTransaction: SessionRecords {
  func insert(_ session: Session) throws(StoreFault) {
    try write(
      """
      INSERT INTO sessions
        (account, client, proof_key, scope, organization, authentication_methods, started_at,
        expires_at, last_used_at, refresh_generation, ended_by, successor, provider,
        assurance, authenticated_at, browser, system, town, country, renewals, first_renewal_at,
        last_renewal_at, id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      bind: session.bind)
  }

  func session(_ id: SessionID) throws(StoreFault) -> Session? {
    try connection.first(
      Self.sessionByID,
      bind: { $0.bind(id.text) }, read: Session.init)
  }

  func update(_ session: Session) throws(StoreFault) {
    try rewriteLater(
      """
      UPDATE sessions SET last_used_at = ?, refresh_generation = ?, ended_by = ?, successor = ?,
        renewals = ?, first_renewal_at = ?, last_renewal_at = ?
      WHERE id = ?
      """
    ) {
      $0.bind(session.lastUsedAt)
      $0.bind(session.refreshGeneration)
      $0.bind(session.end?.rawValue)
      $0.bind(session.successor?.text)
      session.renewals.bind(&$0)
      $0.bind(session.id.text)
    }
  }

  func sessions(of account: AccountID) throws(StoreFault) -> [Session] {
    try connection.all(
      """
      SELECT id, account, client, proof_key, scope, organization, authentication_methods,
        started_at, expires_at, last_used_at, refresh_generation, ended_by, successor, provider,
        assurance, authenticated_at, browser, system, town, country, renewals, first_renewal_at,
        last_renewal_at
      FROM sessions WHERE account = ? ORDER BY started_at DESC, id DESC
      """,
      bind: { $0.bind(account.text) }, read: Session.init)
  }

  func openSessions(of account: AccountID) throws(StoreFault) -> [Session] {
    try connection.all(
      Self.openSessionsOfAccount,
      bind: { $0.bind(account.text) }, read: Session.init)
  }

  func proofKeys(ofSessionsOf account: AccountID) throws(StoreFault) -> Set<String> {
    Set(
      try connection.all(
        Self.proofKeysOfAccount,
        bind: { $0.bind(account.text) }, read: { row in row.text() }))
  }

  func sessions(
    renewedSinceBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> [Session] {
    try connection.allReadable(
      """
      SELECT id, account, client, proof_key, scope, organization, authentication_methods,
        started_at, expires_at, last_used_at, refresh_generation, ended_by, successor, provider,
        assurance, authenticated_at, browser, system, town, country, renewals, first_renewal_at,
        last_renewal_at
      FROM sessions WHERE first_renewal_at < ? ORDER BY first_renewal_at, id LIMIT ?
      """,
      bind: {
        $0.bind(moment)
        $0.bind(Int64(limit))
      }, read: Session.init)
  }

  func removeSessions(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int {
    try removeOldest(
      """
      DELETE FROM sessions WHERE id IN
        (SELECT id FROM sessions WHERE expires_at < ? AND first_renewal_at IS NULL
        ORDER BY expires_at LIMIT ?)
      """, before: moment, limit: limit)
  }
}

extension Session {
  fileprivate init(_ row: inout Row) throws(StoreFault) {
    self.init(
      id: row.identifier(), account: row.identifier(), client: row.identifier(),
      proofKeyThumbprint: row.text(), scope: row.text(), organization: row.identifierIfAny(),
      authenticationMethods: row.names(), startedAt: row.moment(), expiresAt: row.moment(),
      lastUsedAt: row.moment(), refreshGeneration: row.number(), end: try row.wordIfAny(),
      successor: row.identifierIfAny()
    )
    provider = row.textIfAny()
    assurance = row.textIfAny()
    authenticatedAt = row.momentIfAny()
    device = DeviceName(browser: row.textIfAny(), system: row.textIfAny())
    let (town, country) = (row.textIfAny(), row.textIfAny())
    place = country.flatMap { SessionPlace(town: town, country: $0) }
    let (count, first, last) = (row.number(), row.momentIfAny(), row.momentIfAny())
    renewals = first.map { SessionRenewals(count: count, firstAt: $0, lastAt: last ?? $0) }
  }

  fileprivate func bind(_ parameters: inout Parameters) {
    parameters.bind(account.text)
    parameters.bind(client.text)
    parameters.bind(proofKeyThumbprint)
    parameters.bind(scope)
    parameters.bind(organization?.text)
    parameters.bind(names: authenticationMethods)
    parameters.bind(startedAt)
    parameters.bind(expiresAt)
    parameters.bind(lastUsedAt)
    parameters.bind(refreshGeneration)
    parameters.bind(end?.rawValue)
    parameters.bind(successor?.text)
    parameters.bind(provider)
    parameters.bind(assurance)
    parameters.bind(authenticatedAt)
    parameters.bind(device?.browser)
    parameters.bind(device?.system)
    parameters.bind(place?.town)
    parameters.bind(place?.country)
    renewals.bind(&parameters)
    parameters.bind(id.text)
  }
}

extension SessionRenewals? {
  fileprivate func bind(_ parameters: inout Parameters) {
    parameters.bind(self?.count ?? 0)
    parameters.bind(self?.firstAt)
    parameters.bind(self?.lastAt)
  }
}

/// Statements that are also read ahead.
extension SQLTransaction {
  static let sessionByID: StaticString = """
    SELECT id, account, client, proof_key, scope, organization, authentication_methods,
      started_at, expires_at, last_used_at, refresh_generation, ended_by, successor, provider,
      assurance, authenticated_at, browser, system, town, country, renewals, first_renewal_at,
      last_renewal_at
    FROM sessions WHERE id = ?
    """

  static let openSessionsOfAccount: StaticString = """
    SELECT id, account, client, proof_key, scope, organization, authentication_methods,
      started_at, expires_at, last_used_at, refresh_generation, ended_by, successor, provider,
      assurance, authenticated_at, browser, system, town, country, renewals, first_renewal_at,
      last_renewal_at
    FROM sessions INDEXED BY open_sessions_of_account
    WHERE account = ? AND ended_by IS NULL ORDER BY started_at DESC, id DESC
    """

  static let proofKeysOfAccount: StaticString =
    "SELECT DISTINCT proof_key FROM sessions WHERE account = ?"
}
