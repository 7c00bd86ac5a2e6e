extension Schema {
  /// What messages came to, a row for each day and place; a day is counted from 1970.
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
