extension Schema {
  /// The security log.
  ///
  /// The triggers prevent changes by this program. A person with access to the file can remove the
  /// triggers. The hashes make such changes visible.
  static let eventTable = """
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
      hash      BLOB    NOT NULL
    ) STRICT;
    CREATE INDEX security_events_of_account
      ON security_events (account, sequence) WHERE account IS NOT NULL;
    CREATE TRIGGER security_events_are_not_changed BEFORE UPDATE ON security_events
      BEGIN SELECT RAISE(ABORT, 'the security log is append-only'); END;
    CREATE TRIGGER security_events_are_not_removed BEFORE DELETE ON security_events
      BEGIN SELECT RAISE(ABORT, 'the security log is append-only'); END;
    """

  /// Events without an account are indexed too.
  ///
  /// Otherwise storing such an event would be faster, and the response time would show that an
  /// account does not exist (T-03).
  static let eventIndex = """
    DROP INDEX security_events_of_account;
    CREATE INDEX security_events_of_account ON security_events (account, sequence);
    """

  /// The key with which the hash of an event was made.
  ///
  /// Older events have none.
  static let eventKeys = """
    ALTER TABLE security_events ADD COLUMN key_id TEXT;
    """

  /// The console lists the events of a kind, which can be rare in a long log.
  static let eventCodes = """
    CREATE INDEX security_events_of_code ON security_events (code, sequence);
    """

  /// The start of the log.
  ///
  /// Only events before it can be removed.
  static let logStart = """
    CREATE TABLE security_log_start (
      id       INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      sequence INTEGER NOT NULL,
      hash     BLOB    NOT NULL
    ) STRICT;
    INSERT INTO security_log_start (id, sequence, hash) VALUES (1, 0, zeroblob(32));
    DROP TRIGGER security_events_are_not_removed;
    CREATE TRIGGER security_events_are_not_removed BEFORE DELETE ON security_events
      WHEN OLD.sequence > (SELECT sequence FROM security_log_start)
      BEGIN SELECT RAISE(ABORT, 'the security log is append-only'); END;
    """

  /// The events that are not in the log yet.
  ///
  /// The writer's code is a keyed hash of the event. A refused event has a wrong one. The trigger
  /// prevents changes by this program.
  static let unlinkedEvents = """
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
    CREATE TRIGGER unlinked_events_are_not_changed
      BEFORE UPDATE OF id, at, code, account, client, session, peer, proof_key, detail, count,
        key_id, writer_code
      ON unlinked_events
      BEGIN SELECT RAISE(ABORT, 'an event is not changed'); END;
    """
}
