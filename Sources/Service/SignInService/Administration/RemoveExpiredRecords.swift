import SignInModel
import SignInWire

/// Deletes expired records, one batch of each kind, so that the store does not grow with use:
/// sign-ins, sessions, messages, counts and devices.
///
/// Some are stored for a while after their end: a second use of a code must still be detected, and
/// an app that returns late must still learn that its session expired.
public func removeExpiredRecords(in world: World) async {
  await settleDuePasswords(in: world)
  await world.store.clearRemovedRecordsIfPending()
  let now = world.clock.now()
  let past = now.adding(seconds: -SignInLimits.retentionSeconds)
  let limit = SignInLimits.removalBatch
  await world.record(about: [.expiredRecords]) { (transaction: any Transaction) throws in
    _ = try transaction.removeSignInAttempts(expiredBefore: past, limit: limit)
    _ = try transaction.removeSessions(expiredBefore: past, limit: limit)
    _ = try transaction.removeSettledMessages(expiredBefore: past, limit: limit)
    _ = try transaction.removeRememberedAnswers(expiredBefore: now, limit: limit)
    // An expired reset is not needed to detect anything.
    _ = try transaction.removePasswordResets(expiredBefore: now, limit: limit)
    _ = try transaction.removeInvitations(expiredBefore: now, limit: limit)
    _ = try transaction.removeNotices(
      madeBefore: now.adding(seconds: -AccountNotice.retentionSeconds), limit: limit
    )
    _ = try transaction.removeContactProposals(
      madeBefore: now.adding(seconds: -ContactProposal.lifeSeconds), limit: limit
    )
    _ = try transaction.removeThrottles(quietBefore: now, limit: limit)
    _ = try transaction.removeKnownDevices(
      lastSeenBefore: now.adding(seconds: -KnownDevice.retentionSeconds), limit: limit
    )
    _ = try transaction.removeProductRemovals(
      madeBefore: now.adding(seconds: -ProductFeed.retentionSeconds), limit: limit
    )
    // Every attempt on an unknown e-mail creates a failure counter.
    _ = try transaction.removeLockouts(
      quietSince: now.adding(seconds: -SignInLimits.lockoutKeptSeconds),
      failuresBelow: PolicyKey.lockoutStop.range.lowerBound, limit: limit
    )
    _ = try transaction.removeMessageCosts(
      before: CalendarDay(now).adding(days: -MessageCost.retentionDays), limit: limit
    )
    _ = try transaction.removeAssertions(expiredBefore: now, limit: limit)
    _ = try transaction.removeProviderJourneys(expiredBefore: now, limit: limit)
    _ = try transaction.removeChanges(
      madeBefore: now.adding(seconds: -DataChange.retentionSeconds), limit: limit
    )
    if try transaction.passwordHashKinds().isEmpty == false {
      try transaction.removeUnusedPasswordHashKinds()
    }
    _ = try transaction.reportOldRefusals(at: now, limit: limit)
    _ = try removeOldEvents(
      retentionSeconds: world.eventsKeptSeconds, at: now, transaction)
  }
}
