import JSONText
public import SignInEngine
public import SignInModel
public import SignInWire

/// What the form about the own account says.
public enum OwnAccountMessage: Equatable, Sendable {
  case nameSaved
  case contactChanged
  case accountStays
  /// The account is erased at this moment.
  case erasureRequested(Instant)
  case contactMalformed
  case codeRefused
  /// The person has no password and signed in too long ago.
  case signInTooOld
  /// An administrator or a provider manages the address and the number.
  case notAllowed
  case failed(Notice)

  public var isSuccess: Bool {
    switch self {
    case .nameSaved, .contactChanged, .accountStays, .erasureRequested: true
    case .contactMalformed, .codeRefused, .signInTooOld, .notAllowed, .failed: false
    }
  }
}

/// The form in which a signed-in person changes the own name, address and number, and asks for the
/// erasure of the account.
public struct OwnAccountForm: EventHandler, Equatable, Sendable {
  public enum Request: Equatable, Sendable { case name, contact, code, erasure, keeping }

  public private(set) var name: String
  /// An e-mail address or a phone number.
  public private(set) var contact = ""
  public private(set) var current = Secret("")
  public private(set) var code = Secret("")
  /// The code that was sent to the new address or number.
  public private(set) var sent: ContactChangePrompt?
  public private(set) var erasureAt: Instant?
  public private(set) var isAsking = false
  public private(set) var isRevealed = false
  public private(set) var isNameMalformed = false
  public private(set) var isCurrentWrong = false
  public private(set) var message: OwnAccountMessage?
  /// The request for what the person has asked for before.
  private var opening: Wait?
  private var sending: Wait?
  /// What the form sends, or has sent last.
  private var request: Request?
  public private(set) var missing = MissingFields()
  /// Whether people sign in to the app with a password.
  public let hasPassword: Bool
  private(set) var isLeft = false
  /// The name that the server has sent last.
  private var knownName: String
  private var isAccountChanged = false

  init(_ name: String, hasPassword: Bool, _ context: inout FlowContext) {
    self.name = name
    knownName = name
    self.hasPassword = hasPassword
    opening = Wait(request: context.ask(.get(.accountChanges)), since: context.now)
  }

  public var waiting: Wait? { sending ?? opening }

  public var isSending: Bool { sending.isPresent }

  public func isBusy(with request: Request) -> Bool { isSending && self.request == request }

  private mutating func send(
    _ apiRequest: APIRequest, _ request: Request, _ context: inout FlowContext
  ) {
    self.request = request
    isRevealed = false
    sending = Wait(request: context.ask(apiRequest), since: context.now)
  }

  /// Shows the name, unless the person has edited it.
  mutating func setName(_ name: String) {
    if self.name.hasSameBytes(as: knownName) { self.name = name }
    knownName = name
  }

  mutating func takeAccountChange() -> Bool {
    defer { isAccountChanged = false }
    return isAccountChanged
  }

  mutating func revealToggled() { isRevealed.toggle() }

  mutating func bannerDismissed() { message = nil }

  mutating func tick(_ context: inout FlowContext) -> [PageEffect] {
    waiting?.reports(context).inApp() ?? []
  }

  mutating func edited(
    _ field: FieldName, _ text: Secret, _ context: inout FlowContext
  ) -> [PageEffect] {
    guard !isSending else { return [] }
    missing.typed(in: field)
    switch field {
    case .name:
      name = text.revealed
      isNameMalformed = false
    case .contact:
      contact = text.revealed
      sent = nil
    case .currentPassword:
      current = text
      isCurrentWrong = false
    case .code where sent.isPresent: code = text
    default: break
    }
    return []
  }

  mutating func pressed(_ button: ButtonName, _ context: inout FlowContext) -> [PageEffect] {
    if button == .back { isLeft = true }
    guard !isSending else { return [] }
    switch button {
    case .saveAccount: return saveName(&context)
    case .sendCode: return sendCode(&context)
    case .verify: return verify(&context)
    case .eraseAccount where erasureAt == nil:
      isAsking = true
      context.moveFocus(to: .question)
    case .cancel where isAsking:
      isAsking = false
      context.moveFocus(to: .heading)
    case .confirm where isAsking:
      isAsking = false
      context.moveFocus(to: .heading)
      // The answer may not have this erasure yet.
      opening = nil
      let body = CurrentPasswordBody { $0.currentPassword = password }
      send(.post(.erasure, body.json), .erasure, &context)
    case .keepAccount where erasureAt != nil: send(.delete(.erasure), .keeping, &context)
    default: break
    }
    return []
  }

  /// The server says whether the account needs one.
  private var password: Secret? { current.isEmpty ? nil : current }

  private mutating func saveName(_ context: inout FlowContext) -> [PageEffect] {
    let isBlank = TypedText.isBlank(name)
    missing.check([(.name, isBlank)])
    guard !isBlank else { return missing.explain(&context) }
    guard let parsed = PersonName(typed: name) else {
      isNameMalformed = true
      context.moveFocus(to: .name)
      return [.announce(.nameMalformed)]
    }
    message = nil
    let body = OwnNameBody { $0.name = parsed.text }
    send(APIRequest(.patch, path: Endpoint.me.path, body: body.json), .name, &context)
    return []
  }

  private mutating func sendCode(_ context: inout FlowContext) -> [PageEffect] {
    missing.check([(.contact, contact.isEmpty)])
    guard !contact.isEmpty else { return missing.explain(&context) }
    let isEmail = EmailAddress.isMeant(by: contact)
    let email = isEmail ? EmailAddress(typed: contact) : nil
    let phone = isEmail ? nil : PhoneNumber(typed: contact)
    guard email.isPresent || phone.isPresent else {
      return say(.contactMalformed, &context)
    }
    message = nil
    sent = nil
    code = Secret("")
    let body = ContactChangeBody {
      $0.email = email?.text
      $0.phoneNumber = phone?.e164
      $0.currentPassword = password
    }
    send(.post(.contactChange, body.json), .contact, &context)
    return [.announce(.sendingCode)]
  }

  private mutating func verify(_ context: inout FlowContext) -> [PageEffect] {
    guard let sent else { return [] }
    missing.check([(.code, code.isEmpty)])
    guard !code.isEmpty else { return missing.explain(&context) }
    message = nil
    let body = ContactCodeBody {
      $0.changeSession = sent.session
      $0.otp = code
    }
    send(.post(.contactChangeCode, body.json), .code, &context)
    return [.announce(.checkingCode)]
  }

  private mutating func say(
    _ said: OwnAccountMessage, _ context: inout FlowContext
  ) -> [PageEffect] {
    message = said
    context.moveFocus(to: .heading)
    return [.announce(.ownAccount(said))]
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    if let opening, opening.isFor(id) {
      self.opening = nil
      erasureAt = answer.success.flatMap { OwnChangesAnswer(json: $0) }?.erasureAt
      if erasureAt.isPresent { isAsking = false }
      return []
    }
    guard let sending, sending.isFor(id), let request else { return [] }
    self.sending = nil
    guard let body = answer.success else { return refused(answer, &context) }
    switch request {
    case .name:
      isAccountChanged = true
      return say(.nameSaved, &context)
    case .contact:
      guard let prompt = ContactChangePrompt(json: body) else {
        return say(.failed(.serverFault), &context)
      }
      sent = prompt
      current = Secret("")
      context.moveFocus(to: .code)
      return [.announce(.newCodeSent(destination: prompt.prompt.destination))]
    case .code:
      (sent, contact, code) = (nil, "", Secret(""))
      isAccountChanged = true
      return say(.contactChanged, &context)
    case .erasure:
      guard let due = body.unixSeconds(.dueAt) else {
        return say(.failed(.serverFault), &context)
      }
      let moment = Instant(seconds: due)
      erasureAt = moment
      current = Secret("")
      return say(.erasureRequested(moment), &context)
    case .keeping:
      erasureAt = nil
      return say(.accountStays, &context)
    }
  }

  private mutating func refused(
    _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    switch answer.refusal {
    case .invalidCredentials where hasPassword:
      current = Secret("")
      isCurrentWrong = true
      context.moveFocus(to: .currentPassword)
      return [.announce(.currentPasswordWrong)]
    case .invalidOTP, .otpExpired, .invalidSession:
      code = Secret("")
      return say(.codeRefused, &context)
    case .recentSignInNeeded, .invalidCredentials: return say(.signInTooOld, &context)
    case .contactChangeClosed, .managedByProvider, .mailUnavailable, .ownAccount, .accountExists:
      return say(.notAllowed, &context)
    case .invalidRequest where request == .contact: return say(.contactMalformed, &context)
    default: return say(.failed(answer.notice(at: context.now)), &context)
    }
  }
}
