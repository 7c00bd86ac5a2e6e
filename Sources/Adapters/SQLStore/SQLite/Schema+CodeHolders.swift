extension Schema {
  /// Each known device of an account has its own code.
  ///
  /// All unknown devices of the account share one code, with an empty holder.
  static let codeHolders = """
    CREATE TABLE code_challenges_by_holder (
      account     TEXT    NOT NULL,
      purpose     TEXT    NOT NULL,
      holder      TEXT    NOT NULL,
      id          TEXT    NOT NULL,
      client      TEXT    NOT NULL,
      proof_key   TEXT    NOT NULL,
      mac         BLOB    NOT NULL,
      superseded  BLOB    NOT NULL,
      digits      INTEGER NOT NULL,
      expires_at  INTEGER NOT NULL,
      resend_at   INTEGER NOT NULL,
      is_consumed INTEGER NOT NULL,
      PRIMARY KEY (account, purpose, holder)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO code_challenges_by_holder
      SELECT account, purpose,
        CASE WHEN EXISTS (
          SELECT 1 FROM known_devices
          WHERE known_devices.account = code_challenges.account
            AND known_devices.proof_key = code_challenges.proof_key
        ) THEN proof_key ELSE '' END,
        id, client, proof_key, mac, superseded, digits, expires_at, resend_at, is_consumed
      FROM code_challenges;
    DROP TABLE code_challenges;
    ALTER TABLE code_challenges_by_holder RENAME TO code_challenges;
    """
}
