extension Schema {
  /// The security log.
  ///
  /// Triggers of each database prevent changes by this program. A person with access to the
  /// database can remove the triggers. The hashes make such changes visible.
  static let events = """
    -- `key_id` names the key with which the hash was made; without a key it is NULL.
    CREATE TABLE security_events (
      sequence  INTEGER NOT NULL PRIMARY KEY,
      at        INTEGER NOT NULL,
      code      TEXT    NOT NULL,
      account   TEXT,
      client    TEXT,
      session   TEXT,
      peer      TEXT,
      proof_key TEXT,
      detail    TEXT,
      count     INTEGER,
      key_id    TEXT,
      hash      BLOB    NOT NULL
    ) STRICT;
    -- Events without an account are indexed too. Otherwise storing such an event would be faster,
    -- and the response time would show that an account does not exist (T-03).
    CREATE INDEX security_events_of_account ON security_events (account, sequence);
    -- The console lists the events of a kind, which can be rare in a long log.
    CREATE INDEX security_events_of_code ON security_events (code, sequence);

    -- The start of the log. Only events before it can be removed.
    CREATE TABLE security_log_start (
      id       INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      sequence INTEGER NOT NULL,
      hash     BLOB    NOT NULL
    ) STRICT;
    INSERT INTO security_log_start (id, sequence, hash) VALUES (1, 0, zeroblob(32));

    -- The events that are not in the log yet. The database numbers them, which makes no decision
    -- wait for another. The writer's code is a keyed hash of the event. A refused event has a wrong
    -- one.
    CREATE TABLE unlinked_events (
      id          INTEGER NOT NULL PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740992),
      at          INTEGER NOT NULL,
      code        TEXT    NOT NULL,
      account     TEXT,
      client      TEXT,
      session     TEXT,
      peer        TEXT,
      proof_key   TEXT,
      detail      TEXT,
      count       INTEGER,
      key_id      TEXT,
      writer_code BLOB    NOT NULL,
      refused     INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    -- The texts of events, which an erasure removes; see `EventText`.
    CREATE TABLE event_notes (
      reference  TEXT    NOT NULL PRIMARY KEY,
      account    TEXT    NOT NULL,
      salt       BLOB    NOT NULL,
      content    TEXT    NOT NULL,
      written_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX event_notes_by_age ON event_notes (written_at);
    CREATE INDEX event_notes_of_account ON event_notes (account);
    """
}
