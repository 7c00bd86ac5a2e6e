extension PostgresSchema {
  /// What people changed in their own account and can take back, and requests for an erasure.
  ///
  /// The search texts are removed, because `FoldedText` now folds more letters.
  /// `MissingSearchTexts` writes them again.
  static let revocableChanges = """
    CREATE TABLE revocable_changes (
      id       text   NOT NULL PRIMARY KEY,
      account  text   NOT NULL,
      kind     text   NOT NULL,
      value    text,
      proof    text,
      unverified_since bigint,
      digest   bytea  NOT NULL,
      made_at  bigint NOT NULL,
      ends_at  bigint NOT NULL,
      undone_at bigint
    );
    CREATE INDEX revocable_changes_of_account ON revocable_changes (account, made_at);
    CREATE INDEX revocable_changes_by_digest ON revocable_changes (digest);
    CREATE INDEX revocable_changes_by_end ON revocable_changes (ends_at);
    UPDATE accounts SET search_text = NULL;
    UPDATE products SET search_text = NULL
    """
}
