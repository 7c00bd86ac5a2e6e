internal import SignInModel
internal import SignInService

extension SQLTransaction: EventRecords {
  var eventKey: EventKey? { keys?.events }

  func lockLog(waits: Bool) throws(StoreFault) -> Bool {
    if waits {
      try lock(.eventLog)
      return true
    }
    return try tryLock(.eventLog)
  }

  func append(_ events: [SecurityEvent]) throws(StoreFault) {
    try writeLater(
      """
      INSERT INTO security_events
        (sequence, at, code, account, client, session, peer, proof_key, detail, count, key_id,
        hash)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, rows: events
    ) { event, parameters in
      parameters.bind(event.sequence)
      parameters.bind(event.content)
      parameters.bind(event.hash)
    }
  }

  func lastEvent() throws(StoreFault) -> SecurityEvent? {
    try connection.first(
      """
      SELECT sequence, at, code, account, client, session, peer, proof_key, detail, count,
        key_id, hash
      FROM security_events ORDER BY sequence DESC LIMIT 1
      """,
      read: SecurityEvent.init)
  }

  func events(
    of account: AccountID?, before sequence: Int64?, limit: Int
  ) throws(StoreFault) -> [SecurityEvent] {
    guard let account else {
      return try connection.all(
        """
        SELECT sequence, at, code, account, client, session, peer, proof_key, detail, count,
          key_id, hash
        FROM security_events WHERE sequence < ? ORDER BY sequence DESC LIMIT ?
        """,
        bind: {
          $0.bind(sequence ?? .max)
          $0.bind(Int64(limit))
        }, read: SecurityEvent.init)
    }
    return try connection.all(
      """
      SELECT sequence, at, code, account, client, session, peer, proof_key, detail, count,
        key_id, hash
      FROM security_events WHERE account = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?
      """,
      bind: {
        $0.bind(account.text)
        $0.bind(sequence ?? .max)
        $0.bind(Int64(limit))
      }, read: SecurityEvent.init)
  }

  func events(after sequence: Int64, limit: Int) throws(StoreFault) -> [SecurityEvent] {
    try connection.all(
      """
      SELECT sequence, at, code, account, client, session, peer, proof_key, detail, count,
        key_id, hash
      FROM security_events WHERE sequence > ? ORDER BY sequence LIMIT ?
      """,
      bind: {
        $0.bind(sequence)
        $0.bind(Int64(limit))
      }, read: SecurityEvent.init)
  }

  func save(_ note: EventText) throws(StoreFault) {
    try write(
      """
      INSERT INTO event_notes (reference, account, salt, content, written_at)
      VALUES (?, ?, ?, ?, ?)
      """
    ) {
      $0.bind(note.reference)
      $0.bind(note.account.text)
      $0.bind(note.salt)
      $0.bind(note.text)
      $0.bind(note.writtenAt)
    }
  }

  func eventNote(_ reference: String) throws(StoreFault) -> EventText? {
    try connection.first(
      "SELECT account, salt, content, written_at FROM event_notes WHERE reference = ?",
      bind: { $0.bind(reference) },
      read: { row in
        EventText(
          account: row.identifier(), salt: row.bytes(), text: row.text(), writtenAt: row.moment())
      })
  }

  func removeEventNotes(writtenBefore moment: Instant) throws(StoreFault) {
    try write("DELETE FROM event_notes WHERE written_at < ?") { $0.bind(moment) }
  }

  func logStart() throws(StoreFault) -> LogStart {
    try connection.first(
      "SELECT sequence, hash FROM security_log_start",
      read: { row in LogStart(sequence: row.number(), hash: row.bytes()) }) ?? .whole
  }

  func removeEvents(at start: LogStart) throws(StoreFault) {
    try rewrite("UPDATE security_log_start SET sequence = ?, hash = ?") {
      $0.bind(start.sequence)
      $0.bind(start.hash)
    }
    try write("DELETE FROM security_events WHERE sequence <= ?") { $0.bind(start.sequence) }
  }
}

extension Parameters {
  /// Binds the columns from `at` to `key_id`.
  mutating func bind(_ content: EventContent) {
    bind(content.at)
    bind(content.code.rawValue)
    bind(content.account?.text)
    bind(content.client?.text)
    bind(content.session?.text)
    bind(content.peer)
    bind(content.proofKeyThumbprint)
    bind(content.detail)
    bind(content.count)
    bind(content.keyID)
  }
}

extension EventContent {
  /// Reads the columns from `at` to `key_id`.
  init(_ row: inout Row) {
    self.init(
      at: row.moment(), code: SecurityEvent.Code(rawValue: row.text()),
      account: row.identifierIfAny(), client: row.identifierIfAny(),
      session: row.identifierIfAny(), peer: row.textIfAny(), proofKeyThumbprint: row.textIfAny(),
      detail: row.textIfAny(), count: row.numberIfAny(), keyID: row.textIfAny())
  }
}

extension SecurityEvent {
  init(_ row: inout Row) throws(StoreFault) {
    self.init(
      sequence: row.number(), at: row.moment(), code: Code(rawValue: row.text()),
      account: row.identifierIfAny(), client: row.identifierIfAny(),
      session: row.identifierIfAny(), peer: row.textIfAny(), proofKeyThumbprint: row.textIfAny(),
      detail: row.textIfAny(), count: row.numberIfAny(), keyID: row.textIfAny(), hash: row.bytes()
    )
  }
}
