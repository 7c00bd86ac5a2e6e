extension Schema {
  /// How far each receiver has taken the changes that people made.
  static let changeReceivers = """
    CREATE TABLE change_receivers (
      name  TEXT    NOT NULL PRIMARY KEY,
      taken INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
