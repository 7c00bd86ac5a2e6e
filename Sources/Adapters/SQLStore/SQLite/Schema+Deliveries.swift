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
}
