extension Schema {
  /// Passwords that wait to take effect, invitations to choose a password, and notices for
  /// signed-in devices.
  static let waitingPasswords = """
    CREATE TABLE waiting_passwords (
      account       TEXT    NOT NULL PRIMARY KEY,
      client        TEXT    NOT NULL,
      password_hash TEXT    NOT NULL,
      requested_at  INTEGER NOT NULL,
      available_at  INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX waiting_passwords_by_time ON waiting_passwords (available_at);

    CREATE TABLE invitations (
      account    TEXT    NOT NULL PRIMARY KEY,
      digest     BLOB    NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX invitations_by_expiry ON invitations (expires_at);

    CREATE TABLE account_notices (
      id      TEXT    NOT NULL PRIMARY KEY,
      account TEXT    NOT NULL,
      kind    TEXT    NOT NULL,
      at      INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX notices_of_account ON account_notices (account, at);
    CREATE INDEX notices_by_time ON account_notices (at);
    """
}
