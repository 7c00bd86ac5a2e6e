public import SignInModel

public protocol SessionRecords {
  func insert(_ session: Session) throws(StoreFault)
  func session(_ id: SessionID) throws(StoreFault) -> Session?
  func update(_ session: Session) throws(StoreFault)
  /// Every session of the account, newest first.
  func sessions(of account: AccountID) throws(StoreFault) -> [Session]
  /// The account's sessions that were not ended, newest first.
  ///
  /// Some of them may have expired.
  func openSessions(of account: AccountID) throws(StoreFault) -> [Session]
  /// The thumbprints of the device keys of the account's sessions, ended sessions included.
  func proofKeys(ofSessionsOf account: AccountID) throws(StoreFault) -> Set<String>
  /// At most `limit` sessions with unreported renewals of which the first one was before `moment`,
  /// the oldest first.
  func sessions(renewedSinceBefore moment: Instant, limit: Int) throws(StoreFault) -> [Session]
  /// Removes at most `limit` sessions that expired before `moment`, and returns how many.
  ///
  /// A session with unreported renewals stays.
  func removeSessions(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}
