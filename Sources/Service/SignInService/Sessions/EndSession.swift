import SignInModel
import SignInWire

/// Ends a session, if it has not ended.
///
/// An earlier reason is not replaced.
func end(
  _ id: SessionID, because reason: EndReason, by caller: Caller, at now: Instant,
  _ transaction: any SessionRecords & EventRecords
) throws(StoreFault) {
  guard let session = try transaction.session(id), session.end == nil else { return }
  try end(session, because: reason, by: caller, at: now, transaction)
}

/// Ends a session that this transaction has read and that has not ended.
func end(
  _ open: Session, because reason: EndReason, by caller: Caller, at now: Instant,
  _ transaction: any SessionRecords & EventRecords
) throws(StoreFault) {
  var session = open
  // A session that has expired already ended for that reason.
  let reason = now >= session.expiresAt ? .expired : reason
  session.end = reason
  let renewals = session.renewals
  session.renewals = nil
  try transaction.update(session)
  if let renewals { try transaction.report(renewals, of: session, at: now) }
  try transaction.record(
    .sessionEnded, about: session, detail: reason.rawValue, by: caller, at: now)
}
