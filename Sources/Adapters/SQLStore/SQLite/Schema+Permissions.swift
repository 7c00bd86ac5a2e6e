extension Schema {
  /// The permissions of administrators.
  ///
  /// In earlier versions every administrator had all of them.
  ///
  /// `phone_changed_at` is set until a changed number is proved. A message stores its account, so
  /// that all messages of an account are found even after its number or its address was changed.
  static let permissions = """
    ALTER TABLE accounts ADD COLUMN permissions      TEXT NOT NULL DEFAULT '';
    ALTER TABLE accounts ADD COLUMN phone_changed_at INTEGER;
    UPDATE accounts SET permissions = 'administrator' WHERE role = 'administrator';
    CREATE INDEX administrators ON accounts (id) WHERE role = 'administrator';
    ALTER TABLE outbox ADD COLUMN account TEXT;

    CREATE TABLE password_hash_kinds (
      kind TEXT NOT NULL PRIMARY KEY
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX imported_hashes ON accounts (id)
      WHERE substr(password_hash, 1, 3) IN ('s1a', 's1b');
    """
}
