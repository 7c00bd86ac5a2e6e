extension PostgresSchema {
  /// The browser and the system that a session began on; unknown for earlier sessions.
  static let deviceNames = """
    ALTER TABLE sessions ADD COLUMN browser text COLLATE "C", ADD COLUMN system text COLLATE "C"
    """

  /// Approximately where a session began; unknown for earlier sessions.
  static let sessionPlaces = """
    ALTER TABLE sessions ADD COLUMN town text COLLATE "C", ADD COLUMN country text COLLATE "C"
    """
}
