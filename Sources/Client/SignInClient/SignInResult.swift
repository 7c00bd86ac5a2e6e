import Foundation
import SignInFlow

/// The result of one step of a sign-in.
enum SignInResult {
  case progress
  case refused(SignInError)

  /// Returns `nil` while a request is in progress.
  init?(_ flow: AppFlow<NoHome>, after button: ButtonName?) {
    switch flow.stage {
    case .starting, .readingStorage: return nil
    case .storageUnreadable, .locked, .confirming: self = .refused(.notPossibleNow)
    case .signedIn: self = .progress
    case .signedOut(let signIn):
      switch signIn.step {
      case .submittingCredentials, .finished: return nil
      case .enteringCredentials:
        let fault = signIn.isEmailMalformed ? SignInError.emailMalformed : nil
        self = .refused(fault ?? signIn.notice.map { SignInError($0) } ?? .invalidCredentials)
      case .enteringCode(let code): self.init(code, flow, after: button)
      case .locked(let until, _): self = .refused(.lockedOut(until: Date(until)))
      case .resettingPassword, .acceptingInvitation: self = .refused(.notPossibleNow)
      }
    case .atProvider(let signIn):
      switch signIn.step {
      case .preparing, .requesting, .saving, .redeeming: return nil
      case .inBrowser: self = .progress
      case .waiting(let notice): self = .refused(SignInError(notice))
      case .enteringCode(let code): self.init(code, flow, after: button)
      }
    case .riderSignedOut(let signIn):
      switch signIn.step {
      case .sendingCode, .finished: return nil
      case .enteringNumber:
        let fault = signIn.isNumberMalformed ? SignInError.phoneMalformed : nil
        self = .refused(fault ?? signIn.notice.map { SignInError($0) } ?? .phoneMalformed)
      case .enteringCode(let code): self.init(code, flow, after: button)
      case .locked(let until): self = .refused(.lockedOut(until: Date(until)))
      case .signingUp: self = .refused(.notPossibleNow)
      }
    }
  }

  private init?(_ code: CodeStep, _ flow: AppFlow<NoHome>, after button: ButtonName?) {
    guard code.verification.activity == .entering else { return nil }
    if button == .verify {
      self = .refused(SignInError(refusing: code))
    } else if button == .resend, !code.verification.canResend(at: flow.context.now),
      code.notice == nil
    {
      // The code was just sent, or the resend cooldown is active. The state machine shows no notice
      // then.
      self = .progress
    } else if let notice = code.notice, notice != .newCodeSent {
      self = .refused(SignInError(notice))
    } else {
      self = .progress
    }
  }
}
