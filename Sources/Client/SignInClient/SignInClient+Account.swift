public import Foundation
import JSONText
import SignInFlow
import SignInModel
import SignInWire

extension SignInClient {
  /// The person who is signed in.
  public struct Account: Sendable {
    public let id: String
    public let name: String
    public let email: String?
    /// Masked, such as `***-***-1234`; `nil` if the account has no number.
    public let phone: String?
    public let role: String
    public let organizations: [Organization]
  }

  public struct Organization: Sendable {
    public let id: String
    public let name: String
  }

  /// A session of the person, on this or another device.
  public struct ActiveSession: Sendable {
    public let id: String
    public let clientID: String
    public let organization: String?
    public let startedAt: Date
    public let lastUsedAt: Date
    /// Whether it is the session on this device.
    public let isCurrent: Bool
  }

  /// Reads the account of the person who is signed in.
  public func account() async throws(SignInError) -> Account {
    guard let account = AccountAnswer(json: try await success(of: .get(.me))) else {
      throw .serverFault
    }
    return Account(
      id: account.id.text, name: account.name, email: account.email, phone: account.phone,
      role: account.role,
      organizations: account.organizations.map { Organization(id: $0.id.text, name: $0.name) }
    )
  }

  /// Switches to another organization of the person.
  ///
  /// The result is another session.
  ///
  /// - Throws: `.refused(code: "not_a_member")` if the person does not belong to the organization.
  @discardableResult public func switchOrganization(
    to organization: String
  ) async throws(SignInError) -> State {
    guard state.session != nil else { throw .notPossibleNow }
    await feed(.home(.itemPressed(.switchOrganization, item: organization)))
    return try await wait { () throws(SignInError) in
      guard case .signedIn(let signedIn) = flow.stage else {
        if case .signedOut(let reason?) = state { throw reason }
        throw .notPossibleNow
      }
      if signedIn.renewingSession.wantedOrganization != nil { return nil }
      if signedIn.renewingSession.record.terms.organization?.text == organization { return state }
      throw signedIn.notice.map { SignInError($0) } ?? .serverFault
    }
  }

  // MARK: Sessions

  /// Lists the active sessions of the person.
  public func sessions() async throws(SignInError) -> [ActiveSession] {
    let body = try await success(of: .get(.sessions))
    guard let entries = WireField.sessions.entries(in: body, { SessionEntry(json: $0) }) else {
      throw .serverFault
    }
    return entries.map { entry in
      ActiveSession(
        id: entry.id.text, clientID: entry.client.text, organization: entry.organization?.text,
        startedAt: Date(entry.startedAt), lastUsedAt: Date(entry.lastUsedAt),
        isCurrent: entry.isCurrent)
    }
  }

  /// Ends another session.
  ///
  /// It is not an error if that session has already ended.
  ///
  /// Use `signOut()` to end the session on this device.
  public func endSession(id: String) async throws(SignInError) {
    guard state.session?.id != id else { throw .notPossibleNow }
    // No character of an identifier has a special meaning in a path.
    let isName = id.utf8.allSatisfy { byte in
      Self.identifierBytes.contains(byte)
    }
    guard isName, !id.isEmpty else { throw .requestMalformed }
    let answer = try await send(.delete(.session(Endpoint.Segment(id))))
    guard let error = SignInError(answer, at: flow.context.now),
      error != .refused(code: ErrorCode.sessionNotFound.rawValue)
    else { return }
    throw error
  }

  private static let identifierBytes = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".utf8)

  // MARK: Passwords

  /// Changes the password of the person who is signed in.
  ///
  /// All other sessions of the person end.
  ///
  /// - Throws: `.invalidCredentials` if the current password is wrong, `.refused(code:)` with a
  ///   code such as `password_too_short` if the new one is refused, and
  ///   `.passwordChangeUnconfirmed` if no answer arrived.
  public func changePassword(
    from current: String, to new: String
  ) async throws(SignInError) {
    let body = PasswordChangeBody {
      $0.currentPassword = Secret(current)
      $0.newPassword = Secret(new)
    }
    let answer = try await send(.post(.password, body.json))
    switch answer {
    case .noNetwork, .unreachable, .timedOut: throw .passwordChangeUnconfirmed
    case .received: if let error = SignInError(answer, at: flow.context.now) { throw error }
    }
  }

  /// Requests a code to reset a forgotten password.
  ///
  /// Call `resetPassword(to:code:)` next.
  public func requestPasswordReset(email: String) async throws(SignInError) -> Challenge {
    try await beginSignIn(.passwordAndCode)
    await feed(.page(.buttonPressed(.forgotPassword)))
    await feed(.page(.fieldEdited(.email, Secret(email))))
    await feed(.page(.buttonPressed(.sendCode)))
    return try await wait { () throws(SignInError) in
      guard let reset = try activeReset() else { throw .notPossibleNow }
      switch reset.step {
      case .askingForCode: return nil
      case .enteringCode(let code): return Challenge(code.verification)
      case .enteringEmail:
        let fault: SignInError = reset.isEmailMalformed ? .emailMalformed : .serverFault
        throw reset.notice.map { SignInError($0) } ?? fault
      }
    }
  }

  /// Sets a new password with the code from the text message.
  ///
  /// - Returns: The time when the new password becomes valid, or `nil` if it is valid now.
  /// - Throws: `.refused(code:)` with a code such as `password_too_short` if the new password is
  ///   refused. The code then stays valid, and no attempt is counted.
  @discardableResult public func resetPassword(
    to new: String, code: String
  ) async throws(SignInError) -> Date? {
    guard case .enteringCode? = try activeReset()?.step else { throw .notPossibleNow }
    // The server decides about the length. The form would not send an empty password.
    guard !new.isEmpty else { throw .refused(code: ErrorCode.passwordTooShort.rawValue) }
    await feed(.page(.fieldEdited(.code, Secret(code))))
    await feed(.page(.fieldEdited(.newPassword, Secret(new))))
    await feed(.page(.buttonPressed(.verify)))
    return try await wait { () throws(SignInError) in
      guard let reset = try activeReset() else { return try resetOutcome() }
      guard case .enteringCode(let step) = reset.step else {
        throw reset.notice.map { SignInError($0) } ?? .signInExpired
      }
      guard step.verification.activity == .entering else { return nil }
      if let fault = reset.passwordFault { throw SignInError(fault) }
      throw SignInError(refusing: step)
    }
  }

  private func activeReset() throws(SignInError) -> PasswordResetForm? {
    guard case .signedOut(let signIn) = flow.stage else { return nil }
    switch signIn.step {
    case .resettingPassword(let reset): return reset
    case .locked(let until, _): throw .lockedOut(until: Date(until))
    case .enteringCredentials, .submittingCredentials, .enteringCode, .acceptingInvitation,
      .finished:
      return nil
    }
  }

  /// The result of a reset.
  ///
  /// The outer optional is never `nil`.
  private func resetOutcome() throws(SignInError) -> Date?? {
    guard case .signedOut(let signIn) = flow.stage else { throw .notPossibleNow }
    switch signIn.notice {
    case .passwordChanged: return .some(nil)
    case .passwordPending(let until): return .some(Date(until))
    case let notice?: throw SignInError(notice)
    case nil: throw .serverFault
    }
  }

  // MARK: Registration

  /// Requests an account with a name and a phone number.
  ///
  /// An administrator approves it.
  ///
  /// - Throws: `.refused(code: "registration_closed")` if the app accepts no registrations, and
  ///   `.refused(code: "country_not_supported")` for a number of another country.
  public func register(name: String, phone: String) async throws(SignInError) {
    try await beginSignIn(.phoneCode)
    await feed(.page(.buttonPressed(.signUp)))
    await feed(.page(.fieldEdited(.name, Secret(name))))
    await feed(.page(.fieldEdited(.phone, Secret(phone))))
    await feed(.page(.buttonPressed(.register)))
    let refusal = try await wait { () throws(SignInError) -> SignInError?? in
      guard case .riderSignedOut(let signIn) = flow.stage,
        case .signingUp(let registration) = signIn.step
      else { throw .notPossibleNow }
      switch registration.step {
      case .sending: return nil
      case .sent: return .some(nil)
      case .enteringDetails: return .some(SignInError(refusing: registration))
      }
    }
    await feed(.page(.buttonPressed(.back)))
    if let refusal { throw refusal }
  }

  // MARK: Answers

  private func success(of request: APIRequest) async throws(SignInError) -> JSON {
    let answer = try await send(request)
    if let error = SignInError(answer, at: flow.context.now) { throw error }
    if case .received(_, let body, _) = answer { return body }
    throw .serverFault
  }
}

extension SignInError {
  fileprivate init(refusing registration: RiderRegistration) {
    switch registration.numberFault {
    case .country?: self = .refused(code: Self.countryNotSupported)
    case .malformed?: self = registration.isNameMalformed ? .nameMalformed : .phoneMalformed
    case nil:
      if registration.isNameMalformed || registration.missing.contains(.name) {
        self = .nameMalformed
      } else {
        self = registration.notice.map { SignInError($0) } ?? .phoneMalformed
      }
    }
  }

  /// Why the entered code did not complete the sign-in.
  init(refusing code: CodeStep) {
    let prompt = code.verification.prompt
    switch code.fault {
    case .expired?: self = .codeExpired
    case .refused?: self = .wrongCode(attemptsLeft: Int(clamping: prompt.attemptsLeft))
    case .incomplete?, nil:
      let digits = Int(clamping: prompt.digits)
      self = code.notice.map { SignInError($0) } ?? .codeIncomplete(digits: digits)
    }
  }
}
