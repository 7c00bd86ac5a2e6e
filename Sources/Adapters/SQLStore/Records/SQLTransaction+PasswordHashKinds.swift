internal import Cryptography
internal import SignInService

extension SQLTransaction: PasswordHashKindRecords {
  func passwordHashKinds() throws(StoreFault) -> Set<PasswordHashKind> {
    Set(
      try connection.all("SELECT kind FROM password_hash_kinds") {
        (row: inout Row) throws(StoreFault) -> PasswordHashKind in
        guard let kind = PasswordHashKind(word: row.text()) else { throw row.unreadable() }
        return kind
      })
  }

  func save(_ kind: PasswordHashKind) throws(StoreFault) {
    try write("INSERT INTO password_hash_kinds (kind) VALUES (?) ON CONFLICT DO NOTHING") {
      $0.bind(kind.word)
    }
  }

  /// Removes the kinds that no account uses.
  ///
  /// An account uses a kind if its sealed hash begins with the prefix that `StoreKeys.sealed`
  /// writes. The index contains only the imported hashes.
  func removeUnusedPasswordHashKinds() throws(StoreFault) {
    try write(
      """
      DELETE FROM password_hash_kinds WHERE NOT EXISTS (
        SELECT 1 FROM accounts
        WHERE substr(password_hash, 1, 3) IN ('s1a', 's1b')
          AND instr(password_hash, 's1' || kind || ':') = 1)
      """
    ) { _ in }
  }
}
