extension Schema {
  /// The metadata and keys of identity providers.
  static let providerDocuments = """
    CREATE TABLE provider_documents (
      provider   TEXT    NOT NULL,
      kind       TEXT    NOT NULL,
      url        TEXT    NOT NULL,
      body       BLOB    NOT NULL,
      fetched_at INTEGER NOT NULL,
      PRIMARY KEY (provider, kind)
    ) STRICT, WITHOUT ROWID;
    """
}
