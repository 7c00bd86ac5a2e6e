import Cryptography
import SignInModel
import SignInRules
import SignInWire

/// The sign-in attempt that belongs to a handle.
enum FoundAttempt: Sendable {
  /// The sign-in can continue under this policy.
  ///
  /// The account is nil for an unknown account in a concealed app.
  case open(SignInAttempt, Account?, AppRegistration)
  /// The handle is unknown, expired or used already.
  case unknown
  /// The request comes from another app or device than the one the handle was made for.
  case foreign(AccountID)
  /// The account was deactivated in the meantime (L-17), or may no longer use the app (L-50).
  case missing(MissingRight, AccountID)

  /// Records why the sign-in cannot continue, and returns the refusal.
  ///
  /// The refusal reveals nothing to an unknown sender.
  func refused(
    by caller: Caller, at now: Instant, _ transaction: any EventRecords & RefusalRecords
  ) throws(StoreFault) -> Refusal {
    switch self {
    case .open: preconditionFailure("an open sign-in attempt is not a refusal")
    case .unknown: break
    case .foreign(let account):
      try transaction.recordRefusal(.foreignDevice, about: account, by: caller, at: now)
    case .missing(let right, let account):
      try transaction.recordRefusal(right.event, about: account, by: caller, at: now)
      return right.signInRefusal
    }
    return Refusal.invalidSession
  }
}

extension FoundAttempt {
  typealias Records = AccountRecords & PolicyRecords & SignInRecords
}

extension World {
  /// Finds the sign-in attempt of a handle, and decides whether it can continue.
  func findAttempt(
    _ authSession: Secret, of caller: Caller, for client: AppRegistration, at now: Instant,
    _ transaction: any FoundAttempt.Records
  ) throws(StoreFault) -> FoundAttempt {
    let digest = TimeOrderedHandle.digest(of: authSession)
    guard let attempt = try transaction.signInAttempt(digest: digest) else { return .unknown }
    guard attempt.client == caller.client,
      UnboundDevice.isOwner(caller.proofKeyThumbprint ?? "", of: attempt.proofKeyThumbprint)
    else { return .foreign(attempt.account) }
    guard now < attempt.expiresAt, attempt.progress == .awaitingCode else { return .unknown }
    let account = try transaction.account(attempt.account)
    let hasPassword = client.signIn == .passwordAndCode
    let app = try registration(
      of: client, asked: attempt.organization, account: account, isProved: hasPassword,
      transaction)
    guard let account else {
      return Keyring.isUnknownAccount(attempt.account) ? .open(attempt, nil, app) : .unknown
    }
    // If the code is the only secret, a concealed app shows a missing right only after a right
    // code.
    if hasPassword || app.policy.disclosure == .disclosed,
      let right = missingRight(for: attempt.granted, of: account, in: app)
    {
      return .missing(right, account.id)
    }
    return .open(attempt, account, app)
  }
}

extension World {
  /// The right that an unfinished sign-in lacks now; nil if it may continue.
  func missingRight(
    for granted: GrantedRights, of account: Account, in app: AppRegistration
  ) -> MissingRight? {
    do throws(MissingRight) {
      _ = try currentScope(of: granted, in: app, for: account, names)
      return nil
    } catch {
      return error
    }
  }
}

/// The number that receives the codes of an open sign-in.
///
/// For an unknown account, it is the number that the person entered.
func phone(
  of attempt: SignInAttempt, _ account: Account?, _ transaction: any CodeRecords & OutboxRecords
) throws(StoreFault) -> PhoneNumber? {
  if let account { return account.phone }
  let place = CodeChallenge.Key(
    account: attempt.account, purpose: .signIn, holder: .unknownDevices)
  guard let challenge = try transaction.codeChallenge(at: place) else { return nil }
  return try transaction.message(challenge.id)?.to.phone
}
