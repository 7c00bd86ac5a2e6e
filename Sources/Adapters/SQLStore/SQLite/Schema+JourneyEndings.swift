extension Schema {
  /// What a repeated request of a browser is answered with.
  static let journeyEndings = """
    ALTER TABLE provider_journeys ADD COLUMN ended_state BLOB;
    ALTER TABLE provider_journeys ADD COLUMN ended_browsers BLOB;
    ALTER TABLE provider_journeys ADD COLUMN ended_at INTEGER;
    ALTER TABLE provider_journeys ADD COLUMN outcome TEXT;
    CREATE UNIQUE INDEX provider_journeys_by_ended_state
      ON provider_journeys (ended_state) WHERE ended_state IS NOT NULL;
    """
}
