internal import SignInModel
internal import SignInService

extension SQLTransaction {
  func addUnlinked(_ content: EventContent, writerCode: [UInt8]) throws(StoreFault) {
    try writeLater(
      """
      INSERT INTO unlinked_events
        (at, code, account, client, session, peer, proof_key, detail, count, key_id, writer_code)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ) {
      $0.bind(content)
      $0.bind(writerCode)
    }
  }

  func unlinkedEvents(after id: Int64, limit: Int) throws(StoreFault) -> [UnlinkedEvent] {
    try connection.all(
      """
      SELECT id, writer_code, at, code, account, client, session, peer, proof_key, detail, count,
        key_id
      FROM unlinked_events WHERE id > ? AND refused = 0 ORDER BY id LIMIT ?
      """,
      bind: {
        $0.bind(id)
        $0.bind(Int64(limit))
      },
      read: { row in
        let (id, writerCode) = (row.number(), row.bytes())
        return UnlinkedEvent(id: id, content: EventContent(&row), writerCode: writerCode)
      })
  }

  func removeUnlinked(_ ids: [Int64]) throws(StoreFault) {
    try writeLater(
      """
      DELETE FROM unlinked_events
      WHERE id IN (SELECT CAST(value AS bigint) FROM json_each(?))
      """
    ) { $0.bind(Self.list(ids)) }
  }

  /// PostgreSQL sends the notification when the decision is durable.
  func notifyServers() throws(StoreFault) {
    guard isPostgres else { return }
    try writeLater("SELECT pg_notify(CAST(current_schema() AS text) || '_events', '')") { _ in }
  }

  func refuseUnlinked(_ ids: [Int64]) throws(StoreFault) {
    try writeLater(
      """
      UPDATE unlinked_events SET refused = 1
      WHERE id IN (SELECT CAST(value AS bigint) FROM json_each(?))
      """
    ) { $0.bind(Self.list(ids)) }
  }

  func refusedEventCount() throws(StoreFault) -> Int64 {
    try connection.first("SELECT count(*) FROM unlinked_events WHERE refused <> 0") { row in
      row.number()
    } ?? 0
  }

  /// A list of numbers for `json_each`.
  private static func list(_ numbers: [Int64]) -> String {
    "[" + numbers.map(String.init).joined(separator: ",") + "]"
  }
}
