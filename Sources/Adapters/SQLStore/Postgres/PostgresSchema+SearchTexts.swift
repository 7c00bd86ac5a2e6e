extension PostgresSchema {
  /// The folded texts in which words are searched.
  ///
  /// The text of a product is too long for a record of an index. The earlier indexes stay one
  /// version longer, for servers of the version before. Those write records without the text, which
  /// the next server that starts adds.
  static let searchTexts = """
    ALTER TABLE accounts ADD COLUMN search_text text COLLATE "C";
    ALTER TABLE products ADD COLUMN search_text text COLLATE "C";
    CREATE INDEX accounts_for_words
      ON accounts (created_at, id) INCLUDE (search_text, phone, role, status);
    CREATE INDEX accounts_without_words ON accounts (id) WHERE search_text IS NULL;
    CREATE INDEX products_without_words ON products (id) WHERE search_text IS NULL
    """
}
