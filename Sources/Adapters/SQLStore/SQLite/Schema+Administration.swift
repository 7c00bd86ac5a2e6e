extension Schema {
  /// Indexes for lists from the newest record to the oldest, and the answers to repeated requests.
  static let administration = """
    CREATE INDEX accounts_by_creation ON accounts (created_at, id);
    CREATE INDEX outbox_by_creation ON outbox (created_at, id);

    CREATE TABLE remembered_answers (
      owner       TEXT    NOT NULL,
      key         TEXT    NOT NULL,
      fingerprint BLOB    NOT NULL,
      body        BLOB    NOT NULL,
      expires_at  INTEGER NOT NULL,
      PRIMARY KEY (owner, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX remembered_answers_by_expiry ON remembered_answers (expires_at);
    """
}
