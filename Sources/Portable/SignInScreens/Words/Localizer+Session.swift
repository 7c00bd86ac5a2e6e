import SignInEngine

/// The texts about a session and its app lock.
extension Localizer {
  /// The sentence, and what to know of a passkey that is left on the device.
  func withPasskey(_ sentence: Sentence, _ isLeft: Bool) -> String {
    isLeft ? say(sentence) + " " + say(.passkeyLeft) : say(sentence)
  }

  func sessionNotice(_ notice: SessionNotice) -> String {
    switch notice {
    case .invitationWaits: say(.invitationWaits)
    case .signedOutElsewhere: withPasskey(.signedOutElsewhere, hasLeftPasskey)
    case .damaged: say(.sessionDamaged)
    case .revoked: say(.sessionRevoked)
    case .unsafe: say(.sessionUnsafe)
    case .passwordChangedElsewhere: say(.passwordChangedElsewhere)
    case .lockedOut(let until):
      minutes(until: until) <= 1
        ? say(.sessionLockedMinute)
        : say(.sessionLockedMinutes, "minutes", "\(minutes(until: until))")
    case .idleTooLong: say(.idleTooLong)
    case .awayTooLong: say(.awayTooLong)
    case .lockChanged: say(.lockChanged)
    case .lockSet: say(.lockSet)
    case .lockRemoved: withPasskey(.lockRemoved, true)
    case .lockNotSet: say(.lockNotSet)
    case .lockImpossible: say(.lockImpossible)
    case .unlockCancelled: say(.unlockCancelled)
    case .unlockBusy: say(.unlockBusy)
    case .ended: say(.sessionEndedThere)
    case .notAMember: say(.notAMember)
    case .notesSaved: say(.notesSaved)
    case .statusSaved: say(.statusSaved)
    case .statusUnsent: say(.statusUnsent)
    case .newPasswordCancelled: say(.newPasswordCancelled)
    case .contactChanged: say(.contactChanged)
    case .passwordSet: say(.passwordChangedHere)
    case .passwordMaybeSet: say(.passwordMaybeSet)
    }
  }

  func severity(of notice: SessionNotice) -> Severity {
    switch notice {
    case .lockSet, .lockRemoved, .ended, .notesSaved, .statusSaved, .newPasswordCancelled,
      .contactChanged, .passwordSet:
      .success
    case .statusUnsent, .signedOutElsewhere, .passwordChangedElsewhere, .idleTooLong, .awayTooLong,
      .lockNotSet, .lockImpossible:
      .info
    case .invitationWaits, .revoked, .lockChanged, .unlockCancelled, .passwordMaybeSet, .damaged,
      .unsafe, .lockedOut, .unlockBusy, .notAMember:
      .warning
    }
  }
}
