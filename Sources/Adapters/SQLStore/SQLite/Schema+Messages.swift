extension Schema {
  /// The messenger of a message, its receipt and its cost.
  static let messageCharges = """
    ALTER TABLE outbox ADD COLUMN client         TEXT;
    ALTER TABLE outbox ADD COLUMN organization   TEXT;
    ALTER TABLE outbox ADD COLUMN segments       INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE outbox ADD COLUMN messenger      TEXT;
    ALTER TABLE outbox ADD COLUMN reference      TEXT;
    ALTER TABLE outbox ADD COLUMN doubts         INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE outbox ADD COLUMN handed_over_at INTEGER;
    ALTER TABLE outbox ADD COLUMN receipt        TEXT;
    ALTER TABLE outbox ADD COLUMN received_at    INTEGER;
    ALTER TABLE outbox ADD COLUMN price          INTEGER;
    CREATE INDEX outbox_by_reference ON outbox (reference) WHERE reference IS NOT NULL;
    """

  /// The kind of a message.
  ///
  /// Earlier versions sent codes only.
  static let messageKinds = """
    ALTER TABLE outbox ADD COLUMN kind TEXT NOT NULL DEFAULT 'code';
    """

  /// The channel on which a message is sent.
  static let messageChannels = """
    ALTER TABLE outbox ADD COLUMN channel TEXT NOT NULL DEFAULT 'sms';
    """
}
