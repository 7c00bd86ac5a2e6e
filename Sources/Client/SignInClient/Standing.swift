import SignInFlow
import SignInModel
import SignInWire

/// What a call of the sign-in has come to.
enum Standing {
  case progress(Progress)
  case refused(SignInError)

  /// Nil while the server is being asked.
  init?(_ flow: AppFlow, after button: ButtonName?) {
    switch flow.stage {
    case .starting, .readingStorage: return nil
    case .storageUnreadable, .locked, .confirming: self = .refused(.notPossibleNow)
    case .signedIn(let signedIn): self = .progress(.signedIn(signedIn.keeping.record.terms))
    case .signedOut(let signIn):
      switch signIn.step {
      case .submittingCredentials, .finished: return nil
      case .enteringCredentials:
        let fault = signIn.isEmailMalformed ? SignInError.emailMalformed : nil
        self = .refused(fault ?? signIn.notice.map { SignInError($0) } ?? .invalidCredentials)
      case .enteringCode(let code): self.init(code, flow, after: button)
      case .locked(let until, _): self = .refused(.locked(until: until))
      case .resettingPassword, .acceptingInvitation: self = .refused(.notPossibleNow)
      }
    case .riderSignedOut(let signIn):
      switch signIn.step {
      case .sendingCode, .finished: return nil
      case .enteringNumber:
        let fault = signIn.isNumberMalformed ? SignInError.numberMalformed : nil
        self = .refused(fault ?? signIn.notice.map { SignInError($0) } ?? .numberMalformed)
      case .enteringCode(let code): self.init(code, flow, after: button)
      case .locked(let until): self = .refused(.locked(until: until))
      case .signingUp: self = .refused(.notPossibleNow)
      }
    }
  }

  private init?(_ code: CodeStep, _ flow: AppFlow, after button: ButtonName?) {
    guard code.activity == .entering else { return nil }
    let entry = code.entry
    if button == .verify {
      if entry.isExpired {
        self = .refused(.codeExpired)
      } else if entry.isRefused {
        self = .refused(.wrongCode(triesLeft: entry.prompt.attemptsLeft))
      } else {
        let fault = SignInError.codeIncomplete(digits: entry.prompt.digits)
        self = .refused(entry.notice.map { SignInError($0) } ?? fault)
      }
    } else if button == .resend, !entry.canResend(at: flow.context.now), entry.notice == nil {
      // Either it was just sent, or it was too soon: the machine then says nothing of its own.
      self = .progress(.codeAwaited(Challenge(entry)))
    } else if let notice = entry.notice, notice != .newCodeSent {
      self = .refused(SignInError(notice))
    } else {
      self = .progress(.codeAwaited(Challenge(entry)))
    }
  }
}

extension SignInError {
  init(_ notice: Notice) {
    switch notice {
    case .invalidCredentials: self = .invalidCredentials
    case .accountDeactivated: self = .accountDeactivated
    case .notRegistered: self = .notRegistered
    case .codeRefused, .signInExpired: self = .signInExpired
    case .noConnection: self = .noConnection
    case .serviceUnreachable: self = .serviceUnreachable
    case .noAnswerInTime: self = .noAnswerInTime
    case .serviceBusy: self = .serviceBusy
    case .rateLimited(let until): self = .rateLimited(until: until)
    case .codeTooSoon(let until): self = .resendTooSoon(until: until)
    case .deliveryFailed(let until): self = .deliveryFailed(until: until)
    case .signsInElsewhere: self = .signsInElsewhere
    case .sessionEnded, .signedOut, .session: self = .sessionEnded
    case .serverFault, .newCodeSent, .sessionNotKept, .passwordChanged,
      .passwordPerhapsChanged, .resetExpired, .registrationClosed, .passwordWaits,
      .resetByAdministrator, .passwordSaved, .invitationOver, .shelfNotKept, .requestSent,
      .productTransferred, .productGone:
      self = .serverFault
    }
  }
}
