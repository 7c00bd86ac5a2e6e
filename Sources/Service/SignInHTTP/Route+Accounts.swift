import HTTPServer
import JSONText
import SignInModel
import SignInRules
import SignInService
import SignInWire

extension Route {
  /// The routes for password resets, invitations and registration, which need no token.
  ///
  /// A proof is optional. If one is sent, it must be valid, and only its key can complete a reset
  /// that it began.
  static let ofPasswords: [Route] = [
    Route(
      .post, .forgotPassword, .open, answer: forgotPassword,
      Operation(
        name: "forgotPassword",
        summary:
          "Sends a code for a new password; if the app conceals accounts, known and unknown"
          + " accounts get the same answer", chapter: .signIn,
        body: .formOrJSON([
          clientID,
          Parameter(
            .username, schema: .text(upTo: EmailAddress.lengthLimit),
            note: "An e-mail address",
            isRequired: true),
          languages,
        ]),
        contents: [ForgotPasswordForm.self],
        answers: [
          .json(
            .object([
              .required(.resetSession, .text, "Send it with the code"),
              .required(.challenge, .reference(.challenge)),
            ]), "A code is sent if the account exists; a concealed account gets the same answer"
          )
        ],
        refusals: [
          .accountNotRegistered, .accountLocked, .unauthorizedClient, .resetByAdministrator,
          .invalidRequest, .invalidClient, .invalidProof, .rateLimited, .temporarilyUnavailable,
        ], refusalForm: .challengeError
      )),
    Route(
      .post, .resetPassword, .open, answer: resetPassword,
      Operation(
        name: "resetPassword",
        summary: "Sets a new password, ends the lockout and ends all sessions of the account",
        chapter: .signIn,
        body: .formOrJSON([
          Parameter(.resetSession, schema: .value, note: "From the call before", isRequired: true),
          Parameter(.otp, schema: .code, note: "The code that was sent", isRequired: true),
          Parameter(.password, schema: .newPassword, note: "The new password", isRequired: true),
          languages,
        ]),
        contents: [ResetPasswordForm.self],
        answers: [
          .done("The new password is valid"),
          .json(
            .object([
              .required(
                .status, .word([WaitingPasswordAnswer.status])),
              .required(
                .availableAt, .number,
                "When it becomes valid, unless it is cancelled"),
            ]), "The new password waits, because the device is unknown to the account", status: 202
          ),
        ],
        refusals: [
          .resetByAdministrator, .invalidOTP, .otpExpired, .accountLocked, .invalidSession,
          .passwordTooShort,
          .passwordTooLong, .passwordTooCommon, .invalidRequest, .invalidProof,
          .temporarilyUnavailable,
        ], refusalForm: .challengeError
      )),
    Route(
      .post, .acceptInvitation, .open, answer: acceptInvitation,
      Operation(
        name: "acceptInvitation",
        summary: "Sets the first password of an account with an invitation", chapter: .signIn,
        body: .formOrJSON([
          clientID,
          Parameter(.invitation, schema: .value, note: "From an administrator", isRequired: true),
          Parameter(.password, schema: .newPassword, note: "The new password", isRequired: true),
          languages,
        ]),
        contents: [InvitationForm.self],
        answers: [.done("The password is valid")],
        refusals: [
          .invalidInvitation, .passwordTooShort, .passwordTooLong, .passwordTooCommon,
          .unauthorizedClient, .invalidRequest, .invalidClient, .invalidProof, .rateLimited,
          .temporarilyUnavailable,
        ], refusalForm: .oauthError
      )),
    Route(
      .post, .accounts, .open, answer: register,
      Operation(
        name: "register",
        summary:
          "Registers an account, which the policy or an administrator approves; if the policy asks"
          + " for a proof, a code is sent to the number first", chapter: .signIn,
        body: .formOrJSON([
          clientID,
          Parameter(.phoneNumber, schema: .phoneNumber, note: "E.164", isRequired: true),
          Parameter(.name, schema: .personName, note: "The name of the person", isRequired: true),
          languages,
        ]),
        contents: [RegistrationForm.self],
        answers: [
          .json(
            .object([
              .required(
                .status,
                .word([AccountStatus.pending.rawValue, RegistrationAnswer.codeSentStatus])),
              .optional(
                .registrationSession, .text,
                "With code_sent: send it with the code to \(Endpoint.verifyRegistration.path)"),
              .optional(.challenge, .reference(.challenge), "With code_sent: the code"),
            ]),
            "The same answer for a number that already has an account", status: 202
          )
        ],
        refusals: [
          .unauthorizedClient, .invalidRequest, .invalidClient, .invalidProof, .accountLocked,
          .resendTooSoon, .rateLimited, .deliveryFailed, .temporarilyUnavailable,
        ], refusalForm: .challengeError
      )),
    Route(
      .post, .verifyRegistration, .open, answer: verifyRegistration,
      Operation(
        name: "verifyRegistration",
        summary: "Proves the number of a registration with the code that was sent to it",
        chapter: .signIn,
        body: .formOrJSON([
          Parameter(
            .registrationSession, schema: .value, note: "From the call before", isRequired: true),
          Parameter(.otp, schema: .code, note: "The code that was sent", isRequired: true),
        ]),
        contents: [RegistrationCodeForm.self],
        answers: [
          .json(
            .object([
              .required(
                .status,
                .word([AccountStatus.active.rawValue, AccountStatus.pending.rawValue]))
            ]),
            "The account, also an earlier one of this number, is active or waits for an approval"
          )
        ],
        refusals: [
          .invalidSession, .invalidOTP, .otpExpired, .accountLocked, .accountDeactivated,
          .rateLimited, .invalidRequest, .invalidProof, .temporarilyUnavailable,
        ], refusalForm: .challengeError
      )),
  ]
}

extension Route {
  /// Begins a password reset (T-11).
  static func forgotPassword(_ call: Call) async throws(Refusal) -> HTTPResponse {
    let open = try await PublicForm.read(call)
    let client = try call.client(of: open.form)
    let form = ForgotPasswordForm(open.form)
    guard let username = form.username else {
      throw Refusal.invalidRequest("username is needed")
    }
    var request = PasswordResetRequest(
      client: client, username: username, proofKeyThumbprint: open.key, peer: call.peer
    )
    request.languages = call.languages(form.uiLocales)
    let input = request
    let answer = try await call.world.withResponseDelay { () throws(Refusal) in
      try await requestPasswordReset(input, in: call.world)
    }
    return .json(answer.json)
  }

  /// Sets a new password with a one-time code.
  static func resetPassword(_ call: Call) async throws(Refusal) -> HTTPResponse {
    let open = try await PublicForm.read(call)
    let form = ResetPasswordForm(open.form)
    guard let session = form.resetSession, let code = form.otp, let password = form.password else {
      throw Refusal.invalidRequest("reset_session, otp and password are needed")
    }
    var answer = PasswordResetAnswer(
      resetSession: session, code: code, password: password, proofKeyThumbprint: open.key,
      peer: call.peer
    )
    answer.languages = call.languages(form.uiLocales)
    switch try await SignInService.resetPassword(answer, in: call.world) {
    case .changed: return HTTPResponse(status: 204)
    case .waiting(let end):
      return .json(WaitingPasswordAnswer(availableAt: end).json, status: 202)
    }
  }

  /// Changes the password of a signed-in person, with the current password.
  static func changePassword(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let body = try PasswordChangeBody(try call.body())
    var change = PasswordChange(
      access: access, current: try WireField.currentPassword.needed(body.currentPassword),
      new: try WireField.newPassword.needed(body.newPassword), peer: call.peer)
    change.languages = call.languages(nil)
    _ = try await SignInService.changePassword(change, in: call.world)
    return HTTPResponse(status: 204)
  }

  /// Registers a new person, who needs the approval of an administrator.
  static func register(_ call: Call) async throws(Refusal) -> HTTPResponse {
    let open = try await PublicForm.read(call)
    let client = try call.client(of: open.form)
    let form = RegistrationForm(open.form)
    var registration: Registration
    do throws(Malformed) {
      registration = Registration(
        client: client, phone: try PhoneNumber(parsing: form.phoneNumber ?? ""),
        name: try PersonName(parsing: form.name ?? ""), proofKeyThumbprint: open.key,
        peer: call.peer
      )
    } catch {
      let what =
        switch error.value {
        case .phoneNumber, .phoneZero: throw Refusal.malformedNumber(error)
        default: "name must have 1 to \(PersonName.lengthLimit) characters and no control codes"
        }
      throw Refusal.invalidRequest(what)
    }
    registration.languages = call.languages(form.uiLocales)
    return .json(try await registerAccount(registration, in: call.world).json, status: 202)
  }

  /// Proves the number of a registration, and says whether the account is active.
  static func verifyRegistration(_ call: Call) async throws(Refusal) -> HTTPResponse {
    let open = try await PublicForm.read(call)
    let form = RegistrationCodeForm(open.form)
    guard let session = form.registrationSession, let code = form.otp else {
      throw Refusal.invalidRequest("registration_session and otp are needed")
    }
    let answer = RegistrationCode(
      session: session, code: code, proofKeyThumbprint: open.key, peer: call.peer)
    let status = try await SignInService.verifyRegistration(answer, in: call.world)
    return .json(RegistrationAnswer.settled(status).json)
  }
}
