extension PostgresSchema {
  /// The texts of events, which an erasure removes; see `EventText`.
  static let eventNotes = """
    CREATE TABLE event_notes (
      reference text COLLATE "C" NOT NULL PRIMARY KEY,
      account text COLLATE "C" NOT NULL,
      salt bytea NOT NULL,
      content text COLLATE "C" NOT NULL,
      written_at bigint NOT NULL
    );
    CREATE INDEX event_notes_of_account ON event_notes (account);
    CREATE INDEX event_notes_by_age ON event_notes (written_at)
    """
}
