import SignInModel
import SignInWire

/// The accounts this app knows to be locked, so that it asks nothing on their behalf (T-05) and
/// still lets a colleague sign in on the same device.
struct KnownLocks: Equatable, Sendable {
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

extension ErrorAnswer {
  /// The usual lock, for an answer that does not say.
  static let usualLockSeconds: Int64 = 15 * 60

  func lockEnd(at now: Instant) -> Instant {
    lockedUntil ?? now.adding(seconds: retryIn ?? Self.usualLockSeconds)
  }
}

extension Notice {
  var changesWithTime: Bool {
    switch self {
    case .rateLimited, .codeTooSoon, .deliveryFailed: true
    case .session(let notice): notice.changesWithTime
    case .invalidCredentials, .accountDeactivated, .codeRefused, .noConnection,
      .serviceUnreachable, .noAnswerInTime, .serverFault, .serviceBusy, .signInExpired,
      .signsInElsewhere, .newCodeSent, .sessionEnded, .signedOut, .sessionNotKept, .notRegistered,
      .passwordChanged, .passwordPerhapsChanged, .resetExpired, .registrationClosed, .shelfNotKept,
      .requestSent,
      .productTransferred, .productGone, .passwordWaits, .resetByAdministrator, .passwordSaved,
      .invitationOver:
      false
    }
  }

  /// Whether the password typed so far is of no more use.
  var spoilsPassword: Bool {
    switch self {
    case .invalidCredentials, .accountDeactivated, .codeRefused, .signInExpired,
      .signsInElsewhere, .passwordChanged, .passwordPerhapsChanged, .passwordWaits:
      true
    case .noConnection, .serviceUnreachable, .noAnswerInTime, .serverFault, .serviceBusy,
      .rateLimited,
      .codeTooSoon, .deliveryFailed, .newCodeSent, .sessionEnded, .signedOut, .sessionNotKept,
      .notRegistered, .resetExpired, .registrationClosed, .session, .shelfNotKept, .requestSent,
      .productTransferred, .productGone, .resetByAdministrator, .passwordSaved, .invitationOver:
      false
    }
  }
}
