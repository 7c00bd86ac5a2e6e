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
    /// Masked, such as `***-***-1234`.
    public let phone: String
    public let role: String
    public let organizations: [Organization]
  }

  public struct Organization: Sendable {
    public let id: String
    public let name: String
  }

  /// A session of the person's, on this or another device.
  public struct ActiveSession: Sendable {
    public let id: String
    public let clientID: String
    public let organization: String?
    public let startedAt: Date
    public let lastUsedAt: Date
    /// Whether it is the session on this device.
    public let isCurrent: Bool
  }

  /// Reads who is signed in.
  public func account() async throws(SignInError) -> Account {
    guard let account = AccountAnswer(json: try await success(of: .get(Endpoint.me))) else {
      throw .serverFault
    }
    return Account(
      id: account.id.text, name: account.name, email: account.email, phone: account.phone,
      role: account.role,
      organizations: account.organizations.map { Organization(id: $0.id.text, name: $0.name) }
    )
  }

  /// Moves the session to another organization of the person's; there it is another session.
  ///
  /// - Throws: `.refused(code: "not_a_member")` for one the person does not belong to.
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
      if signedIn.keeping.wantedOrganization != nil { return nil }
      if signedIn.keeping.record.terms.organization?.text == organization { return state }
      throw signedIn.notice.map { SignInError($0) } ?? .serverFault
    }
  }

  // MARK: Sessions

  /// Lists where the person is signed in.
  public func sessions() async throws(SignInError) -> [ActiveSession] {
    let body = try await success(of: .get(Endpoint.sessions))
    guard let elements = body["sessions"]?.elements else { throw .serverFault }
    return elements.compactMap { SessionEntry(json: $0) }.map { entry in
      ActiveSession(
        id: entry.id.text, clientID: entry.client.text, organization: entry.organization?.text,
        startedAt: Date(entry.startedAt), lastUsedAt: Date(entry.lastUsedAt),
        isCurrent: entry.isCurrent)
    }
  }

  /// Ends a session elsewhere; one that has ended already is no error.
  ///
  /// `signOut()` ends the session on this device.
  public func endSession(id: String) async throws(SignInError) {
    guard state.session?.id != id else { throw .notPossibleNow }
    // An identifier has no character with a meaning in a path.
    let isName = id.utf8.allSatisfy { byte in
      Self.identifierBytes.contains(byte)
    }
    guard isName, !id.isEmpty else { throw .requestMalformed }
    let answer = try await send(.delete(Endpoint.sessions + "/" + id))
    guard let error = SignInError(answer, at: flow.context.now),
      error != .refused(code: ErrorCode.sessionNotFound.rawValue)
    else { return }
    throw error
  }

  private static let identifierBytes = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".utf8)

  // MARK: Passwords

  /// Changes the password of the person who is signed in; every other session of theirs ends.
  ///
  /// - Throws: `.invalidCredentials` when the current password is wrong,
  ///   `.refused(code: "password_too_short")` and the like for the new one, and
  ///   `.passwordChangeUnconfirmed` when no answer came.
  public func changePassword(
    from current: String, to new: String
  ) async throws(SignInError) {
    let body = JSON.members([
      JSONMember("current_password", current), JSONMember("new_password", new),
    ])
    let answer = try await send(.post(Endpoint.password, body))
    switch answer {
    case .noNetwork, .unreachable, .timedOut: throw .passwordChangeUnconfirmed
    case .received: if let error = SignInError(answer, at: flow.context.now) { throw error }
    }
  }

  /// Asks for a code to replace a forgotten password; `resetPassword(to:code:)` goes on.
  public func requestPasswordReset(email: String) async throws(SignInError) -> Challenge {
    try await beginSignIn(.passwordAndCode)
    await feed(.buttonPressed(.forgotPassword))
    await feed(.fieldEdited(.email, email))
    await feed(.buttonPressed(.sendCode))
    return try await wait { () throws(SignInError) in
      guard let reset = try resetUnderWay() else { throw .notPossibleNow }
      switch reset.step {
      case .askingForCode: return nil
      case .enteringCode(let code): return Challenge(code.entry)
      case .enteringEmail:
        let fault: SignInError = reset.isEmailMalformed ? .emailMalformed : .serverFault
        throw reset.notice.map { SignInError($0) } ?? fault
      }
    }
  }

  /// Replaces the forgotten password, with the code that came by text message.
  ///
  /// - Returns: When the new password takes effect, if that is later; nil when it has.
  /// - Throws: `.refused(code: "password_too_short")` and the like: neither the code nor an attempt
  ///   is used up.
  @discardableResult public func resetPassword(
    to new: String, code: String
  ) async throws(SignInError) -> Date? {
    guard case .enteringCode? = try resetUnderWay()?.step else { throw .notPossibleNow }
    // The server decides what is too short; the form would only wait for an empty one.
    guard !new.isEmpty else { throw .refused(code: ErrorCode.passwordTooShort.rawValue) }
    await feed(.fieldEdited(.code, code))
    await feed(.fieldEdited(.newPassword, new))
    await feed(.buttonPressed(.verify))
    return try await wait { () throws(SignInError) in
      guard let reset = try resetUnderWay() else { return try resetOutcome() }
      guard case .enteringCode(let step) = reset.step else {
        throw reset.notice.map { SignInError($0) } ?? .signInExpired
      }
      guard step.activity == .entering else { return nil }
      if let fault = reset.passwordFault { throw SignInError(fault) }
      throw SignInError(refusing: step.entry)
    }
  }

  private func resetUnderWay() throws(SignInError) -> PasswordReset? {
    guard case .signedOut(let signIn) = flow.stage else { return nil }
    switch signIn.step {
    case .resettingPassword(let reset): return reset
    case .locked(let until, _): throw .lockedOut(until: Date(until))
    case .enteringCredentials, .submittingCredentials, .enteringCode, .acceptingInvitation,
      .finished:
      return nil
    }
  }

  /// Where a reset has led; the outer nil is never returned.
  private func resetOutcome() throws(SignInError) -> Date?? {
    guard case .signedOut(let signIn) = flow.stage else { throw .notPossibleNow }
    switch signIn.notice {
    case .passwordChanged: return .some(nil)
    case .passwordWaits(let until): return .some(Date(until))
    case let notice?: throw SignInError(notice)
    case nil: throw .serverFault
    }
  }

  // MARK: Registration

  /// Asks for an account by name and phone number, which an administrator approves.
  ///
  /// - Throws: `.refused(code: "registration_closed")` when the app takes no registrations, and
  ///   `.refused(code: "country_not_supported")` for a number of another country.
  public func register(name: String, phone: String) async throws(SignInError) {
    try await beginSignIn(.phoneCode)
    await feed(.buttonPressed(.signUp))
    await feed(.fieldEdited(.name, name))
    await feed(.fieldEdited(.phone, phone))
    await feed(.buttonPressed(.register))
    let refusal = try await wait { () throws(SignInError) -> SignInError?? in
      guard case .riderSignedOut(let signIn) = flow.stage,
        case .signingUp(let registration) = signIn.step
      else { throw .notPossibleNow }
      switch registration.step {
      case .sending: return nil
      case .sent: return .some(nil)
      case .left: throw .notPossibleNow
      case .enteringDetails: return .some(SignInError(refusing: registration))
      }
    }
    await feed(.buttonPressed(.back))
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
      if registration.isNameMalformed || registration.name.isEmpty {
        self = .nameMalformed
      } else {
        self = registration.notice.map { SignInError($0) } ?? .phoneMalformed
      }
    }
  }

  /// Why a code that was entered did not do.
  init(refusing entry: CodeEntry) {
    let attemptsLeft = Int(clamping: entry.prompt.attemptsLeft)
    if entry.isExpired {
      self = .codeExpired
    } else if entry.isRefused {
      self = .wrongCode(attemptsLeft: attemptsLeft)
    } else {
      let digits = Int(clamping: entry.prompt.digits)
      self = entry.notice.map { SignInError($0) } ?? .codeIncomplete(digits: digits)
    }
  }
}
