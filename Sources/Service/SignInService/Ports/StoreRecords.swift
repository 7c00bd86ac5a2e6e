public import SignInModel
public import SignInRules
public import SignInWire

// In all of these an `insert` of an identifier that exists, and an `update` of one that does not,
// fault with `.conflict` and change nothing. An `update` changes what the record declares as `var`.
// Where an order leaves two records equal, their identifiers decide.

public protocol AccountRecords {
  func account(_ id: AccountID) throws(StoreFault) -> Account?
  func account(email: EmailAddress) throws(StoreFault) -> Account?
  func account(phone: PhoneNumber, role: Account.Role) throws(StoreFault) -> Account?
  /// Faults with `.conflict` when the identifier, or the e-mail address, is taken, or the phone
  /// number within the role.
  func insert(_ account: Account) throws(StoreFault)
  func update(_ account: Account) throws(StoreFault)
  /// What `query` finds, newest first, after `position` when there is one, at most `limit`.
  func accounts(
    _ query: AccountQuery, after position: ListPosition?, limit: Int
  ) throws(StoreFault) -> [Account]
  /// Whether an active administrator other than this one has the permission `administrator`
  /// everywhere.
  func hasGlobalAdministrator(besides id: AccountID) throws(StoreFault) -> Bool
}

public protocol LockoutRecords {
  /// The counter under `key`: an account's identifier, or a digest that stands for an account that
  /// does not exist. A key never saved before is `Lockout.open`.
  func lockout(_ key: String) throws(StoreFault) -> Lockout
  func save(_ lockout: Lockout, for key: String) throws(StoreFault)
  /// Removes the counters that have fewer failures in a row than this, counted none since `moment`,
  /// and were not locked since either; at most `limit`. Answers how many.
  ///
  /// It does not matter whose they are: an unknown account forgets no sooner than a known one.
  func removeLockouts(
    quietSince moment: Instant, failuresBelow count: Int64, limit: Int
  ) throws(StoreFault) -> Int
}

public protocol SignInRecords {
  func insert(_ attempt: SignInAttempt) throws(StoreFault)
  func signInAttempt(digest: [UInt8]) throws(StoreFault) -> SignInAttempt?
  /// Finds the attempt whose progress is `.proved` or `.redeemed` with this code digest.
  func signInAttempt(codeDigest: [UInt8]) throws(StoreFault) -> SignInAttempt?
  func update(_ attempt: SignInAttempt) throws(StoreFault)
  /// Removes the attempts that expired before `moment`, at most `limit`; answers how many.
  func removeSignInAttempts(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
  /// Removes the attempts of this account and key that await a code, but not the newest `count`.
  func removeOpenSignInAttempts(
    of account: AccountID, proofKeyThumbprint: String, keeping count: Int
  ) throws(StoreFault)
  /// Removes every attempt of the account, whatever its progress.
  func removeSignInAttempts(of account: AccountID) throws(StoreFault)
}

public protocol CodeRecords {
  /// The newest code sent for this place, consumed or not: there is at most one.
  func codeChallenge(at place: CodeChallenge.Place) throws(StoreFault) -> CodeChallenge?
  /// Replaces the earlier code of the same place, if there was one.
  func save(_ challenge: CodeChallenge) throws(StoreFault)
  /// Removes the codes that this holder has, for every purpose.
  func removeCodeChallenges(
    of account: AccountID, heldBy holder: CodeChallenge.Holder
  ) throws(StoreFault)
}

public protocol PasswordResetRecords {
  func insert(_ reset: PasswordReset) throws(StoreFault)
  func passwordReset(digest: [UInt8]) throws(StoreFault) -> PasswordReset?
  /// How many resets of this account and key expire after `moment`.
  func passwordResetCount(
    of account: AccountID, proofKeyThumbprint: String, expiringAfter moment: Instant
  ) throws(StoreFault) -> Int
  /// Removes the resets of this account and key, but not the newest `count`.
  func removePasswordResets(
    of account: AccountID, proofKeyThumbprint: String, keeping count: Int
  ) throws(StoreFault)
  /// Removes every reset of the account.
  func removePasswordResets(of account: AccountID) throws(StoreFault)
  /// Removes the resets that expired before `moment`, at most `limit`; answers how many.
  func removePasswordResets(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}

public protocol SessionRecords {
  func insert(_ session: Session) throws(StoreFault)
  func session(_ id: SessionID) throws(StoreFault) -> Session?
  func update(_ session: Session) throws(StoreFault)
  /// Every session of the account, newest first.
  func sessions(of account: AccountID) throws(StoreFault) -> [Session]
  /// The sessions of the account that were not ended, newest first; some may have expired.
  func openSessions(of account: AccountID) throws(StoreFault) -> [Session]
  /// The thumbprints of the keys that the account's sessions have or had.
  func proofKeys(ofSessionsOf account: AccountID) throws(StoreFault) -> Set<String>
  /// Adds scopes to the client's sessions, and to its sign-ins under way, that were started before
  /// every route checked its scope, and to each only once; answers how many.
  func grantEarlier(_ scopes: [Scope], toClient client: ClientID) throws(StoreFault) -> Int
  /// Removes the sessions that expired before `moment`, at most `limit`; answers how many.
  func removeSessions(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}

public protocol OutboxRecords {
  func insert(_ message: OutboxMessage) throws(StoreFault)
  /// Waiting messages whose lease is over, oldest first, at most `limit`.
  func waitingMessages(at now: Instant, limit: Int) throws(StoreFault) -> [OutboxMessage]
  func message(_ id: String) throws(StoreFault) -> OutboxMessage?
  /// The message this messenger calls by this name.
  func message(
    reference: String, messenger: String
  ) throws(StoreFault) -> OutboxMessage?
  func update(_ message: OutboxMessage) throws(StoreFault)
  /// Removes the messages that wait no more and expired before `moment`, at most `limit`; answers
  /// how many. They hold a phone number, which nobody needs any longer.
  func removeSettledMessages(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
  /// Messages in every state but decoys, newest first, after `position` when there is one, at most
  /// `limit`.
  func messages(after position: ListPosition?, limit: Int) throws(StoreFault) -> [OutboxMessage]
}

public protocol JobRecords {
  /// Jobs assigned to the account, by start time.
  func jobs(of account: AccountID) throws(StoreFault) -> [Job]
  /// At most `limit` of them, by start time: first those that are not done, the earliest
  /// first, then the latest of those that are.
  func jobs(of account: AccountID, limit: Int) throws(StoreFault) -> [Job]
  /// Inserts the job, or takes the place of the one with the same identifier.
  func save(_ job: Job) throws(StoreFault)
  func job(_ id: String) throws(StoreFault) -> Job?
  /// Does nothing when there is no such job.
  func removeJob(_ id: String) throws(StoreFault)
}

public protocol VersionRecords {
  /// A version for a record that is written: greater than every one before, over all records.
  ///
  /// So a record that is removed and made again has no version that it had before.
  func nextVersion() throws(StoreFault) -> Int64
}

public protocol RememberedAnswerRecords {
  func rememberedAnswer(owner: AccountID, key: String) throws(StoreFault) -> RememberedAnswer?
  /// Takes the place of what the owner had under this key, if anything.
  func save(_ answer: RememberedAnswer) throws(StoreFault)
  /// Removes the answers that expired before `moment`, at most `limit`; answers how many.
  func removeRememberedAnswers(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}
