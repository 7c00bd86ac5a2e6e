extension Schema {
  /// The folded texts in which words are searched.
  ///
  /// An index has everything that a search reads.
  static let searchTexts = """
    ALTER TABLE accounts ADD COLUMN search_text TEXT;
    ALTER TABLE products ADD COLUMN search_text TEXT;
    DROP INDEX accounts_for_search;
    CREATE INDEX accounts_for_search
      ON accounts (created_at, id, search_text, phone, role, status, organizations);
    DROP INDEX products_by_serial_number;
    DROP INDEX products_by_name;
    CREATE INDEX products_for_search ON products (created_at, id, search_text);
    """
}
