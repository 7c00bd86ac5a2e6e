extension Schema {
  /// The browser and the system that a session began on; unknown for earlier sessions.
  static let deviceNames = """
    ALTER TABLE sessions ADD COLUMN browser TEXT;
    ALTER TABLE sessions ADD COLUMN system TEXT;
    """

  /// Approximately where a session began; unknown for earlier sessions.
  static let sessionPlaces = """
    ALTER TABLE sessions ADD COLUMN town TEXT;
    ALTER TABLE sessions ADD COLUMN country TEXT;
    """
}
