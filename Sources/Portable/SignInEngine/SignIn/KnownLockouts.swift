import SignInModel
import SignInWire

/// The accounts that this app knows to be locked.
///
/// It sends no request for such an account (T-05). A colleague can still sign in on the same
/// device.
struct KnownLockouts: Equatable, Sendable {
  static let countLimit = 8

  private struct Lock: Equatable, Sendable {
    let address: EmailAddress
    let until: Instant
  }

  private var locks: [Lock] = []

  mutating func learn(_ address: EmailAddress, until: Instant, at now: Instant) {
    locks.removeAll { $0.address == address || $0.until <= now }
    if locks.count == Self.countLimit { locks.removeFirst() }
    locks.append(Lock(address: address, until: until))
  }

  mutating func forget(_ address: EmailAddress) { locks.removeAll { $0.address == address } }

  func end(of address: EmailAddress, at now: Instant) -> Instant? {
    for lock in locks where lock.address == address && lock.until > now { return lock.until }
    return nil
  }
}

extension Refusal {
  /// How long a lockout is assumed to last if the answer does not contain its end.
  ///
  /// It is the default of the server's policy.
  static let defaultLockoutSeconds: Int64 = 15 * 60

  func lockEnd(at now: Instant) -> Instant {
    lockedUntil ?? now.adding(seconds: retryIn ?? Self.defaultLockoutSeconds)
  }
}

extension Notice {
  package var changesWithTime: Bool {
    switch self {
    case .rateLimited, .codeTooSoon, .deliveryFailed: true
    case .session(let notice): notice.changesWithTime
    case .invalidCredentials, .accountDeactivated, .codeRefused, .noConnection,
      .serviceUnreachable, .noAnswerInTime, .serverFault, .serviceBusy, .signInExpired,
      .signsInElsewhere, .newCodeSent, .sessionEnded, .signedOut, .sessionNotKept, .notRegistered,
      .passwordChanged, .passwordMaybeChanged, .resetExpired, .registrationClosed, .copyNotStored,
      .requestSent, .atProvider,
      .productTransferred, .productGone, .passwordPending, .resetByAdministrator, .passwordSaved,
      .invitationOver:
      false
    }
  }

  /// Whether the typed password has no further use after this notice.
  package var invalidatesPassword: Bool {
    switch self {
    case .invalidCredentials, .accountDeactivated, .codeRefused, .signInExpired,
      .signsInElsewhere, .passwordChanged, .passwordMaybeChanged, .passwordPending:
      true
    case .noConnection, .serviceUnreachable, .noAnswerInTime, .serverFault, .serviceBusy,
      .rateLimited,
      .codeTooSoon, .deliveryFailed, .newCodeSent, .sessionEnded, .signedOut, .sessionNotKept,
      .notRegistered, .resetExpired, .registrationClosed, .session, .copyNotStored, .requestSent,
      .atProvider,
      .productTransferred, .productGone, .resetByAdministrator, .passwordSaved, .invitationOver:
      false
    }
  }
}
