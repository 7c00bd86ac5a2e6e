internal import JSONText
internal import SignInModel
internal import SignInService

extension SQLTransaction {
  /// Reads the events of one account, or of each code by itself, with an index.
  ///
  /// So a statement reads no other events, except for those of other apps and times.
  func events(
    _ query: EventQuery, in numbers: Range<Int64>, limit: Int
  ) throws(StoreFault) -> [SecurityEvent] {
    if query.account != nil {
      return try events(
        """
        SELECT sequence, at, code, account, client, session, peer, proof_key, detail, count,
          key_id, hash
        FROM security_events INDEXED BY security_events_of_account
        WHERE account = ?7 AND sequence >= ?1 AND sequence < ?2
          AND (?3 IS NULL OR at >= ?3) AND (?4 IS NULL OR at < ?4)
          AND (?5 IS NULL OR client = ?5)
          AND (?8 IS NULL OR code IN (SELECT value FROM json_each(?8)))
        ORDER BY sequence DESC LIMIT ?6
        """, query, in: numbers, limit: limit
      ) {
        $0.bind(query.account?.text)
        $0.bind(query.codes.map { Self.list($0) })
      }
    }
    guard let codes = query.codes else {
      return try events(
        """
        SELECT sequence, at, code, account, client, session, peer, proof_key, detail, count,
          key_id, hash
        FROM security_events WHERE sequence >= ?1 AND sequence < ?2
          AND (?3 IS NULL OR at >= ?3) AND (?4 IS NULL OR at < ?4)
          AND (?5 IS NULL OR client = ?5)
        ORDER BY sequence DESC LIMIT ?6
        """, query, in: numbers, limit: limit)
    }
    if isPostgres {
      return try events(Self.eventsOfCodes, query, in: numbers, limit: limit) {
        $0.bind(Self.list(codes))
      }
    }
    var found: [SecurityEvent] = []
    for code in codes {
      found += try events(
        """
        SELECT sequence, at, code, account, client, session, peer, proof_key, detail, count,
          key_id, hash
        FROM security_events INDEXED BY security_events_of_code
        WHERE code = ?7 AND sequence >= ?1 AND sequence < ?2
          AND (?3 IS NULL OR at >= ?3) AND (?4 IS NULL OR at < ?4)
          AND (?5 IS NULL OR client = ?5)
        ORDER BY sequence DESC LIMIT ?6
        """, query, in: numbers, limit: limit
      ) { $0.bind(code.rawValue) }
    }
    found.sort { $0.sequence > $1.sequence }
    return Array(found.prefix(limit))
  }

  /// Reads the events of each code with the index, all in one round trip.
  ///
  /// SQLite has no `LATERAL`, and no round trips.
  private static let eventsOfCodes: StaticString = """
    SELECT found.sequence, found.at, found.code, found.account, found.client, found.session,
      found.peer, found.proof_key, found.detail, found.count, found.key_id, found.hash
    FROM json_each(?7) AS codes CROSS JOIN LATERAL (
      SELECT sequence, at, code, account, client, session, peer, proof_key, detail, count,
        key_id, hash
      FROM security_events
      WHERE code = codes.value AND sequence >= ?1 AND sequence < ?2
        AND (?3 IS NULL OR at >= ?3) AND (?4 IS NULL OR at < ?4)
        AND (?5 IS NULL OR client = ?5)
      ORDER BY sequence DESC LIMIT ?6) AS found
    ORDER BY found.sequence DESC LIMIT ?6
    """

  private func events(
    _ sql: StaticString, _ query: EventQuery, in numbers: Range<Int64>, limit: Int,
    bind: (inout Parameters) -> Void = { _ in }
  ) throws(StoreFault) -> [SecurityEvent] {
    try connection.all(
      sql,
      bind: {
        $0.bind(numbers.lowerBound)
        $0.bind(numbers.upperBound)
        $0.bind(query.period.from)
        $0.bind(query.period.until)
        $0.bind(query.client?.text)
        $0.bind(Int64(limit))
        bind(&$0)
      }, read: SecurityEvent.init)
  }

  /// The codes as a JSON array, which SQLite's JSON functions can read.
  private static func list(_ codes: [SecurityEvent.Code]) -> String {
    let json = JSON.array(codes.map { JSON.string($0.rawValue) })
    return String(decoding: json.utf8, as: UTF8.self)
  }
}
