extension Schema {
  static let deliveries = """
    CREATE TABLE deliveries (
      id        TEXT    NOT NULL PRIMARY KEY,
      account   TEXT    NOT NULL,
      recipient TEXT    NOT NULL,
      place     TEXT    NOT NULL,
      parcels   INTEGER NOT NULL,
      starts_at INTEGER NOT NULL,
      ends_at   INTEGER NOT NULL,
      status    TEXT    NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX deliveries_of_account ON deliveries (account, starts_at);
    """

  /// Whom to call, and what to know before a visit.
  static let visitDetails = """
    ALTER TABLE jobs ADD COLUMN phone TEXT;
    ALTER TABLE jobs ADD COLUMN instructions TEXT;
    ALTER TABLE deliveries ADD COLUMN phone TEXT;
    ALTER TABLE deliveries ADD COLUMN instructions TEXT;
    """

  /// The organization whose work a job or a delivery is; unknown for earlier ones.
  static let workOrganizations = """
    ALTER TABLE jobs ADD COLUMN organization TEXT;
    ALTER TABLE deliveries ADD COLUMN organization TEXT;
    """

  /// What the person wrote about the status.
  static let statusNotes = """
    ALTER TABLE jobs ADD COLUMN status_note TEXT;
    ALTER TABLE deliveries ADD COLUMN status_note TEXT;
    """
}
