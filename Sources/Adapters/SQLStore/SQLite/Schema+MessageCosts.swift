extension Schema {
  /// The cost of messages, one row for each day, messenger, country and organization.
  ///
  /// A day is the number of days since 1970-01-01.
  static let messageCosts = """
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
