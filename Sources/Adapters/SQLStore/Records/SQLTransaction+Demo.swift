internal import JSONText
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

  func removeAccount(
    _ id: AccountID, addresses: Set<Recipient>
  ) throws(StoreFault) -> Int {
    let texts = addresses.map(\.text).sorted()
    let name = try connection.first(
      "SELECT name FROM accounts WHERE id = ?", bind: { $0.bind(id.text) },
      read: { row in NameInText(row.text()) })
    var count = try removeAddressRecords(of: id, texts)
    if let name, !name.text.isEmpty { count += try removeTexts(with: name) }
    for text in [id.text] + texts { count += try emptyAnswers(containing: text) }
    for statement in Self.removals { count += try write(statement) { $0.bind(id.text) } }
    guard try write("DELETE FROM accounts WHERE id = ?", bind: { $0.bind(id.text) }) == 1 else {
      throw .conflict
    }
    return count + 1
  }

  /// Removes records of others that contain the account's addresses: messages, notes of the
  /// security log, sign-ins at providers, proposals, and products that wait for an address.
  private func removeAddressRecords(
    of id: AccountID, _ addresses: [String]
  ) throws(StoreFault) -> Int {
    let json = JSON.array(addresses.map { JSON.string($0) })
    let list = String(decoding: json.utf8, as: UTF8.self)
    var count = try write(
      """
      DELETE FROM outbox WHERE account = ? OR recipient IN (SELECT value FROM json_each(?))
      """
    ) {
      $0.bind(id.text)
      $0.bind(list)
    }
    for statement in Self.addressRemovals { count += try write(statement) { $0.bind(list) } }
    return count
  }

  /// Removes the reasons about others, and the content of answers, that contain the name.
  private func removeTexts(with name: NameInText) throws(StoreFault) -> Int {
    var count = 0
    let notes = try connection.all(
      "SELECT reference, content FROM event_notes WHERE instr(content, ?) > 0",
      bind: { $0.bind(name.text) }, read: { row in (reference: row.text(), text: row.text()) })
    for note in notes where name.occurs(in: note.text) {
      count += try write("DELETE FROM event_notes WHERE reference = ?") { $0.bind(note.reference) }
    }
    let written = name.inJSON
    let answers = try connection.all(
      "SELECT owner, key, body FROM remembered_answers WHERE instr(body, ?) > 0",
      bind: { $0.bind(Array(written.text.utf8)) },
      read: { row in (owner: row.text(), key: row.text(), body: row.bytes()) })
    for answer in answers where written.occurs(in: String(decoding: answer.body, as: UTF8.self)) {
      count += try write("UPDATE remembered_answers SET body = ? WHERE owner = ? AND key = ?") {
        $0.bind([UInt8]())
        $0.bind(answer.owner)
        $0.bind(answer.key)
      }
    }
    return count
  }

  /// Removes the content of answers that are remembered for a day.
  private func emptyAnswers(containing text: String) throws(StoreFault) -> Int {
    try write("UPDATE remembered_answers SET body = ? WHERE instr(body, ?) > 0") {
      $0.bind([UInt8]())
      $0.bind(Array(text.utf8))
    }
  }

  /// Statements that each remove the records with one of the addresses in the JSON array `?1`.
  private static let addressRemovals: [StaticString] = [
    """
    DELETE FROM product_photos WHERE product IN (SELECT id FROM products
      WHERE awaited_address IN (SELECT value FROM json_each(?1)))
    """,
    "DELETE FROM products WHERE awaited_address IN (SELECT value FROM json_each(?1))",
    "DELETE FROM provider_journeys WHERE login_hint IN (SELECT value FROM json_each(?1))",
    "DELETE FROM contact_proposals WHERE value IN (SELECT json_each.value FROM json_each(?1))",
    "DELETE FROM former_contacts WHERE value IN (SELECT json_each.value FROM json_each(?1))",
    """
    DELETE FROM event_notes
    WHERE EXISTS (SELECT 1 FROM json_each(?1) WHERE instr(content, value) > 0)
    """,
  ]

  /// Statements that each remove the records that refer to the account `?1`.
  ///
  /// The security log is not among them, because it is append-only.
  private static let removals: [StaticString] = [
    "DELETE FROM sign_in_attempts WHERE account = ?1",
    "DELETE FROM identities WHERE account = ?1",
    "DELETE FROM contact_proposals WHERE account = ?1",
    "DELETE FROM revocable_changes WHERE account = ?1",
    "DELETE FROM former_contacts WHERE account = ?1",
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
    "DELETE FROM event_notes WHERE account = ?1",
  ]
}
