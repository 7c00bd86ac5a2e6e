extension Schema {
  /// What people changed in their own account and can take back, and requests for an erasure.
  ///
  /// The search texts are removed, because `FoldedText` now folds more letters.
  /// `MissingSearchTexts` writes them again.
  static let revocableChanges = """
    CREATE TABLE revocable_changes (
      id       TEXT    NOT NULL PRIMARY KEY,
      account  TEXT    NOT NULL,
      kind     TEXT    NOT NULL,
      value    TEXT,
      proof    TEXT,
      unverified_since INTEGER,
      digest   BLOB    NOT NULL,
      made_at  INTEGER NOT NULL,
      ends_at  INTEGER NOT NULL,
      undone_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX revocable_changes_of_account ON revocable_changes (account, made_at);
    CREATE INDEX revocable_changes_by_digest ON revocable_changes (digest);
    CREATE INDEX revocable_changes_by_end ON revocable_changes (ends_at);
    UPDATE accounts SET search_text = NULL;
    UPDATE products SET search_text = NULL;
    """
}
