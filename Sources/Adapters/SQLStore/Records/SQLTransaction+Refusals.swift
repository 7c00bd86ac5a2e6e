internal import SignInModel
internal import SignInRules
internal import SignInService

extension SQLTransaction: RefusalRecords {
  func refusalTally(_ source: RefusalSource) throws(StoreFault) -> RefusalTally? {
    try lock(.refusals(source.name))
    return try connection.first(
      """
      SELECT code, subject, client, network, detail, account, peer, reported_at, unreported
      FROM refusal_tallies
      WHERE code = ? AND subject = ? AND client = ? AND network = ? AND detail = ?
      """,
      bind: source.bind, read: { RefusalTally(&$0) })
  }

  func save(_ tally: RefusalTally) throws(StoreFault) {
    try writeLater(
      """
      INSERT INTO refusal_tallies
        (code, subject, client, network, detail, account, peer, reported_at, unreported)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      ON CONFLICT (code, subject, client, network, detail) DO UPDATE SET
        account = ?6, peer = ?7, reported_at = ?8, unreported = ?9
      """
    ) {
      tally.source.bind(&$0)
      $0.bind(tally.account?.text)
      $0.bind(tally.peer)
      $0.bind(tally.refusals.reportedAt)
      $0.bind(tally.refusals.unreported)
    }
  }

  func refusalTallies(
    reportedUntil moment: Instant, limit: Int
  ) throws(StoreFault) -> [RefusalTally] {
    let found = try oldRefusalTallies(reportedUntil: moment, limit: limit)
    guard purpose == .writing, case .postgres(let connection) = connection, !found.isEmpty else {
      return found
    }
    // Another decision may change a tally until it is locked, so the tallies are read again.
    let sources = Set(found.map(\.source))
    try connection.lock(sources.map(\.name).sorted().map { .refusals($0) })
    return try oldRefusalTallies(reportedUntil: moment, limit: limit)
      .filter { sources.contains($0.source) }
  }

  private func oldRefusalTallies(
    reportedUntil moment: Instant, limit: Int
  ) throws(StoreFault) -> [RefusalTally] {
    try connection.all(
      """
      SELECT code, subject, client, network, detail, account, peer, reported_at, unreported
      FROM refusal_tallies WHERE reported_at <= ? ORDER BY reported_at LIMIT ?
      """,
      bind: {
        $0.bind(moment)
        $0.bind(Int64(limit))
      }, read: { RefusalTally(&$0) })
  }

  func removeRefusalTally(_ source: RefusalSource) throws(StoreFault) {
    try writeLater(
      """
      DELETE FROM refusal_tallies
      WHERE code = ? AND subject = ? AND client = ? AND network = ? AND detail = ?
      """, bind: source.bind)
  }

  func unreportedRefusals() throws(StoreFault) -> [UnreportedRefusals] {
    try connection.all(
      """
      SELECT code, detail, CAST(SUM(unreported) AS BIGINT) FROM refusal_tallies
      WHERE unreported > 0 GROUP BY code, detail ORDER BY code, detail
      """,
      read: { row in
        UnreportedRefusals(
          code: SecurityEvent.Code(rawValue: row.text()), detail: row.text().ifAny,
          count: row.number()
        )
      })
  }
}

extension RefusalSource {
  /// The name of its lock.
  ///
  /// Two sources with one name wait for each other without need, which does no harm.
  fileprivate var name: String {
    [code.rawValue, subject, client?.text ?? "", network ?? "", detail ?? ""]
      .joined(separator: " ")
  }

  fileprivate func bind(_ parameters: inout Parameters) {
    parameters.bind(code.rawValue)
    parameters.bind(subject)
    parameters.bind(client?.text ?? "")
    parameters.bind(network ?? "")
    parameters.bind(detail ?? "")
  }
}

extension RefusalTally {
  fileprivate init(_ row: inout Row) {
    let source = RefusalSource(
      code: SecurityEvent.Code(rawValue: row.text()), subject: row.text(),
      client: row.text().ifAny.map { ClientID($0) }, network: row.text().ifAny,
      detail: row.text().ifAny
    )
    self.init(
      source: source, account: row.identifierIfAny(), peer: row.textIfAny(),
      refusals: RepeatedRefusals(reportedAt: row.moment(), unreported: row.number())
    )
  }
}

extension String {
  /// `nil` for the empty text.
  ///
  /// In the primary key, the empty text means that the value is absent.
  fileprivate var ifAny: String? { isEmpty ? nil : self }
}
