extension Schema {
  /// The number of the last change that each receiver has accepted.
  static let changeReceivers = """
    CREATE TABLE change_receivers (
      name  TEXT    NOT NULL PRIMARY KEY,
      taken INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
