import SignInModel
import SignInWire

/// A session that can continue, with the rights that it has now.
struct CurrentSession: Sendable {
  /// The session with the scopes that are left of the granted ones.
  ///
  /// The stored session has all granted scopes, so that a scope that an app gets back applies
  /// again. `SessionRecords.update(_:)` does not store scopes.
  let session: Session
  let account: Account
  /// The app, with the policy that applies to the session.
  let app: AppRegistration
}

/// A session as its next use finds it.
enum SessionUse: Sendable {
  case continues(CurrentSession)
  case ends(EndReason)
}

extension World {
  /// Whether and with which rights a session can continue.
  ///
  /// It cannot if it was ended, has expired, was idle for too long, or has no rights left.
  ///
  /// `client` is the session's app as configured, nil if it is no longer configured.
  func use(
    of session: Session, in client: AppRegistration?, at now: Instant,
    _ transaction: any AccountRecords & PolicyRecords
  ) throws(StoreFault) -> SessionUse {
    if let reason = session.end { return .ends(reason) }
    if now >= session.expiresAt { return .ends(.expired) }
    guard let client else { return .ends(MissingRight.app.endReason) }
    let app = try registration(of: client, for: session.organization, transaction)
    if now >= session.lastUsedAt.adding(seconds: app.policy[.idle]) { return .ends(.expired) }
    let account = try transaction.account(session.account)
    var current = session
    do throws(MissingRight) {
      current.scope = try currentScope(of: session.granted, in: app, for: account, names)
    } catch {
      return .ends(error.endReason)
    }
    guard let account else { return .ends(.accountDeactivated) }
    return .continues(CurrentSession(session: current, account: account, app: app))
  }
}
