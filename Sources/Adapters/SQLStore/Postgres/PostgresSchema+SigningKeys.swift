extension PostgresSchema {
  /// The signing keys of all servers, sealed with the master key.
  ///
  /// One of them has no end.
  static let signingKeys = """
    CREATE TABLE signing_keys (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      sealed bytea NOT NULL,
      signs_until bigint
    );
    CREATE UNIQUE INDEX last_signing_key ON signing_keys ((true)) WHERE signs_until IS NULL;
    """
}
