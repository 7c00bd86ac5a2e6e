import SignInModel
import SignInWire

/// Forgets sign-ins, sessions, messages, counts and devices that are over, a batch at a time, so
/// that the store does not grow with use.
///
/// They are kept a while past their end: a second use of a code must still be recognised, and an
/// app that comes back late must still be told that its session expired.
public func removeWhatIsOver(in world: World) async {
  await settleDuePasswords(in: world)
  await world.store.clearRemovedRecordsIfPending()
  let now = world.clock.now()
  let past = now.adding(seconds: -SignInLimits.keptSeconds)
  let limit = SignInLimits.removalBatch
  let _: Outcome<Int> = await world.decide { (transaction) throws(StoreFault) in
    let attempts = try transaction.removeSignInAttempts(expiredBefore: past, limit: limit)
    let sessions = try transaction.removeSessions(expiredBefore: past, limit: limit)
    let messages = try transaction.removeSettledMessages(expiredBefore: past, limit: limit)
    let answers = try transaction.removeRememberedAnswers(expiredBefore: now, limit: limit)
    // Nothing needs to recognise a reset once it is over.
    let resets = try transaction.removePasswordResets(expiredBefore: now, limit: limit)
    let invitations = try transaction.removeInvitations(expiredBefore: now, limit: limit)
    let notices = try transaction.removeNotices(
      madeBefore: now.adding(seconds: -AccountNotice.keptSeconds), limit: limit
    )
    let throttles = try transaction.removeThrottles(quietBefore: now, limit: limit)
    let devices = try transaction.removeKnownDevices(
      lastSeenBefore: now.adding(seconds: -KnownDevice.keptSeconds), limit: limit
    )
    let removals = try transaction.removeProductRemovals(
      madeBefore: now.adding(seconds: -ProductFeed.keptSeconds), limit: limit
    )
    // Every attempt on an unknown e-mail creates a failure counter.
    let lockouts = try transaction.removeLockouts(
      quietSince: now.adding(seconds: -SignInLimits.lockoutKeptSeconds),
      failuresBelow: AppClient.Limits.lockoutStopAfter.lowerBound, limit: limit
    )
    let costs = try transaction.removeMessageCosts(
      before: CalendarDay(now).adding(days: -MessageCost.keptDays), limit: limit
    )
    let assertions = try transaction.removeAssertions(expiredBefore: now, limit: limit)
    let changes = try transaction.removeChanges(
      madeBefore: now.adding(seconds: -DataChange.keptSeconds), limit: limit
    )
    if try transaction.passwordHashKinds().isEmpty == false {
      try transaction.removeUnusedPasswordHashKinds()
    }
    let refusals = try transaction.closeRefusals(at: now, limit: limit)
    let events = try cutEvents(keptSeconds: world.eventsKeptSeconds, at: now, transaction)
    return .success(
      removals + attempts + sessions + messages + answers + resets + throttles + devices
        + lockouts + costs + refusals + events + invitations + notices
        + assertions + changes
    )
  }
}
