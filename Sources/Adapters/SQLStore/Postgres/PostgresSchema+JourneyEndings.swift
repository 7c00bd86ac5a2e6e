extension PostgresSchema {
  /// What a repeated request of a browser is answered with.
  static let journeyEndings = """
    ALTER TABLE provider_journeys
      ADD COLUMN ended_state bytea,
      ADD COLUMN ended_browsers bytea,
      ADD COLUMN ended_at bigint,
      ADD COLUMN outcome text COLLATE "C";
    CREATE UNIQUE INDEX provider_journeys_by_ended_state
      ON provider_journeys (ended_state) WHERE ended_state IS NOT NULL
    """
}
