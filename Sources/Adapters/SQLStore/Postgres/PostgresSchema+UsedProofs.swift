extension PostgresSchema {
  /// The proofs that a server has accepted, until they expire.
  static let usedProofs = """
    CREATE TABLE used_proofs (
      digest     bytea  NOT NULL PRIMARY KEY,
      expires_at bigint NOT NULL
    );
    CREATE INDEX used_proofs_by_expiry ON used_proofs (expires_at)
    """
}
