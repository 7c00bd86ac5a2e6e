public import Foundation
import JSONText
import SignInEngine
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
    guard state.session != nil else { throw state.obstacle }
    await feed(.intent(.session(.switchOrganization(OrganizationID(organization)))))
    return try await wait { () throws(SignInError) in
      guard case .signedIn(let signedIn) = flow.stage else {
        if case .signedOut(let reason?) = state { throw reason }
        throw state.obstacle
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
  /// - Throws: `.notPossibleNow` if `id` is the session on this device. Use `signOut()` to end that
  ///   session.
  public func endSession(id: String) async throws(SignInError) {
    guard state.session?.id != id else { throw .notPossibleNow }
    guard Self.isIdentifier(id) else { throw .requestMalformed }
    let answer = try await send(.delete(.session(Endpoint.Segment(id))))
    guard let error = SignInError(answer, at: flow.context.now),
      error != .refused(code: ErrorCode.sessionNotFound.rawValue)
    else { return }
    throw error
  }

  /// Whether no character of the text has a special meaning in a path.
  static func isIdentifier(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.allSatisfy { identifierBytes.contains($0) }
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
    case .received, .onDevice:
      if let error = SignInError(answer, at: flow.context.now) { throw error }
    }
  }

  /// Requests a code to reset a forgotten password.
  ///
  /// Call `resetPassword(to:code:)` next.
  public func requestPasswordReset(email: String) async throws(SignInError) -> Challenge {
    try await prepareSignIn(.passwordAndCode)
    guard let address = EmailAddress(typed: email) else { throw .emailMalformed }
    _ = try await result(of: .requestPasswordReset(of: address))
    guard let verification = resetVerification else { throw .notPossibleNow }
    return Challenge(verification)
  }

  /// Sets a new password with the code from the text message.
  ///
  /// - Returns: The time when the new password becomes valid, or `nil` if it is valid now.
  /// - Throws: `.refused(code:)` with a code such as `password_too_short` if the new password is
  ///   refused. The code then stays valid, and no attempt is counted.
  @discardableResult public func resetPassword(
    to new: String, code: String
  ) async throws(SignInError) -> Date? {
    guard resetVerification != nil else { throw .notPossibleNow }
    // The server decides about the length. It does not accept a request without a password.
    guard !new.isEmpty else { throw .refused(code: ErrorCode.passwordTooShort.rawValue) }
    switch try await result(of: .setPassword(Secret(new), code: Secret(code))) {
    case .passwordSet(let start): return start.map { Date($0) }
    case .succeeded, .registered, .refused: throw .serverFault
    }
  }

  var resetVerification: CodeVerification? {
    if case .signedOut(let signIn) = flow.stage { signIn.resetVerification } else { nil }
  }

  // MARK: Registration

  /// Requests an account with a name and a phone number.
  ///
  /// The policy of the app says who approves it. If the result is `.codeSent`, continue with
  /// `confirmRegistration`.
  ///
  /// - Throws: `.refused(code: "registration_closed")` if the app accepts no registrations, and
  ///   `.refused(code: "country_not_supported")` for a number of another country.
  @discardableResult public func register(
    name: String, phone: String
  ) async throws(SignInError) -> RegistrationProgress {
    try await prepareSignIn(.phoneCode)
    guard let name = PersonName(typed: name) else { throw .nameMalformed }
    guard let phone = PhoneNumber(typed: phone) else { throw .phoneMalformed }
    return try progress(try await result(of: .register(name, phone)))
  }

  /// Proves the number of a registration with the code from the text message.
  public func confirmRegistration(
    code: String
  ) async throws(SignInError) -> RegistrationProgress {
    guard registrationVerification != nil else { throw .notPossibleNow }
    return try progress(try await result(of: .submitCode(Secret(code))))
  }

  var registrationVerification: CodeVerification? {
    if case .riderSignedOut(let signIn) = flow.stage {
      signIn.registrationVerification
    } else {
      nil
    }
  }

  private func progress(_ result: IntentResult) throws(SignInError) -> RegistrationProgress {
    switch result {
    case .registered(.codeSent): .codeSent
    case .registered(.waitsForApproval): .waitingForApproval
    case .registered(.approved): .approved
    case .succeeded, .passwordSet, .refused: throw .serverFault
    }
  }

  // MARK: Answers

  @discardableResult func success(of request: APIRequest) async throws(SignInError) -> JSON {
    let answer = try await send(request)
    if let error = SignInError(answer, at: flow.context.now) { throw error }
    if case .received(_, let body, _) = answer { return body }
    throw .serverFault
  }
}

/// What follows after a request for an account.
public enum RegistrationProgress: Equatable, Sendable {
  /// A code was sent to the number.
  ///
  /// Pass it to `confirmRegistration`.
  case codeSent
  /// An administrator has to approve the account.
  case waitingForApproval
  /// The person can sign in.
  case approved
}
