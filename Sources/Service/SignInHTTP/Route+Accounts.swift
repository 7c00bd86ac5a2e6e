import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  /// Begins a password reset (T-11).
  static func forgotPassword(_ call: Call) async throws(Refusal) -> HTTPResponse {
    let (open, client) = try readOpen(call)
    guard let username = open.form["username"] else {
      throw Refusal.invalidRequest("username is needed")
    }
    var request = PasswordResetRequest(
      client: client, username: username, proofKeyThumbprint: open.key, peer: call.peer
    )
    request.languages = call.languages(open.form)
    let input = request
    let answer = try await call.world.withResponseDelay { () throws(Refusal) in
      try await requestPasswordReset(input, in: call.world)
    }
    return .json(answer.json)
  }

  /// Sets a new password with a one-time code.
  static func resetPassword(_ call: Call) async throws(Refusal) -> HTTPResponse {
    let open = try PublicForm.read(call)
    guard let session = open.form["reset_session"], let code = open.form["otp"],
      let password = open.form["password"]
    else {
      throw Refusal.invalidRequest("reset_session, otp and password are needed")
    }
    var answer = PasswordResetAnswer(
      resetSession: session, code: code, password: Secret(password),
      proofKeyThumbprint: open.key, peer: call.peer
    )
    answer.languages = call.languages(open.form)
    switch try await SignInService.resetPassword(answer, in: call.world) {
    case .changed: return HTTPResponse(status: 204)
    case .waiting(let end):
      return .json(
        .members([JSONMember("status", "waiting"), JSONMember("available_at", end.seconds)]),
        status: 202
      )
    }
  }

  /// Changes the password of a signed-in person, with the current password.
  static func changePassword(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let read = try JSONBody.read(call) { (body) throws(Refusal) in
      (
        current: Secret(try body.needed("current_password", try body.text("current_password"))),
        new: Secret(try body.needed("new_password", try body.text("new_password")))
      )
    }
    var change = PasswordChange(
      access: access, current: read.current, new: read.new, peer: call.peer
    )
    change.languages = call.languages(Form([]))
    _ = try await SignInService.changePassword(change, in: call.world)
    return HTTPResponse(status: 204)
  }

  /// Registers a new person, who needs the approval of an administrator.
  static func register(_ call: Call) async throws(Refusal) -> HTTPResponse {
    let (open, client) = try readOpen(call)
    let registration: Registration
    do throws(Malformed) {
      registration = Registration(
        client: client, phone: try PhoneNumber(parsing: open.form["phone_number"] ?? ""),
        name: try PersonName(parsing: open.form["name"] ?? ""), proofKeyThumbprint: open.key,
        peer: call.peer
      )
    } catch {
      let what =
        switch error.value {
        case .phoneNumber: "phone_number must be in E.164 form"
        default: "name must have 1 to \(PersonName.lengthLimit) characters and no control codes"
        }
      throw Refusal.invalidRequest(what)
    }
    let status = try await registerAccount(registration, in: call.world)
    return .json(.members([JSONMember("status", status.rawValue)]), status: 202)
  }

  private static func readOpen(_ call: Call) throws(Refusal) -> (
    open: PublicForm, client: AppRegistration
  ) {
    let open = try PublicForm.read(call)
    let client = try open.client(for: call)
    return (open, client)
  }
}
