extension PostgresSchema {
  /// The number of an account's lock, as `PostgresConnection.number` makes it: FNV-1a with 64 bits.
  ///
  /// A number of 64 bits has a sign here, and a product must not overflow. So the product with the
  /// prime 2^40 + 435 is made from halves.
  static let accountLocks = """
    CREATE FUNCTION account_lock(account text) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      name CONSTANT bytea := convert_to('account ' || account, 'UTF8');
      half CONSTANT bigint := 4294967295;
      hash bigint := -3750763034362895579;
      low bigint;
      high bigint;
      product bigint;
    BEGIN
      FOR place IN 0..length(name) - 1 LOOP
        hash := hash # CAST(get_byte(name, place) AS bigint);
        low := hash & half;
        high := (hash >> 32) & half;
        product := low * 435;
        hash := (((high * 435 + (product >> 32) + (low << 8)) & half) << 32) | (product & half);
      END LOOP;
      RETURN hash;
    END $$;
    """
}
