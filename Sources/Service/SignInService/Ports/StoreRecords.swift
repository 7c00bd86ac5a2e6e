public import SignInModel
public import SignInRules
public import SignInWire

// For all of these protocols: an `insert` of an identifier that exists, and an `update` of one that
// does not exist, throw `.conflict` and change nothing. An `update` changes the properties that the
// record declares as `var`. If two records are equal in an order, their identifiers decide.

public protocol AccountRecords {
  func account(_ id: AccountID) throws(StoreFault) -> Account?
  func account(email: EmailAddress) throws(StoreFault) -> Account?
  func account(phone: PhoneNumber, role: Account.Role) throws(StoreFault) -> Account?
  /// Inserts the account.
  ///
  /// - Throws: `.conflict` if the identifier or the e-mail address exists already, or the phone
  ///   number within the role.
  func insert(_ account: Account) throws(StoreFault)
  func update(_ account: Account) throws(StoreFault)
  /// At most `limit` accounts that match `query`, newest first.
  ///
  /// The list begins after `position` if there is one.
  func accounts(
    _ query: AccountQuery, after position: ListPosition?, limit: Int
  ) throws(StoreFault) -> [Account]
  /// Whether an active administrator other than this one has the level `administrator` everywhere.
  func hasGlobalAdministrator(besides id: AccountID) throws(StoreFault) -> Bool
}

public protocol LockoutRecords {
  /// The counter under `key`.
  ///
  /// A key that was never saved has the counter `Lockout.open`.
  func lockout(_ key: LockoutKey) throws(StoreFault) -> Lockout
  func save(_ lockout: Lockout, for key: LockoutKey) throws(StoreFault)
  /// Removes at most `limit` counters that have fewer than `count` failures in a row, no failure
  /// since `moment` and no lockout since `moment`.
  ///
  /// Counters of known and unknown accounts are removed by the same rule, so that the time of
  /// removal does not reveal whether an account exists.
  ///
  /// - Returns: The number of counters that were removed.
  func removeLockouts(
    quietSince moment: Instant, failuresBelow count: Int64, limit: Int
  ) throws(StoreFault) -> Int
}

public protocol SignInRecords {
  func insert(_ attempt: SignInAttempt) throws(StoreFault)
  func signInAttempt(digest: [UInt8]) throws(StoreFault) -> SignInAttempt?
  /// The attempt in the progress `.proved` or `.redeemed` with this code digest.
  func signInAttempt(codeDigest: [UInt8]) throws(StoreFault) -> SignInAttempt?
  func update(_ attempt: SignInAttempt) throws(StoreFault)
  /// Removes at most `limit` attempts that expired before `moment`, and returns how many.
  func removeSignInAttempts(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
  /// Removes the attempts of this account and key that await a code, except the newest `count`.
  func removeOpenSignInAttempts(
    of account: AccountID, proofKeyThumbprint: String, keeping count: Int
  ) throws(StoreFault)
  /// Does nothing if there is no such attempt.
  func removeSignInAttempt(digest: [UInt8]) throws(StoreFault)
  /// Removes every attempt of the account, in any progress.
  func removeSignInAttempts(of account: AccountID) throws(StoreFault)
}

public protocol CodeRecords {
  /// The newest code for this place, consumed or not.
  ///
  /// At most one exists.
  func codeChallenge(at place: CodeChallenge.Key) throws(StoreFault) -> CodeChallenge?
  /// Saves the code, and replaces the earlier code of the same place if there is one.
  func save(_ challenge: CodeChallenge) throws(StoreFault)
  /// Removes the codes of this holder, for every purpose.
  func removeCodeChallenges(
    of account: AccountID, heldBy holder: CodeChallenge.Holder
  ) throws(StoreFault)
}

public protocol PasswordResetRecords {
  func insert(_ reset: PasswordReset) throws(StoreFault)
  func passwordReset(digest: [UInt8]) throws(StoreFault) -> PasswordReset?
  /// The number of resets of this account and key that expire after `moment`.
  func passwordResetCount(
    of account: AccountID, proofKeyThumbprint: String, expiringAfter moment: Instant
  ) throws(StoreFault) -> Int
  /// Removes the resets of this account and key, except the newest `count`.
  func removePasswordResets(
    of account: AccountID, proofKeyThumbprint: String, keeping count: Int
  ) throws(StoreFault)
  /// Removes every reset of the account.
  func removePasswordResets(of account: AccountID) throws(StoreFault)
  /// Removes at most `limit` resets that expired before `moment`, and returns how many.
  func removePasswordResets(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}

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
  /// Adds scopes to the client's sessions and sign-in attempts that began with an earlier version,
  /// before every route checked its scope.
  ///
  /// Each of them is changed only once.
  ///
  /// - Returns: The number of sessions and attempts that were changed.
  func grantEarlier(_ scopes: [Scope], toClient client: ClientID) throws(StoreFault) -> Int
  /// Removes at most `limit` sessions that expired before `moment`, and returns how many.
  func removeSessions(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}

public protocol OutboxRecords {
  func insert(_ message: OutboxMessage) throws(StoreFault)
  /// At most `limit` waiting messages with an expired lease, oldest first.
  func waitingMessages(at now: Instant, limit: Int) throws(StoreFault) -> [OutboxMessage]
  func message(_ id: String) throws(StoreFault) -> OutboxMessage?
  /// The message to which this messenger gave this reference.
  func message(
    reference: String, messenger: String
  ) throws(StoreFault) -> OutboxMessage?
  func update(_ message: OutboxMessage) throws(StoreFault)
  /// Removes at most `limit` messages that no longer wait and that expired before `moment`, and
  /// returns how many.
  ///
  /// They contain phone numbers, which are no longer needed.
  func removeSettledMessages(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
  /// At most `limit` messages in every state except `.decoy`, newest first.
  ///
  /// The list begins after `position` if there is one.
  func messages(after position: ListPosition?, limit: Int) throws(StoreFault) -> [OutboxMessage]
}

public protocol JobRecords {
  /// The account's jobs, in order of their start.
  func jobs(of account: AccountID) throws(StoreFault) -> [Job]
  /// At most `limit` of the account's jobs, in order of their start.
  ///
  /// If there are more, jobs that are not done come first, beginning with the earliest. The latest
  /// of the others fill the rest.
  func jobs(of account: AccountID, limit: Int) throws(StoreFault) -> [Job]
  /// Inserts the job, or replaces the one with the same identifier.
  func save(_ job: Job) throws(StoreFault)
  func job(_ id: String) throws(StoreFault) -> Job?
  /// Does nothing if there is no such job.
  func removeJob(_ id: String) throws(StoreFault)
}

public protocol VersionRecords {
  /// The version for a record that is about to be written.
  ///
  /// It is greater than every earlier version of any record.
  ///
  /// So a record that is removed and created again never has a version that it had before.
  func nextVersion() throws(StoreFault) -> Int64
}

public protocol RememberedAnswerRecords {
  func rememberedAnswer(owner: AccountID, key: String) throws(StoreFault) -> RememberedAnswer?
  /// Replaces the earlier answer of this owner under this key, if there is one.
  func save(_ answer: RememberedAnswer) throws(StoreFault)
  /// Removes at most `limit` answers that expired before `moment`, and returns how many.
  func removeRememberedAnswers(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}
