extension Schema {
  /// Accounts without a phone number, of people who sign in at an identity provider.
  ///
  /// SQLite cannot remove `NOT NULL` from a column, so the table is written again. Two accounts
  /// without a number do not collide, because SQLite compares `NULL` with nothing.
  static let optionalPhones = """
    ALTER TABLE accounts RENAME TO earlier_accounts;
    CREATE TABLE accounts (
      id               TEXT    NOT NULL PRIMARY KEY,
      email            TEXT    UNIQUE,
      phone            TEXT,
      name             TEXT    NOT NULL,
      role             TEXT    NOT NULL,
      status           TEXT    NOT NULL,
      password_hash    TEXT,
      organizations    TEXT    NOT NULL,
      created_at       INTEGER NOT NULL,
      is_demo          INTEGER NOT NULL DEFAULT 0,
      permissions      TEXT    NOT NULL DEFAULT '',
      phone_changed_at INTEGER,
      UNIQUE (phone, role),
      CHECK (phone IS NOT NULL OR role <> 'rider')
    ) STRICT, WITHOUT ROWID;
    INSERT INTO accounts
      SELECT id, email, phone, name, role, status, password_hash, organizations, created_at,
        is_demo, permissions, phone_changed_at
      FROM earlier_accounts;
    DROP TABLE earlier_accounts;
    CREATE INDEX accounts_by_creation ON accounts (created_at, id);
    CREATE INDEX accounts_of_demo ON accounts (id) WHERE is_demo = 1;
    CREATE INDEX administrators ON accounts (id) WHERE role = 'administrator';
    CREATE INDEX imported_hashes ON accounts (id)
      WHERE substr(password_hash, 1, 3) IN ('s1a', 's1b');
    """
}
