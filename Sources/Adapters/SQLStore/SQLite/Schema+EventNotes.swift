extension Schema {
  /// The texts of events, which an erasure removes; see `EventText`.
  static let eventNotes = """
    CREATE TABLE event_notes (
      reference  TEXT    NOT NULL PRIMARY KEY,
      account    TEXT    NOT NULL,
      salt       BLOB    NOT NULL,
      content    TEXT    NOT NULL,
      written_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX event_notes_of_account ON event_notes (account);
    CREATE INDEX event_notes_by_age ON event_notes (written_at);
    """
}
