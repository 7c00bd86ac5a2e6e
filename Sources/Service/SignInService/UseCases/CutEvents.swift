import SignInModel
import SignInRules

/// Cuts events off the beginning of the security log that were kept for long enough.
///
/// Whole days go, a batch at a time, and each cut is itself an event, with the number and the hash
/// of the last event that went: so the rest of the chain can still be followed, and a beginning
/// that somebody else cut off cannot pass for one of ours.
///
/// - Returns: How many events went.
func cutEvents(
  keptSeconds: Int64, at now: Instant, _ transaction: any Transaction
) throws(StoreFault) -> Int {
  let day = Throttle.Limit.daySeconds
  let end = Instant(seconds: (now.seconds - keptSeconds) / day * day)
  let start = try transaction.logStart()
  guard let oldest = try transaction.events(after: start.sequence, limit: 1).first,
    oldest.at < end
  else { return 0 }
  let batch = try transaction.events(after: start.sequence, limit: EventLimits.batch)
  let old = batch.prefix { $0.at < end }
  guard let last = old.last else { return 0 }
  let cut = LogStart(sequence: last.sequence, hash: last.hash)
  try transaction.record(
    .logCut, about: nil, detail: cut.detail, by: AccountKeeper.shell.caller, at: now
  )
  try transaction.cutLog(at: cut)
  return old.count
}
