import SignInModel
import SignInWire

/// Deletes expired records, one batch of each kind, so that the store does not grow with use:
/// sign-ins, sessions, messages, counts and devices.
///
/// Some are stored for a while after their end: a second use of a code must still be detected, and
/// an app that returns late must still learn that its session expired.
///
/// - Returns: Whether a kind had a whole batch, so that more of it may be left.
@discardableResult
public func removeExpiredRecords(in world: World) async -> Bool {
  await settleDuePasswords(in: world)
  let renewals = await reportOldRenewals(in: world)
  await eraseDueAccounts(in: world)
  await world.store.clearRemovedRecordsIfPending()
  let now = world.clock.now()
  let eventsKeptSeconds = world.eventsKeptSeconds
  let isWhole = await world.record(about: [.expiredRecords]) {
    (transaction: any Transaction) throws in
    try transaction.dateFormerContacts(at: now)
    var counts = try removeSignIns(at: now, transaction) + removePeopleRecords(at: now, transaction)
    let kinds = try transaction.passwordHashKinds()
    if !kinds.isEmpty {
      try transaction.removeUnusedPasswordHashKinds()
    }
    counts.append(
      try transaction.reportOldRefusals(at: now, limit: SignInLimits.removalBatch))
    counts.append(renewals)
    let events = try removeOldEvents(
      retentionSeconds: eventsKeptSeconds, at: now, transaction)
    // A decision writes its counts last, after it has locked a tally of refusals. In another order,
    // this one and that one could wait for each other.
    counts.append(
      try transaction.removeThrottles(quietBefore: now, limit: SignInLimits.removalBatch))
    return events == EventLimits.batch || counts.contains(SignInLimits.removalBatch)
  }
  return isWhole ?? false
}

/// - Returns: The number of removed records of each kind.
private func removeSignIns(
  at now: Instant, _ transaction: any Transaction
) throws(StoreFault) -> [Int] {
  let past = now.adding(seconds: -SignInLimits.retentionSeconds)
  let limit = SignInLimits.removalBatch
  return [
    try transaction.removeSignInAttempts(expiredBefore: past, limit: limit),
    try transaction.removeSessions(expiredBefore: past, limit: limit),
    try transaction.removeSettledMessages(expiredBefore: past, limit: limit),
    try transaction.removeRememberedAnswers(expiredBefore: now, limit: limit),
    // An expired reset is not needed to detect anything.
    try transaction.removePasswordResets(expiredBefore: now, limit: limit),
    try transaction.removeInvitations(expiredBefore: now, limit: limit),
    // Every attempt on an unknown e-mail creates a failure counter.
    try transaction.removeLockouts(
      quietSince: now.adding(seconds: -SignInLimits.lockoutKeptSeconds),
      failuresBelow: PolicyKey.lockoutStop.range.lowerBound, limit: limit),
    try transaction.removeAssertions(expiredBefore: now, limit: limit),
    try transaction.removeProviderJourneys(expiredBefore: now, limit: limit),
  ]
}

/// - Returns: The number of removed records of each kind.
private func removePeopleRecords(
  at now: Instant, _ transaction: any Transaction
) throws(StoreFault) -> [Int] {
  let limit = SignInLimits.removalBatch
  return [
    try transaction.removeNotices(
      madeBefore: now.adding(seconds: -AccountNotice.retentionSeconds), limit: limit),
    try transaction.removeContactProposals(
      madeBefore: now.adding(seconds: -ContactProposal.lifeSeconds), limit: limit),
    try transaction.removeRevocableChanges(endedBefore: now, limit: limit),
    try transaction.removeKnownDevices(
      lastSeenBefore: now.adding(seconds: -KnownDevice.retentionSeconds), limit: limit),
    try transaction.removeProductRemovals(
      madeBefore: now.adding(seconds: -ProductFeed.retentionSeconds), limit: limit),
    try transaction.removeMessageCosts(
      before: CalendarDay(now).adding(days: -MessageCost.retentionDays), limit: limit),
    try transaction.removeDailyCounts(
      before: CalendarDay(now).adding(days: -DailyCount.retentionDays), limit: limit),
    try transaction.removeChanges(
      madeBefore: now.adding(seconds: -DataChange.retentionSeconds), limit: limit),
  ]
}
