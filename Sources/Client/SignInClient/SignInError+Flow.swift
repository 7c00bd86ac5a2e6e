import Foundation
import JSONText
import SignInEngine
import SignInModel
import SignInWire

extension SignInError {
  /// Why a sign-in, a reset or a registration failed.
  init(_ notice: Notice) {
    switch notice {
    case .invalidCredentials: self = .invalidCredentials
    case .accountDeactivated: self = .accountDeactivated
    case .notRegistered: self = .notRegistered
    case .codeRefused, .signInExpired, .resetExpired: self = .signInExpired
    case .noConnection: self = .noConnection
    case .serviceUnreachable: self = .serviceUnreachable
    case .noAnswerInTime: self = .noAnswerInTime
    case .serviceBusy: self = .serviceBusy
    case .rateLimited(let until): self = .rateLimited(until: Date(until))
    case .codeTooSoon(let until): self = .resendTooSoon(until: Date(until))
    case .deliveryFailed(let until): self = .deliveryFailed(until: Date(until))
    case .signsInElsewhere: self = .signsInElsewhere
    case .atProvider(let notice): self = .provider(ProviderFault(notice))
    case .resetByAdministrator: self = .refused(code: ErrorCode.resetByAdministrator.rawValue)
    case .registrationClosed: self = .refused(code: Self.registrationClosed)
    case .approvalPending: self = .refused(code: ErrorCode.accountPending.rawValue)
    case .passwordMaybeChanged: self = .passwordChangeUnconfirmed
    case .session(let notice): self = SignInError(notice)
    case .sessionEnded, .signedOut: self = .sessionExpired
    case .serverFault, .newCodeSent, .sessionNotKept, .passwordChanged, .passwordPending,
      .passwordSaved, .invitationOver, .copyNotStored, .requestSent, .productTransferred,
      .productGone:
      self = .serverFault
    }
  }

  private init(_ notice: SessionNotice) {
    switch notice {
    case .signedOutElsewhere, .revoked: self = .sessionEndedElsewhere
    case .damaged: self = .sessionDamaged
    case .unsafe: self = .sessionUnsafe
    case .passwordChangedElsewhere: self = .passwordChangedElsewhere
    case .lockedOut(let until): self = .lockedOut(until: Date(until))
    case .lockChanged: self = .appLockChanged
    case .notAMember: self = .refused(code: ErrorCode.notAMember.rawValue)
    case .unlockCancelled: self = .unlockCancelled
    case .unlockBusy: self = .unlockBusy
    case .idleTooLong, .awayTooLong: self = .sessionExpired
    case .invitationWaits, .lockSet, .lockRemoved, .lockNotSet, .lockImpossible, .ended,
      .notesSaved, .statusSaved,
      .statusUnsent, .newPasswordCancelled, .contactChanged, .passwordSet, .passwordMaybeSet:
      self = .serverFault
    }
  }

  /// Why a session ended.
  ///
  /// It is `nil` for a sign-out and for other notices, such as a wrong password.
  init?(endingBy notice: Notice) {
    switch notice {
    case .sessionEnded, .accountDeactivated: self.init(notice)
    case .session(let reason):
      switch reason {
      case .signedOutElsewhere, .damaged, .revoked, .unsafe, .passwordChangedElsewhere, .lockedOut,
        .idleTooLong, .awayTooLong, .lockChanged:
        self.init(reason)
      case .invitationWaits, .lockSet, .lockRemoved, .lockNotSet, .lockImpossible, .unlockCancelled,
        .unlockBusy, .ended, .notAMember, .notesSaved, .statusSaved, .statusUnsent,
        .newPasswordCancelled, .contactChanged, .passwordSet, .passwordMaybeSet:
        return nil
      }
    default: return nil
    }
  }

  static let registrationClosed = "registration_closed"
  static let countryNotSupported = "country_not_supported"

  init(_ fault: PasswordFault) {
    switch fault {
    case .tooShort: self = .refused(code: ErrorCode.passwordTooShort.rawValue)
    case .tooLong: self = .refused(code: ErrorCode.passwordTooLong.rawValue)
    case .tooCommon: self = .refused(code: ErrorCode.passwordTooCommon.rawValue)
    }
  }

  /// Why an answer is not a success.
  ///
  /// It is `nil` for a success.
  init?(_ answer: Answer, at now: Instant) {
    switch answer {
    case .noNetwork: self = .noConnection
    case .unreachable: self = .serviceUnreachable
    case .timedOut: self = .noAnswerInTime
    case .received(200..<300, _, _): return nil
    // Only the web apps have such answers.
    case .onDevice: self = .serverFault
    case .received(let status, let body, _):
      guard let refusal = Refusal(json: body), status < 500 || refusal.code != .serverError else {
        self = .serverFault
        return
      }
      let wait = refusal.retryIn ?? Refusal.usualWaitSeconds
      switch refusal.code {
      case .rateLimited: self = .rateLimited(until: Date(now.adding(seconds: wait)))
      case .temporarilyUnavailable: self = .serviceBusy
      case .invalidCredentials: self = .invalidCredentials
      case .accountDeactivated: self = .accountDeactivated
      case .accountLocked:
        self = .lockedOut(until: Date(refusal.lockedUntil ?? now.adding(seconds: wait)))
      default: self = .refused(code: refusal.code.rawValue)
      }
    }
  }
}
