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
  let _: Outcome<Int> = await world.decide { (transaction) throws(StoreFault) in
    let attempts = try transaction.removeSignInAttempts(expiredBefore: past, limit: limit)
    let sessions = try transaction.removeSessions(expiredBefore: past, limit: limit)
    let messages = try transaction.removeSettledMessages(expiredBefore: past, limit: limit)
    let answers = try transaction.removeRememberedAnswers(expiredBefore: now, limit: limit)
    // An expired reset is not needed to detect anything.
    let resets = try transaction.removePasswordResets(expiredBefore: now, limit: limit)
    let invitations = try transaction.removeInvitations(expiredBefore: now, limit: limit)
    let notices = try transaction.removeNotices(
      madeBefore: now.adding(seconds: -AccountNotice.retentionSeconds), limit: limit
    )
    let proposals = try transaction.removeContactProposals(
      madeBefore: now.adding(seconds: -ContactProposal.lifeSeconds), limit: limit
    )
    let throttles = try transaction.removeThrottles(quietBefore: now, limit: limit)
    let devices = try transaction.removeKnownDevices(
      lastSeenBefore: now.adding(seconds: -KnownDevice.retentionSeconds), limit: limit
    )
    let removals = try transaction.removeProductRemovals(
      madeBefore: now.adding(seconds: -ProductFeed.retentionSeconds), limit: limit
    )
    // Every attempt on an unknown e-mail creates a failure counter.
    let lockouts = try transaction.removeLockouts(
      quietSince: now.adding(seconds: -SignInLimits.lockoutKeptSeconds),
      failuresBelow: AppClient.Limits.lockoutStopAfter.lowerBound, limit: limit
    )
    let costs = try transaction.removeMessageCosts(
      before: CalendarDay(now).adding(days: -MessageCost.retentionDays), limit: limit
    )
    let assertions = try transaction.removeAssertions(expiredBefore: now, limit: limit)
    let journeys = try transaction.removeProviderJourneys(expiredBefore: now, limit: limit)
    let changes = try transaction.removeChanges(
      madeBefore: now.adding(seconds: -DataChange.retentionSeconds), limit: limit
    )
    if try transaction.passwordHashKinds().isEmpty == false {
      try transaction.removeUnusedPasswordHashKinds()
    }
    let refusals = try transaction.reportOldRefusals(at: now, limit: limit)
    let events = try removeOldEvents(
      retentionSeconds: world.eventsKeptSeconds, at: now, transaction)
    return .success(
      removals + attempts + sessions + messages + answers + resets + throttles + devices
        + lockouts + costs + refusals + events + invitations + notices
        + assertions + changes + journeys + proposals
    )
  }
}
