extension Schema {
  /// Each code gets a purpose, so that a code for signing in and a code for setting a password can
  /// be valid at the same time.
  ///
  /// A password reset ends every sign-in attempt of its account, so the attempts get an index by
  /// account.
  static let passwordResets = """
    CREATE TABLE code_challenges_by_purpose (
      account     TEXT    NOT NULL,
      purpose     TEXT    NOT NULL,
      id          TEXT    NOT NULL,
      client      TEXT    NOT NULL,
      proof_key   TEXT    NOT NULL,
      mac         BLOB    NOT NULL,
      superseded  BLOB    NOT NULL,
      digits      INTEGER NOT NULL,
      expires_at  INTEGER NOT NULL,
      resend_at   INTEGER NOT NULL,
      is_consumed INTEGER NOT NULL,
      PRIMARY KEY (account, purpose)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO code_challenges_by_purpose
      SELECT account, 'sign_in', id, client, proof_key, mac, superseded, digits, expires_at,
        resend_at, is_consumed
      FROM code_challenges;
    DROP TABLE code_challenges;
    ALTER TABLE code_challenges_by_purpose RENAME TO code_challenges;

    CREATE INDEX sign_in_attempts_of_account ON sign_in_attempts (account);

    CREATE TABLE password_resets (
      digest     BLOB    NOT NULL PRIMARY KEY,
      account    TEXT    NOT NULL,
      client     TEXT    NOT NULL,
      proof_key  TEXT,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX password_resets_of_account ON password_resets (account);
    CREATE INDEX password_resets_by_expiry ON password_resets (expires_at);
    """
}
