import SignInModel
import SignInWire

/// The second half of a rider's way in: the code, another code, and the tokens.
extension RiderSignIn {
  mutating func enterCode(
    _ event: Event, _ entry: CodeEntry, _ context: inout FlowContext
  ) -> [Effect] {
    var entry = entry
    switch event {
    case .fieldEdited(.code, let text):
      entry.edit(text)
      step = .enteringCode(entry)
    case .bannerDismissed:
      entry.notice = nil
      step = .enteringCode(entry)
    case .buttonPressed(.verify): return verify(entry, &context)
    case .buttonPressed(.resend): return askForNewCode(entry, &context)
    case .buttonPressed(.changeNumber): return changeNumber(&context, keeping: entry)
    case .ticked: return entry.announcements(context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .verifierMade, .answered, .renewalClaimed, .sessionSaveRefused, .networkReturned:
      break
    }
    return []
  }

  private mutating func verify(_ entry: CodeEntry, _ context: inout FlowContext) -> [Effect] {
    var entry = entry
    entry.notice = nil
    if let code = entry.authorizationCode { return startRedeeming(code, entry, &context) }
    guard entry.isComplete else { return [] }
    let (id, effect) = context.start(proof(entry, Form.Field("otp", entry.text)))
    step = .checkingCode(entry, Wait(request: id, since: context.now))
    return [.announce(.checkingCode), effect]
  }

  private func proof(_ entry: CodeEntry, _ field: Form.Field) -> Call {
    .post(
      Endpoint.challenge,
      Form([
        .init("client_id", AppName.rider.rawValue),
        .init("auth_session", entry.authSession.revealed),
        field,
      ]),
      .proof
    )
  }

  mutating func checkCode(
    _ event: Event, _ entry: CodeEntry, _ wait: Wait, _ context: inout FlowContext
  ) -> [Effect] {
    if case .answered(let id, let answer) = event, wait.isFor(id),
      let code = answer.authorizationCode
    {
      return startRedeeming(code, entry, &context)
    }
    return carryOn(event, entry, wait, &context)
  }

  /// What every wait for the server has in common.
  private mutating func carryOn(
    _ event: Event, _ entry: CodeEntry, _ wait: Wait, _ context: inout FlowContext
  ) -> [Effect] {
    switch event {
    case .answered(let id, let answer) where wait.isFor(id):
      return codeAnswered(answer, entry, &context)
    case .ticked: return wait.announcements(context)
    case .buttonPressed(.changeNumber): return changeNumber(&context, keeping: entry)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .bannerDismissed, .verifierMade, .answered, .renewalClaimed, .sessionSaveRefused,
      .networkReturned:
      return []
    }
  }

  /// An answer to a code or to a resend that is not a success.
  private mutating func codeAnswered(
    _ answer: Answer, _ entry: CodeEntry, _ context: inout FlowContext
  ) -> [Effect] {
    var entry = entry
    if let error = answer.error {
      entry.adopt(error)
      switch error.code {
      case .accountLocked: return lock(error.lockEnd(at: context.now), &context)
      case .invalidOTP where entry.prompt.attemptsLeft <= 0:
        return returnToNumber(.codeRefused, &context)
      case .invalidOTP:
        entry.refuse()
        step = .enteringCode(entry)
        context.moveFocus(to: .code)
        return [.announce(.codeRefused(attemptsLeft: entry.attemptsLeftWorthSaying))]
      case .otpExpired:
        entry.expire()
        step = .enteringCode(entry)
        context.moveFocus(to: .code)
        return [.announce(.codeExpired)]
      case .invalidSession, .invalidGrant, .accountDeactivated, .accountNotRegistered,
        .redirectToWeb:
        return returnToNumber(answer.notice(at: context.now), &context)
      case .insufficientAuthorization, .invalidCredentials, .resendTooSoon, .rateLimited,
        .deliveryFailed, .temporarilyUnavailable, .invalidRequest, .invalidClient,
        .unauthorizedClient, .unsupportedGrantType, .unsupportedResponseType,
        .unsupportedTokenType, .invalidScope, .invalidToken, .insufficientScope, .invalidProof,
        .passwordTooShort, .passwordTooLong, .passwordTooCommon, .serverError, .accountNotFound,
        .sessionNotFound, .accountExists, .illegalTransition, .ownAccount, .idempotencyKeyReused,
        .clientNotFound, .organizationNotFound, .invalidPolicy, .preconditionFailed:
        break
      }
    }
    let reason = answer.notice(at: context.now)
    entry.notice = reason
    step = .enteringCode(entry)
    return [.announce(.notice(reason))]
  }

  // MARK: New code

  private mutating func askForNewCode(
    _ entry: CodeEntry, _ context: inout FlowContext
  ) -> [Effect] {
    guard entry.canResend(at: context.now) else { return [] }
    var entry = entry
    entry.notice = nil
    let (id, effect) = context.start(proof(entry, Form.Field("resend", "true")))
    step = .resendingCode(entry, Wait(request: id, since: context.now))
    return [.announce(.sendingNewCode), effect]
  }

  mutating func resendCode(
    _ event: Event, _ entry: CodeEntry, _ wait: Wait, _ context: inout FlowContext
  ) -> [Effect] {
    if case .answered(let id, let answer) = event, wait.isFor(id), let error = answer.error,
      error.code == .insufficientAuthorization, error.challenge != nil
    {
      var entry = entry
      entry.adopt(error)
      entry.startOver()
      step = .enteringCode(entry)
      context.moveFocus(to: .code)
      return [.announce(.newCodeSent(destination: entry.prompt.destination))]
    }
    return carryOn(event, entry, wait, &context)
  }

  // MARK: Tokens

  /// The code stays in the entry, so that a lost answer can be asked for again by Verify.
  private mutating func startRedeeming(
    _ code: Secret, _ entry: CodeEntry, _ context: inout FlowContext
  ) -> [Effect] {
    var entry = entry
    entry.authorizationCode = code
    let (id, effect) = context.start(
      .post(
        Endpoint.token,
        Form([
          .init("grant_type", "authorization_code"),
          .init("code", code.revealed),
          .init("code_verifier", verifier.revealed),
          .init("client_id", AppName.rider.rawValue),
        ]),
        .proof
      ))
    step = .redeeming(entry, Wait(request: id, since: context.now))
    return [effect]
  }

  mutating func redeem(
    _ event: Event, _ entry: CodeEntry, _ wait: Wait, _ context: inout FlowContext
  ) -> [Effect] {
    if case .answered(let id, let answer) = event, wait.isFor(id), let body = answer.success,
      let tokens = TokenAnswer(json: body)
    {
      step = .finished(tokens)
      return []
    }
    return carryOn(event, entry, wait, &context)
  }
}
