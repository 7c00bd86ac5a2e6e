extension PostgresSchema {
  /// The functions of SQLite that the statements call.
  ///
  /// They are created before the tables.
  static let functions = """
    CREATE FUNCTION instr(content text, part text) RETURNS integer
      LANGUAGE sql IMMUTABLE RETURN strpos(content, part);
    CREATE FUNCTION instr(content bytea, part bytea) RETURNS integer
      LANGUAGE sql IMMUTABLE RETURN position(part IN content);
    CREATE FUNCTION zeroblob(size bigint) RETURNS bytea
      LANGUAGE sql IMMUTABLE RETURN decode(repeat('00', CAST(size AS integer)), 'hex');
    CREATE FUNCTION json_each(list text) RETURNS TABLE (value text)
      LANGUAGE sql IMMUTABLE AS 'SELECT json_array_elements_text(CAST(list AS json))';
    """
}
