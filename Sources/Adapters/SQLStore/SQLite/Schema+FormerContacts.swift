extension Schema {
  /// Addresses and numbers that accounts had before; see `FormerContact`.
  static let formerContacts = """
    CREATE TABLE former_contacts (
      account     TEXT    NOT NULL,
      value       TEXT    NOT NULL,
      proof       TEXT,
      replaced_at INTEGER,
      PRIMARY KEY (account, value)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX former_contacts_by_age ON former_contacts (replaced_at);
    """
}
