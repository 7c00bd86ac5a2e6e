internal import SignInModel
internal import SignInService

extension SQLTransaction {
  func count(
    _ kind: DailyCount.Kind, times: Int64, on day: CalendarDay, of account: AccountID?
  ) throws(StoreFault) {
    // An account is looked up also if there is none, so that the time does not tell (T-03).
    try writeLater(
      """
      INSERT INTO daily_counts (day, kind, organizations, count)
      VALUES (?, ?, coalesce((SELECT organizations FROM accounts WHERE id = ?), ''), ?)
      ON CONFLICT (day, kind, organizations) DO UPDATE SET
        count = daily_counts.count + excluded.count
      """
    ) {
      $0.bind(day.number)
      $0.bind(kind.rawValue)
      $0.bind(account?.text ?? "")
      $0.bind(times)
    }
  }

  func dailyCounts(
    from first: CalendarDay, through last: CalendarDay, of organizations: [OrganizationID]?
  ) throws(StoreFault) -> [DailyCount] {
    try connection.all(
      """
      SELECT day, kind, CAST(sum(count) AS bigint)
      FROM daily_counts
      WHERE day BETWEEN ?1 AND ?2
        AND (?3 IS NULL OR EXISTS (SELECT 1 FROM json_each(?3)
          WHERE instr(' ' || organizations || ' ', ' ' || value || ' ') > 0))
      GROUP BY day, kind ORDER BY day, kind
      """,
      bind: {
        $0.bind(first.number)
        $0.bind(last.number)
        $0.bind(organizations.map { Self.list($0) })
      },
      read: { (row: inout Row) throws(StoreFault) -> DailyCount in
        DailyCount(
          day: CalendarDay(number: row.number()), kind: try row.word(), count: row.number())
      })
  }

  func removeDailyCounts(before day: CalendarDay, limit: Int) throws(StoreFault) -> Int {
    try write(
      """
      DELETE FROM daily_counts WHERE (day, kind, organizations) IN
        (SELECT day, kind, organizations FROM daily_counts WHERE day < ?
        ORDER BY day, kind, organizations LIMIT ?)
      """
    ) {
      $0.bind(day.number)
      $0.bind(Int64(limit))
    }
  }
}

extension SQLTransaction: OverviewRecords {
  func openSessionCount(
    of organizations: [OrganizationID]?, at now: Instant
  ) throws(StoreFault) -> Int64 {
    guard let organizations else {
      return try number(
        """
        SELECT count(*) FROM sessions INDEXED BY open_sessions_by_organization
        WHERE ended_by IS NULL AND expires_at > ?
        """
      ) { $0.bind(now) }
    }
    return try number(
      """
      SELECT count(*) FROM sessions INDEXED BY open_sessions_by_organization
      WHERE ended_by IS NULL AND expires_at > ?1
        AND organization IN (SELECT value FROM json_each(?2))
      """
    ) {
      $0.bind(now)
      $0.bind(Self.list(organizations))
    }
  }

  func pendingAccountCount(of organizations: [OrganizationID]?) throws(StoreFault) -> Int64 {
    try number(
      """
      SELECT count(*) FROM accounts
      WHERE status = 'pending'
        AND (?1 IS NULL OR EXISTS (SELECT 1 FROM json_each(?1)
          WHERE instr(' ' || organizations || ' ', ' ' || value || ' ') > 0))
      """
    ) { $0.bind(organizations.map { Self.list($0) }) }
  }

  func lockedAccountCount(
    of organizations: [OrganizationID]?, at now: Instant
  ) throws(StoreFault) -> Int64 {
    try number(
      """
      SELECT count(DISTINCT accounts.id)
      FROM lockouts JOIN accounts ON accounts.id = lockouts.account
      WHERE lockouts.locked_until > ?1 AND lockouts.is_for_resets = 0
        AND (?2 IS NULL OR EXISTS (SELECT 1 FROM json_each(?2)
          WHERE instr(' ' || accounts.organizations || ' ', ' ' || value || ' ') > 0))
      """
    ) {
      $0.bind(now)
      $0.bind(organizations.map { Self.list($0) })
    }
  }

  func failedMessageCount(of organizations: [OrganizationID]?) throws(StoreFault) -> Int64 {
    try number(
      """
      SELECT count(*) FROM outbox
      WHERE (state = 'failed' OR receipt = 'undelivered')
        AND (?1 IS NULL OR organization IN (SELECT value FROM json_each(?1)))
      """
    ) { $0.bind(organizations.map { Self.list($0) }) }
  }

  private func number(
    _ sql: StaticString, bind: (inout Parameters) -> Void
  ) throws(StoreFault) -> Int64 {
    try connection.first(sql, bind: bind, read: { row in row.number() }) ?? 0
  }
}
