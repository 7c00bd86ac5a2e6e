extension PostgresSchema {
  /// What each server says about its configuration.
  static let nodeReports = """
    CREATE TABLE node_reports (
      node text COLLATE "C" NOT NULL PRIMARY KEY,
      at bigint NOT NULL,
      digests text COLLATE "C" NOT NULL
    );
    """
}
