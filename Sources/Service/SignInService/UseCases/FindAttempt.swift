import Cryptography
import SignInModel
import SignInRules
import SignInWire

/// What a sign-in's handle leads to.
enum FoundAttempt: Sendable {
  /// It may go on under this policy, and is this account's: nobody's where a concealed app must
  /// not tell so.
  case open(SignInAttempt, Account?, AppClient)
  /// Never given, over, or answered already.
  case unknown
  /// Another app or another device presents it than it was made for.
  case foreign(AccountID)
  /// The account was deactivated meanwhile (lesson 17).
  case deactivated(AccountID)

  /// Reports what closes the sign-in, and says it: a stranger learns nothing from the answer.
  func refused(
    by caller: Caller, at now: Instant, _ transaction: any Transaction
  ) throws(StoreFault) -> ErrorAnswer {
    switch self {
    case .open: preconditionFailure("an open sign-in is not refused")
    case .unknown: break
    case .foreign(let account):
      try transaction.recordRefusal(.foreignDevice, about: account, by: caller, at: now)
    case .deactivated(let account):
      try transaction.recordRefusal(.refusedDeactivated, about: account, by: caller, at: now)
      return ErrorAnswer(.accountDeactivated)
    }
    return ErrorAnswer(.invalidSession, "start again")
  }
}

/// Finds the sign-in behind a handle, and whether it may go on.
func findAttempt(
  _ authSession: String, of caller: Caller, for client: AppClient, at now: Instant,
  in world: World, _ transaction: any Transaction
) throws(StoreFault) -> FoundAttempt {
  guard let attempt = try transaction.signInAttempt(digest: DatedHandle.digest(of: authSession))
  else {
    return .unknown
  }
  guard attempt.client == caller.client,
    UnboundDevice.isOwner(caller.proofKeyThumbprint ?? "", of: attempt.proofKeyThumbprint)
  else { return .foreign(attempt.account) }
  guard now < attempt.expiresAt, attempt.progress == .awaitingCode else { return .unknown }
  let account = try transaction.account(attempt.account)
  let hasPassword = client.signIn == .passwordAndCode
  let policy = try world.policy(
    of: client, asked: attempt.organization, account: account, isProved: hasPassword, transaction
  )
  guard let account else {
    return Keyring.isStranger(attempt.account) ? .open(attempt, nil, policy) : .unknown
  }
  // Where the code is the first thing proved, a concealed app tells only whoever proves it.
  let isTold = hasPassword || policy.disclosure == .disclosed
  guard account.status == .active || !isTold else { return .deactivated(account.id) }
  return .open(attempt, account, policy)
}

/// Where the codes of an open sign-in go, or where they would.
func phone(
  of attempt: SignInAttempt, _ account: Account?, _ transaction: any Transaction
) throws(StoreFault) -> PhoneNumber? {
  if let account { return account.phone }
  let place = CodeChallenge.Place(
    account: attempt.account, purpose: .signIn, holder: .unknownDevices)
  guard let challenge = try transaction.codeChallenge(at: place) else { return nil }
  return try transaction.message(challenge.id)?.to.phone
}
