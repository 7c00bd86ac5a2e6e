extension PostgresSchema {
  /// Addresses and numbers that accounts had before; see `FormerContact`.
  static let formerContacts = """
    CREATE TABLE former_contacts (
      account     text COLLATE "C" NOT NULL,
      value       text COLLATE "C" NOT NULL,
      proof       text,
      replaced_at bigint,
      PRIMARY KEY (account, value)
    );
    CREATE INDEX former_contacts_by_age ON former_contacts (replaced_at)
    """
}
