public import SignInModel
public import SignInWire

/// A rider's way in: a mobile number, then the code sent to it (RDR-004).
///
///     number ──▶ sending ──▶ code ──▶ checking ──▶ redeeming ──▶ finished
///       ▲  ▲        │        ▲  │         │
///       │  │        ▼        │  ▼         ▼
///       │  └time─ locked    resending   locked ──time──▶ number
///       └──────── change, last try, took too long
public struct RiderSignIn: Equatable, Sendable {
  public static let scope = "openid offline_access dashboard"

  public enum Step: Equatable, Sendable {
    case enteringNumber
    case sendingCode(Wait)
    case enteringCode(CodeEntry)
    case checkingCode(CodeEntry, Wait)
    case resendingCode(CodeEntry, Wait)
    case redeeming(CodeEntry, Wait)
    case locked(until: Instant)
    case finished(TokenAnswer)
  }

  /// A code that was sent before its number was left by Change; it may still be typed.
  struct Earlier: Equatable, Sendable {
    let phone: PhoneNumber
    let verifier: Secret
    let entry: CodeEntry
  }

  public internal(set) var step: Step = .enteringNumber
  public internal(set) var number = MobileNumber()
  public internal(set) var isNumberMalformed = false
  public internal(set) var notice: Notice?

  var verifier = Secret("")
  private var earlier: Earlier?

  init(notice: Notice? = nil) { self.notice = notice }

  public var canSend: Bool { !number.isEmpty }

  var needsTicks: Bool {
    switch step {
    case .enteringNumber: notice?.changesWithTime ?? false
    case .finished: false
    case .sendingCode, .enteringCode, .checkingCode, .resendingCode, .redeeming, .locked: true
    }
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    switch step {
    case .enteringNumber: return enterNumber(event, &context)
    case .sendingCode(let wait): return sendCode(event, wait, &context)
    case .enteringCode(let entry): return enterCode(event, entry, &context)
    case .checkingCode(let entry, let wait): return checkCode(event, entry, wait, &context)
    case .resendingCode(let entry, let wait): return resendCode(event, entry, wait, &context)
    case .redeeming(let entry, let wait): return redeem(event, entry, wait, &context)
    case .locked(let until): return stayLocked(event, until, &context)
    case .finished: return []
    }
  }

  // MARK: Number

  private mutating func enterNumber(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .fieldEdited(.country, let code):
      number.choose(code)
      isNumberMalformed = false
    case .fieldEdited(.phone, let text):
      number.edit(text)
      isNumberMalformed = false
    case .bannerDismissed: notice = nil
    case .buttonPressed(.sendCode): return askForCode(&context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .verifierMade, .answered, .ticked, .renewalClaimed, .sessionSaveRefused, .networkReturned:
      break
    }
    return []
  }

  private mutating func askForCode(_ context: inout FlowContext) -> [Effect] {
    guard canSend else { return [] }
    guard number.parsed != nil else {
      isNumberMalformed = true
      context.moveFocus(to: .phone)
      return [.announce(.numberMalformed(number.country))]
    }
    notice = nil
    step = .sendingCode(Wait(request: nil, since: context.now))
    return [.announce(.sendingCode), .makeVerifier]
  }

  private mutating func sendCode(
    _ event: Event, _ wait: Wait, _ context: inout FlowContext
  ) -> [Effect] {
    switch event {
    case .verifierMade(let verifier, let challenge) where wait.request == nil:
      self.verifier = verifier
      let (id, effect) = context.start(
        .post(
          Endpoint.challenge,
          Form([
            .init("response_type", "code"),
            .init("client_id", AppName.rider.rawValue),
            .init("scope", Self.scope),
            .init("code_challenge", challenge),
            .init("code_challenge_method", "S256"),
            .init("ui_locales", context.reader.uiLocales),
            .init("phone_number", number.parsed?.e164 ?? ""),
          ]),
          .proof
        ))
      step = .sendingCode(Wait(request: id, since: wait.since))
      return [effect]
    case .answered(let id, let answer) where wait.isFor(id):
      return numberAnswered(answer, &context)
    case .ticked: return wait.announcements(context)
    case .buttonPressed(.cancel): return changeNumber(&context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .bannerDismissed, .verifierMade, .answered, .renewalClaimed, .sessionSaveRefused,
      .networkReturned:
      return []
    }
  }

  private mutating func numberAnswered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    if let error = answer.error {
      if error.code == .insufficientAuthorization, let prompt = error.challenge,
        let authSession = error.authSession
      {
        earlier = nil
        step = .enteringCode(CodeEntry(authSession: Secret(authSession), prompt: prompt))
        context.moveFocus(to: .code)
        return [.announce(.codeSent(destination: prompt.destination))]
      }
      if error.code == .accountLocked { return lock(error.lockEnd(at: context.now), &context) }
      if error.code == .resendTooSoon, let earlier, earlier.phone == number.parsed,
        context.now < earlier.entry.prompt.expiresAt
      {
        return takeUp(earlier, answer.notice(at: context.now), &context)
      }
    }
    return returnToNumber(answer.notice(at: context.now), &context)
  }

  /// The code sent a moment ago still counts, so its field comes back beside the news.
  private mutating func takeUp(
    _ earlier: Earlier, _ reason: Notice, _ context: inout FlowContext
  ) -> [Effect] {
    var entry = earlier.entry
    entry.notice = reason
    verifier = earlier.verifier
    step = .enteringCode(entry)
    context.moveFocus(to: .code)
    return [.announce(.notice(reason))]
  }

  mutating func returnToNumber(
    _ reason: Notice, _ context: inout FlowContext
  ) -> [Effect] {
    notice = reason
    step = .enteringNumber
    context.moveFocus(to: .phone)
    return [.announce(.notice(reason))]
  }

  /// Back to the number, with whatever is still good of the code.
  mutating func changeNumber(
    _ context: inout FlowContext, keeping entry: CodeEntry? = nil
  ) -> [Effect] {
    if let entry, let phone = number.parsed {
      earlier = Earlier(phone: phone, verifier: verifier, entry: entry)
    }
    context.forgetCalls()
    notice = nil
    step = .enteringNumber
    context.moveFocus(to: .phone)
    return []
  }

  // MARK: Locked

  mutating func lock(_ until: Instant, _ context: inout FlowContext) -> [Effect] {
    context.forgetCalls()
    earlier = nil
    notice = nil
    step = .locked(until: until)
    context.moveFocus(to: .heading)
    return [.announce(.locked(until: until))]
  }

  private mutating func stayLocked(
    _ event: Event, _ until: Instant, _ context: inout FlowContext
  ) -> [Effect] {
    switch event {
    case .ticked where until <= context.now:
      step = .enteringNumber
      context.moveFocus(to: .phone)
      return [.announce(.lockEnded)]
    case .buttonPressed(.changeNumber):
      number.edit("")
      return changeNumber(&context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .bannerDismissed, .verifierMade, .answered, .ticked, .renewalClaimed, .sessionSaveRefused,
      .networkReturned:
      return []
    }
  }
}
