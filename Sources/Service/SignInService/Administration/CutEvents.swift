import SignInModel
import SignInRules

/// Removes events from the beginning of the security log after their retention time.
///
/// It removes whole days, one batch at a time. Each removal is itself an event, with the number and
/// the hash of the last removed event. So the rest of the chain can still be verified, and a
/// beginning that was removed in another way is detected. The notes of that time are removed too,
/// and the former contacts that only they could contain.
///
/// - Returns: The number of removed events.
func removeOldEvents(
  retentionSeconds: Int64, at now: Instant,
  _ transaction: any AccountRecords & EventRecords
) throws(StoreFault) -> Int {
  let day = Throttle.Limit.daySeconds
  let end = Instant(seconds: (now.seconds - retentionSeconds) / day * day)
  let start = try transaction.logStart()
  guard let oldest = try transaction.events(after: start.sequence, limit: 1).first,
    oldest.at < end
  else { return 0 }
  let batch = try transaction.events(after: start.sequence, limit: EventLimits.batch)
  let old = batch.prefix { $0.at < end }
  guard let last = old.last else { return 0 }
  let cut = LogStart(sequence: last.sequence, hash: last.hash)
  // Linked at once, because a log without its beginning is broken until an event confirms it.
  _ = try transaction.lockLog(waits: true)
  _ = try transaction.link(
    EventDraft(code: .logCut, account: nil, detail: cut.detail),
    by: AccountEditingRules.operatorCommand.caller, at: now)
  try transaction.removeEvents(at: cut)
  try transaction.removeEventNotes(writtenBefore: last.at)
  // Only the notes that were removed were written while an account had them.
  try transaction.removeFormerContacts(replacedBefore: last.at)
  return old.count
}
