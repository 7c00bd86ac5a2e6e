internal import SignInModel
internal import SignInService

extension SQLTransaction: OutboxRecords {
  func insert(_ message: OutboxMessage) throws(StoreFault) {
    try writeLater(
      """
      INSERT INTO outbox
        (sealed_text, leased_until, tries, state, client, organization, segments, messenger,
        reference, doubts, handed_over_at, receipt, received_at, price, channel, kind,
        account, id, recipient, created_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ) {
      $0.bind(changing: message)
      $0.bind(message.id)
      $0.bind(message.to.text)
      $0.bind(message.createdAt)
      $0.bind(message.expiresAt)
    }
  }

  func waitingMessages(at now: Instant, limit: Int) throws(StoreFault) -> [OutboxMessage] {
    try connection.allReadable(
      """
      SELECT id, recipient, sealed_text, created_at, expires_at, leased_until, tries, state,
        client, organization, segments, messenger, reference, doubts, handed_over_at, receipt,
        received_at, price, channel, kind, account
      FROM outbox WHERE state = 'waiting' AND leased_until <= ?
      ORDER BY created_at, id LIMIT ?
      """,
      bind: {
        $0.bind(now)
        $0.bind(Int64(limit))
      }, read: OutboxMessage.init)
  }

  func message(_ id: String) throws(StoreFault) -> OutboxMessage? {
    try connection.first(
      Self.messageByID,
      bind: { $0.bind(id) }, read: OutboxMessage.init)
  }

  func message(
    reference: String, messenger: String
  ) throws(StoreFault) -> OutboxMessage? {
    try connection.first(
      """
      SELECT id, recipient, sealed_text, created_at, expires_at, leased_until, tries, state,
        client, organization, segments, messenger, reference, doubts, handed_over_at, receipt,
        received_at, price, channel, kind, account
      FROM outbox WHERE reference = ? AND messenger = ?
      """,
      bind: {
        $0.bind(reference)
        $0.bind(messenger)
      }, read: OutboxMessage.init)
  }

  func update(_ message: OutboxMessage) throws(StoreFault) {
    try rewriteLater(
      """
      UPDATE outbox SET sealed_text = ?, leased_until = ?, tries = ?, state = ?, client = ?,
        organization = ?, segments = ?, messenger = ?, reference = ?, doubts = ?,
        handed_over_at = ?, receipt = ?, received_at = ?, price = ?, channel = ?, kind = ?,
        account = ?
      WHERE id = ?
      """
    ) {
      $0.bind(changing: message)
      $0.bind(message.id)
    }
  }

  func removeSettledMessages(
    expiredBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try removeOldest(
      """
      DELETE FROM outbox WHERE id IN
        (SELECT id FROM outbox WHERE state <> 'waiting' AND expires_at < ?
        ORDER BY expires_at LIMIT ?)
      """, before: moment, limit: limit)
  }

  func messages(
    _ query: MessageQuery, after position: ListCursor?, limit: Int
  ) throws(StoreFault) -> [OutboxMessage] {
    try connection.allReadable(
      """
      SELECT id, recipient, sealed_text, created_at, expires_at, leased_until, tries, state,
        client, organization, segments, messenger, reference, doubts, handed_over_at, receipt,
        received_at, price, channel, kind, account
      FROM outbox WHERE state <> 'decoy' AND (?1 IS NULL OR (created_at, id) < (?1, ?2))
        AND (?4 IS NULL OR ?4 = CASE
          WHEN state = 'waiting' THEN 'waiting'
          WHEN state = 'failed' OR receipt = 'undelivered' THEN 'failed'
          WHEN receipt = 'delivered' THEN 'delivered'
          ELSE 'sent' END)
        AND (?5 IS NULL OR recipient = ?5) AND (?6 IS NULL OR kind = ?6)
        AND (?7 IS NULL OR account = ?7)
        AND (?8 IS NULL OR created_at >= ?8) AND (?9 IS NULL OR created_at < ?9)
      ORDER BY created_at DESC, id DESC LIMIT ?3
      """,
      bind: {
        $0.bind(position?.createdAt)
        $0.bind(position?.id)
        $0.bind(Int64(limit))
        $0.bind(query.outcome?.rawValue)
        $0.bind(query.to?.text)
        $0.bind(query.kind?.rawValue)
        $0.bind(query.account?.text)
        $0.bind(query.period.from)
        $0.bind(query.period.until)
      }, read: OutboxMessage.init)
  }
}

extension Parameters {
  /// Binds the members of a message that may change, in the order of the statements above.
  fileprivate mutating func bind(changing message: OutboxMessage) {
    bind(message.sealedText)
    bind(message.leasedUntil)
    bind(message.tries)
    bind(message.state.rawValue)
    bind(message.client?.text)
    bind(message.organization?.text)
    bind(message.segments)
    bind(message.messenger)
    bind(message.reference)
    bind(message.unclearCount)
    bind(message.handedOverAt)
    bind(message.receipt?.rawValue)
    bind(message.receivedAt)
    bind(message.price)
    bind(message.channel.rawValue)
    bind(message.kind.rawValue)
    bind(message.account?.text)
  }
}

extension OutboxMessage {
  init(_ row: inout Row) throws(StoreFault) {
    self.init(
      id: row.text(), to: try row.recipient(), sealedText: row.bytes(), createdAt: row.moment(),
      expiresAt: row.moment(), leasedUntil: row.moment(), tries: row.number(),
      state: try row.word()
    )
    client = row.identifierIfAny()
    organization = row.identifierIfAny()
    segments = row.number()
    messenger = row.textIfAny()
    reference = row.textIfAny()
    unclearCount = row.number()
    handedOverAt = row.momentIfAny()
    receipt = try row.wordIfAny()
    receivedAt = row.momentIfAny()
    price = row.numberIfAny()
    channel = try row.word()
    kind = try row.word()
    account = row.identifierIfAny()
  }
}

/// Statements that are also read ahead.
extension SQLTransaction {
  static let messageByID: StaticString = """
    SELECT id, recipient, sealed_text, created_at, expires_at, leased_until, tries, state,
      client, organization, segments, messenger, reference, doubts, handed_over_at, receipt,
      received_at, price, channel, kind, account
    FROM outbox WHERE id = ?
    """
}
