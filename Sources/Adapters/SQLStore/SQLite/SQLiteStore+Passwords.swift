internal import SignInModel
internal import SignInService

extension SQLiteStore {
  /// Seals the password hashes that an earlier version stored without a key.
  ///
  /// No readable copy stays in the file, because SQLite overwrites replaced values
  /// (`secure_delete`).
  static func sealPasswords(
    _ connection: SQLiteConnection, with keys: StoreKeys
  ) throws(StoreFault) {
    let bare = try connection.all(
      "SELECT id, password_hash FROM accounts WHERE password_hash IS NOT NULL",
      read: { row -> (AccountID, String) in (row.identifier(), row.text()) }
    ).filter { !StoreKeys.isSealed($0.1) }
    guard !bare.isEmpty else { return }
    try connection.execute("BEGIN IMMEDIATE")
    for (id, hash) in bare {
      // Another process may have changed the hash after it was read, so it is compared again.
      try connection.run("UPDATE accounts SET password_hash = ? WHERE id = ? AND password_hash = ?")
      {
        $0.bind(keys.sealed(hash, for: id))
        $0.bind(id.text)
        $0.bind(hash)
      }
    }
    try connection.execute("COMMIT")
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
