extension PostgresSchema {
  /// The number of an account's lock, as `PostgresConnection.number` makes it.
  static let accountLocks = """
    CREATE FUNCTION account_lock(account text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
      SELECT 9223372036854775807 & CAST(CAST('x' || left(
        encode(sha256(convert_to('account ' || account, 'UTF8')), 'hex'), 16
      ) AS bit(64)) AS bigint)
    $$;
    """
}
