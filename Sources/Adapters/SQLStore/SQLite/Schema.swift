internal import SignInService

/// The tables, and the migrations from databases of earlier versions.
///
/// A released migration is never changed. A further change is a further migration. Moments are in
/// milliseconds since 1970. Lists are words with a space between them.
enum Schema {
  static var version: Int64 { Int64(migrations.count) }

  /// The first migration makes version 1 of an empty database, the second makes version 2, and so
  /// on.
  static let migrations: [String] = [
    firstTables, eventTable, passwordResets, deliveries, throttleTables, administration,
    products,
    messageCharges,
    organizations,
    eventIndex,
    policies, unknownAccountLockouts,
    messageChannels,
    logStart,
    messageCosts,
    codeHolders,
    failureShares,
    messageKinds, waitingPasswords,
    refusalTallies,
    eventKeys,
    earlierScopes,
    provedPasswords,
    readiness,
    demoAccounts,
    openSignIns,
    usedAssertions,
    permissions,
    recordVersions,
    changeReceivers,
    providerDocuments, providerSignIns,
    optionalPhones,
    providerBrowsers,
    createdAccounts,
    requiredCodes,
    authenticationFacts,
    journeyOpenings,
    contactProposals,
    lockoutKeys,
    deviceNames,
    visitDetails,
    workOrganizations,
    overview,
    eventCodes,
    unlinkedEvents,
    statusNotes,
    sessionPlaces,
    accountSearch,
    productPhotos,
    conversionKeys,
    productSearch,
    contactProofs,
    recordKeys,
    CanonicalAddresses.migration,
    searchTexts,
    journeyEndings,
    sessionRenewals,
    signOuts,
    eventNotes,
    revocableChanges,
    formerContacts,
  ]

  /// Whether a version made the database that did not overwrite removed data.
  static func isBeforeErasure(_ connection: SQLiteConnection) throws(StoreFault) -> Bool {
    let isNew = try connection.first("PRAGMA user_version") { row in row.number() } == 0
    let isMarked = try connection.first(
      "SELECT 1 FROM pragma_table_info('accounts') WHERE name = 'permissions'"
    ) { row in row.number() }
    return !isNew && isMarked == nil
  }

  /// Migrates the database to this version in one transaction.
  ///
  /// - Throws: `.unusable` if a newer program wrote it, because this program cannot know its
  ///   meaning.
  static func migrate(_ connection: SQLiteConnection, path: String) throws(StoreFault) {
    try connection.execute("BEGIN IMMEDIATE")
    let found = try connection.first("PRAGMA user_version") { row in row.number() } ?? 0
    guard found <= version else {
      throw .unusable(
        """
        \(path) has schema \(found), newer than the \(version) this program knows: \
        install the program that wrote it, or restore a backup made before it ran
        """)
    }
    guard found >= 0 else {
      throw .unusable("\(path) has schema \(found), which no program wrote: restore a backup")
    }
    guard found < version else { return try connection.execute("COMMIT") }
    for migration in migrations[Int(found)...] {
      try connection.execute(migration)
      if migration == CanonicalAddresses.migration {
        try CanonicalAddresses.write(.sqlite(connection))
      }
    }
    try MissingSearchTexts.write(.sqlite(connection))
    try connection.execute("PRAGMA user_version = \(version)")
    try connection.execute("COMMIT")
  }

  private static let firstTables = """
    CREATE TABLE accounts (
      id            TEXT    NOT NULL PRIMARY KEY,
      email         TEXT    UNIQUE,
      phone         TEXT    NOT NULL,
      name          TEXT    NOT NULL,
      role          TEXT    NOT NULL,
      status        TEXT    NOT NULL,
      password_hash TEXT,
      organizations TEXT    NOT NULL,
      created_at    INTEGER NOT NULL,
      UNIQUE (phone, role)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE lockouts (
      key             TEXT    NOT NULL PRIMARY KEY,
      failures        INTEGER NOT NULL,
      failures_in_row INTEGER NOT NULL,
      reserved        INTEGER NOT NULL,
      reserved_at     INTEGER NOT NULL,
      locks           INTEGER NOT NULL,
      locked_until    INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sign_in_attempts (
      digest          BLOB    NOT NULL PRIMARY KEY,
      account         TEXT    NOT NULL,
      client          TEXT    NOT NULL,
      proof_key       TEXT    NOT NULL,
      pkce_challenge  TEXT    NOT NULL,
      scope           TEXT    NOT NULL,
      nonce           TEXT,
      organization    TEXT,
      started_at      INTEGER NOT NULL,
      expires_at      INTEGER NOT NULL,
      progress        TEXT    NOT NULL,
      code_digest     BLOB,
      code_expires_at INTEGER,
      session         TEXT,
      CHECK (CASE progress
        WHEN 'awaiting_code' THEN code_digest IS NULL
        WHEN 'proved'        THEN code_digest IS NOT NULL AND code_expires_at IS NOT NULL
        WHEN 'redeemed'      THEN code_digest IS NOT NULL AND session IS NOT NULL
        ELSE FALSE END)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX sign_in_attempts_by_code
      ON sign_in_attempts (code_digest) WHERE code_digest IS NOT NULL;
    CREATE INDEX sign_in_attempts_by_expiry ON sign_in_attempts (expires_at);

    CREATE TABLE code_challenges (
      account     TEXT    NOT NULL PRIMARY KEY,
      id          TEXT    NOT NULL,
      client      TEXT    NOT NULL,
      proof_key   TEXT    NOT NULL,
      mac         BLOB    NOT NULL,
      superseded  BLOB    NOT NULL,
      digits      INTEGER NOT NULL,
      expires_at  INTEGER NOT NULL,
      resend_at   INTEGER NOT NULL,
      is_consumed INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sessions (
      id                     TEXT    NOT NULL PRIMARY KEY,
      account                TEXT    NOT NULL,
      client                 TEXT    NOT NULL,
      proof_key              TEXT    NOT NULL,
      scope                  TEXT    NOT NULL,
      organization           TEXT,
      authentication_methods TEXT    NOT NULL,
      started_at             INTEGER NOT NULL,
      expires_at             INTEGER NOT NULL,
      last_used_at           INTEGER NOT NULL,
      refresh_generation     INTEGER NOT NULL,
      ended_by               TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_of_account ON sessions (account, started_at);
    CREATE INDEX sessions_by_expiry ON sessions (expires_at);

    CREATE TABLE outbox (
      id           TEXT    NOT NULL PRIMARY KEY,
      recipient    TEXT    NOT NULL,
      sealed_text  BLOB    NOT NULL,
      created_at   INTEGER NOT NULL,
      expires_at   INTEGER NOT NULL,
      leased_until INTEGER NOT NULL,
      tries        INTEGER NOT NULL,
      state        TEXT    NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX outbox_waiting ON outbox (created_at) WHERE state = 'waiting';
    CREATE INDEX outbox_settled ON outbox (expires_at) WHERE state <> 'waiting';

    CREATE TABLE jobs (
      id        TEXT    NOT NULL PRIMARY KEY,
      account   TEXT    NOT NULL,
      title     TEXT    NOT NULL,
      customer  TEXT    NOT NULL,
      place     TEXT    NOT NULL,
      starts_at INTEGER NOT NULL,
      ends_at   INTEGER NOT NULL,
      status    TEXT    NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX jobs_of_account ON jobs (account, starts_at);
    """
}
