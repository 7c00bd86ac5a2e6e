internal import SignInModel
internal import SignInService

extension SQLTransaction: DemoRecords {
  func hasDemoAccounts() throws(StoreFault) -> Bool {
    try connection.first("SELECT 1 FROM accounts WHERE is_demo = 1 LIMIT 1") { row in
      row.number()
    } != nil
  }

  func hasAccounts() throws(StoreFault) -> Bool {
    try connection.first("SELECT 1 FROM accounts LIMIT 1") { row in row.number() } != nil
  }

  func demoAccounts(limit: Int) throws(StoreFault) -> [AccountID] {
    try connection.all(
      "SELECT id FROM accounts WHERE is_demo = 1 ORDER BY id LIMIT ?",
      bind: { $0.bind(Int64(limit)) }, read: { row in row.identifier() })
  }

  func removeAccount(_ id: AccountID) throws(StoreFault) -> Int {
    var count = try removeMessages(to: id)
    count += try removeAddressRecords(of: id)
    for statement in Self.removals { count += try write(statement) { $0.bind(id.text) } }
    guard try write("DELETE FROM accounts WHERE id = ?", bind: { $0.bind(id.text) }) == 1 else {
      throw .conflict
    }
    return count + 1
  }

  /// Removes the messages to the account.
  ///
  /// They are found by the account's number and address, so this must run before the account itself
  /// is removed.
  private func removeMessages(to id: AccountID) throws(StoreFault) -> Int {
    try write(
      """
      DELETE FROM outbox WHERE account = ?1 OR recipient IN (
        SELECT phone FROM accounts WHERE id = ?1 AND phone IS NOT NULL
        UNION SELECT email FROM accounts WHERE id = ?1 AND email IS NOT NULL)
      """
    ) { $0.bind(id.text) }
  }

  /// Removes records of others that contain the account's identifier, number or address: products
  /// that wait for the address, and answers that are remembered for a day.
  private func removeAddressRecords(of id: AccountID) throws(StoreFault) -> Int {
    let photos = try write(
      """
      DELETE FROM product_photos WHERE product IN (SELECT products.id FROM products
        JOIN accounts ON email = awaited_address WHERE accounts.id = ?)
      """
    ) { $0.bind(id.text) }
    let products = try write(
      """
      DELETE FROM products WHERE awaited_address = (SELECT email FROM accounts WHERE id = ?)
      """
    ) { $0.bind(id.text) }
    let journeys = try write(
      """
      DELETE FROM provider_journeys WHERE login_hint = (SELECT email FROM accounts WHERE id = ?)
      """
    ) { $0.bind(id.text) }
    let found = try connection.first(
      "SELECT phone, email FROM accounts WHERE id = ?", bind: { $0.bind(id.text) },
      read: { row in (phone: row.textIfAny(), email: row.textIfAny()) })
    let answers = try write(
      """
      DELETE FROM remembered_answers
      WHERE instr(body, ?1) > 0 OR instr(body, ?2) > 0 OR instr(body, ?3) > 0
      """
    ) {
      $0.bind(Array(id.text.utf8))
      $0.bind(found?.phone.map { Array($0.utf8) })
      $0.bind(found?.email.map { Array($0.utf8) })
    }
    return photos + products + journeys + answers
  }

  /// Statements that each remove the records that refer to the account `?1`.
  ///
  /// The security log is not among them, because it is append-only.
  private static let removals: [StaticString] = [
    "DELETE FROM sign_in_attempts WHERE account = ?1",
    "DELETE FROM identities WHERE account = ?1",
    "DELETE FROM contact_proposals WHERE account = ?1",
    "DELETE FROM code_challenges WHERE account = ?1",
    "DELETE FROM password_resets WHERE account = ?1",
    "DELETE FROM waiting_passwords WHERE account = ?1",
    "DELETE FROM invitations WHERE account = ?1",
    "DELETE FROM account_notices WHERE account = ?1",
    "DELETE FROM sessions WHERE account = ?1",
    "DELETE FROM known_devices WHERE account = ?1",
    "DELETE FROM lockouts WHERE account = ?1",
    "DELETE FROM refusal_tallies WHERE account = ?1 OR subject = ?1",
    "DELETE FROM remembered_answers WHERE owner = ?1",
    "DELETE FROM jobs WHERE account = ?1",
    "DELETE FROM deliveries WHERE account = ?1",
    "DELETE FROM activities WHERE account = ?1",
    "DELETE FROM service_requests WHERE account = ?1",
    "DELETE FROM product_removals WHERE owner = ?1",
    "DELETE FROM product_feeds WHERE owner = ?1",
    """
    DELETE FROM product_photos WHERE product IN (SELECT id FROM products WHERE owner = ?1)
    """,
    "DELETE FROM products WHERE owner = ?1",
    "DELETE FROM data_changes WHERE account = ?1",
  ]
}
