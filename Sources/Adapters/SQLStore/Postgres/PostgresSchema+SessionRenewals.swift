extension PostgresSchema {
  /// The renewals of a session on one day that no event reports yet.
  ///
  /// They are in the row that each renewal changes anyway. The index changes once a day, so most
  /// renewals write no index.
  static let sessionRenewals = """
    ALTER TABLE sessions ADD COLUMN renewals bigint NOT NULL DEFAULT 0,
      ADD COLUMN first_renewal_at bigint, ADD COLUMN last_renewal_at bigint;
    CREATE INDEX sessions_with_renewals
      ON sessions (first_renewal_at) WHERE first_renewal_at IS NOT NULL
    """
}
