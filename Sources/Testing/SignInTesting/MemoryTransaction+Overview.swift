internal import SignInModel
internal import SignInRules
internal import SignInService

extension MemoryTransaction {
  func count(
    _ kind: DailyCount.Kind, times: Int64, on day: CalendarDay, of account: AccountID?
  ) throws(StoreFault) {
    try write { tables in
      let place = MemoryTables.CountPlace(
        day: day, kind: kind,
        organizations: account.flatMap { tables.accounts[$0]?.organizations } ?? [])
      tables.dailyCounts[place, default: 0] += times
    }
  }

  func dailyCounts(
    from first: CalendarDay, through last: CalendarDay, of organizations: [OrganizationID]?
  ) -> [DailyCount] {
    var counts: [DailyCount] = []
    for day in first.number...last.number {
      for kind in DailyCount.Kind.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
        let found = tables.dailyCounts.filter { place, _ in
          place.day.number == day && place.kind == kind
            && Self.counts(place.organizations, organizations)
        }
        guard !found.isEmpty else { continue }
        counts.append(
          DailyCount(
            day: CalendarDay(number: day), kind: kind, count: found.values.reduce(0, +)))
      }
    }
    return counts
  }

  func removeDailyCounts(before day: CalendarDay, limit: Int) throws(StoreFault) -> Int {
    func order(_ place: MemoryTables.CountPlace) -> (Int64, String, String) {
      let names = place.organizations.map(\.text).joined(separator: " ")
      return (place.day.number, place.kind.rawValue, names)
    }
    return try write { tables in
      let chosen = tables.dailyCounts.keys.filter { $0.day < day }
        .sorted { order($0) < order($1) }.prefix(limit)
      for place in chosen { tables.dailyCounts[place] = nil }
      return chosen.count
    }
  }

  private static func counts(
    _ own: [OrganizationID], _ organizations: [OrganizationID]?
  ) -> Bool {
    organizations.map { own.contains(where: $0.contains) } ?? true
  }
}

extension MemoryTransaction: OverviewRecords {
  func openSessionCount(of organizations: [OrganizationID]?, at now: Instant) -> Int64 {
    let open = tables.sessions.values.filter { session in
      session.end == nil && now < session.expiresAt
        && Self.counts(session.organization.map { [$0] } ?? [], organizations)
    }
    return Int64(open.count)
  }

  func pendingAccountCount(of organizations: [OrganizationID]?) -> Int64 {
    let pending = tables.accounts.values.filter {
      $0.status == .pending && Self.counts($0.organizations, organizations)
    }
    return Int64(pending.count)
  }

  func lockedAccountCount(of organizations: [OrganizationID]?, at now: Instant) -> Int64 {
    let locked = tables.accounts.values.filter {
      isLocked($0.id, at: now) && Self.counts($0.organizations, organizations)
    }
    return Int64(locked.count)
  }

  func failedMessageCount(of organizations: [OrganizationID]?) -> Int64 {
    let failed = tables.messages.values.filter { message in
      message.outcome == .failed
        && Self.counts(message.organization.map { [$0] } ?? [], organizations)
    }
    return Int64(failed.count)
  }

  func isLocked(_ account: AccountID, at now: Instant) -> Bool {
    tables.lockouts.contains { key, lockout in
      key.account == account && !key.isForResets
        && (lockout.lockedUntil.map { now < $0 } ?? false)
    }
  }
}
