internal import SignInModel
internal import SignInService

/// Gives the e-mail addresses that earlier versions stored their canonical form.
enum CanonicalAddresses {
  /// The statement of the migration.
  ///
  /// It only has a place in the order of migrations, because SQL does not know the canonical form.
  static let migration = "SELECT 1"

  /// Rewrites the addresses of accounts, and those that products wait for.
  ///
  /// If two accounts have spellings of one address, only the older one gets the canonical form. An
  /// address that is refused today stays as it is.
  static func write(_ connection: Connection) throws(StoreFault) {
    let accounts = try connection.all(
      "SELECT id, email FROM accounts WHERE email IS NOT NULL ORDER BY created_at, id"
    ) { (row: inout Row) throws(StoreFault) in
      (id: row.text(), address: canonical(row.text()))
    }
    for account in accounts {
      guard let address = account.address else { continue }
      try connection.run(
        """
        UPDATE accounts SET email = ?1
        WHERE id = ?2 AND NOT EXISTS (SELECT 1 FROM accounts WHERE email = ?1)
        """
      ) {
        $0.bind(address)
        $0.bind(account.id)
      }
    }
    let waiting = try connection.all(
      "SELECT DISTINCT awaited_address FROM products WHERE awaited_address IS NOT NULL"
    ) { (row: inout Row) throws(StoreFault) in row.text() }
    for earlier in waiting {
      guard let address = canonical(earlier) else { continue }
      try connection.run("UPDATE products SET awaited_address = ? WHERE awaited_address = ?") {
        $0.bind(address)
        $0.bind(earlier)
      }
    }
  }

  /// `nil` if the address is canonical already or is refused.
  private static func canonical(_ stored: String) -> String? {
    do throws(Malformed) {
      let address = try EmailAddress(parsing: stored).text
      return address.hasSameBytes(as: stored) ? nil : address
    } catch {
      return nil
    }
  }
}
