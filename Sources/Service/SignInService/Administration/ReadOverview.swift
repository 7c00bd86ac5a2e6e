public import SignInModel
public import SignInWire

/// The limits of the overview.
public enum OverviewLimits {
  /// The number of days with counts, today included.
  public static let days: Int64 = 14
}

/// The records that the overview of the console counts.
///
/// If `organizations` is not nil, only records of at least one of them are counted.
public protocol OverviewRecords {
  /// The sessions that did not end and did not expire.
  func openSessionCount(of organizations: [OrganizationID]?, at now: Instant)
    throws(StoreFault) -> Int64
  /// The accounts that wait for approval.
  func pendingAccountCount(of organizations: [OrganizationID]?) throws(StoreFault) -> Int64
  /// The accounts with a lockout, on all devices or on one.
  func lockedAccountCount(of organizations: [OrganizationID]?, at now: Instant)
    throws(StoreFault) -> Int64
  /// The messages that were not handed over or not delivered.
  func failedMessageCount(of organizations: [OrganizationID]?) throws(StoreFault) -> Int64
}

/// What happened in the last days, and what an administrator must look at.
///
/// An administrator of organizations sees the figures of these organizations.
public func readOverview(
  rules: AccountEditingRules, in world: World
) async throws(Refusal) -> OverviewAnswer {
  let now = world.clock.now()
  let today = CalendarDay(now)
  let first = today.adding(days: 1 - OverviewLimits.days)
  // Events are counted when they are linked.
  await world.linkEvents()
  return try await world.read {
    (transaction: any AccountRecords & DailyCountRecords & OverviewRecords) throws in
    let own = try rules.permission(transaction).organizations(with: .viewer)
    var days: [OverviewAnswer.Day] = []
    for offset in 0..<OverviewLimits.days { days.append(.init(first.adding(days: offset))) }
    for count in try transaction.dailyCounts(from: first, through: today, of: own) {
      days[Int(count.day.number - first.number)].add(count)
    }
    return OverviewAnswer(
      days: days, organizations: own,
      openSessions: try transaction.openSessionCount(of: own, at: now),
      pendingAccounts: try transaction.pendingAccountCount(of: own),
      lockedAccounts: try transaction.lockedAccountCount(of: own, at: now),
      failedMessages: try transaction.failedMessageCount(of: own)
    )
  }
}

extension OverviewAnswer.Day {
  fileprivate mutating func add(_ count: DailyCount) {
    switch count.kind {
    case .signIns: signIns = count.count
    case .failures: failures = count.count
    case .locks: locks = count.count
    case .codesSent: codesSent = count.count
    case .codesDelivered: codesDelivered = count.count
    case .codesEntered: codesEntered = count.count
    }
  }
}
