extension Schema {
  static let messages = """
    -- The messages to people, with the messenger, the receipt and the price of each.
    --
    -- A message has its account, so that all messages of an account are found even after its number
    -- or its address was changed.
    CREATE TABLE outbox (
      id             TEXT    NOT NULL PRIMARY KEY,
      account        TEXT,
      client         TEXT,
      organization   TEXT,
      kind           TEXT    NOT NULL DEFAULT 'code',
      channel        TEXT    NOT NULL DEFAULT 'sms',
      recipient      TEXT    NOT NULL,
      sealed_text    BLOB    NOT NULL,
      segments       INTEGER NOT NULL DEFAULT 1,
      created_at     INTEGER NOT NULL,
      expires_at     INTEGER NOT NULL,
      leased_until   INTEGER NOT NULL,
      tries          INTEGER NOT NULL,
      doubts         INTEGER NOT NULL DEFAULT 0,
      state          TEXT    NOT NULL,
      messenger      TEXT,
      reference      TEXT,
      handed_over_at INTEGER,
      receipt        TEXT,
      received_at    INTEGER,
      price          INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX outbox_by_creation ON outbox (created_at, id);
    CREATE INDEX outbox_by_reference ON outbox (reference) WHERE reference IS NOT NULL;
    CREATE INDEX outbox_failed
      ON outbox (organization, state, receipt)
      WHERE state = 'failed' OR receipt = 'undelivered';
    CREATE INDEX outbox_settled ON outbox (expires_at) WHERE state <> 'waiting';
    CREATE INDEX outbox_waiting ON outbox (created_at) WHERE state = 'waiting';

    -- One row for each day, messenger, country and organization.
    CREATE TABLE message_costs (
      day          INTEGER NOT NULL,
      messenger    TEXT    NOT NULL,
      country      TEXT    NOT NULL,
      organization TEXT    NOT NULL,
      messages     INTEGER NOT NULL,
      parts        INTEGER NOT NULL,
      delivered    INTEGER NOT NULL,
      undelivered  INTEGER NOT NULL,
      price        INTEGER NOT NULL,
      unpriced     INTEGER NOT NULL,
      PRIMARY KEY (day, messenger, country, organization)
    ) STRICT, WITHOUT ROWID;
    """
}
