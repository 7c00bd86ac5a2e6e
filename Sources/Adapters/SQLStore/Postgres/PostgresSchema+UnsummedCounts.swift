extension PostgresSchema {
  /// The counts and costs that are not in the sums yet, a row for each decision.
  ///
  /// Rows are usually moved into the sums within seconds, so the table is cleared often.
  static let unsummedCounts = """
    CREATE TABLE unsummed_counts (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      day bigint NOT NULL,
      kind text COLLATE "C" NOT NULL,
      organizations text COLLATE "C" NOT NULL,
      count bigint NOT NULL
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
    CREATE TABLE unsummed_costs (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      day bigint NOT NULL,
      messenger text COLLATE "C" NOT NULL,
      country text COLLATE "C" NOT NULL,
      organization text COLLATE "C" NOT NULL,
      messages bigint NOT NULL,
      parts bigint NOT NULL,
      delivered bigint NOT NULL,
      undelivered bigint NOT NULL,
      price bigint NOT NULL,
      unpriced bigint NOT NULL
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
    """
}
