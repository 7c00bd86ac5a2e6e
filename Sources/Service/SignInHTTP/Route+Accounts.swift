import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  /// Begins a password reset (T-11).
  static func forgotPassword(_ call: Call) async -> HTTPResponse {
    let (open, client): (PublicForm, AppClient)
    switch readOpen(call) {
    case .success(let read): (open, client) = (read.open, read.client)
    case .refusal(let refusal): return .refusal(refusal)
    }
    guard let username = open.form["username"] else {
      return .refusal(ErrorAnswer(.invalidRequest, "username is needed"))
    }
    var request = PasswordResetRequest(
      client: client, username: username, proofKeyThumbprint: open.key, peer: call.peer
    )
    request.languages = call.languages(open.form)
    let input = request
    switch await call.world.withResponseDelay({ await requestPasswordReset(input, in: call.world) })
    {
    case .success(let answer): return .json(answer.json)
    case .refusal(let refusal): return .refusal(refusal)
    }
  }

  /// Sets a new password with a one-time code.
  static func resetPassword(_ call: Call) async -> HTTPResponse {
    let open: PublicForm
    switch PublicForm.read(call) {
    case .success(let read): open = read
    case .refusal(let refusal): return .refusal(refusal)
    }
    guard let session = open.form["reset_session"], let code = open.form["otp"],
      let password = open.form["password"]
    else {
      return .refusal(
        ErrorAnswer(.invalidRequest, "reset_session, otp and password are needed")
      )
    }
    var answer = PasswordResetAnswer(
      resetSession: session, code: code, password: Secret(password),
      proofKeyThumbprint: open.key, peer: call.peer
    )
    answer.languages = call.languages(open.form)
    switch await SignInService.resetPassword(answer, in: call.world) {
    case .success(.changed): return HTTPResponse(status: 204)
    case .success(.waiting(let end)):
      return .json(
        .members([JSONMember("status", "waiting"), JSONMember("available_at", end.seconds)]),
        status: 202
      )
    case .refusal(let refusal): return .refusal(refusal)
    }
  }

  /// Changes the password of a signed-in person, with the current password.
  static func changePassword(_ call: Call, _ access: Access) async -> HTTPResponse {
    let passwords = JSONBody.read(call) { (body) throws(JSONBody.Wrong) in
      (
        current: Secret(try body.needed("current_password", try body.text("current_password"))),
        new: Secret(try body.needed("new_password", try body.text("new_password")))
      )
    }
    switch passwords {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let read):
      var change = PasswordChange(
        access: access, current: read.current, new: read.new, peer: call.peer
      )
      change.languages = call.languages(Form([]))
      switch await SignInService.changePassword(change, in: call.world) {
      case .success: return HTTPResponse(status: 204)
      case .refusal(let refusal): return .dataRefusal(refusal)
      }
    }
  }

  /// Registers a new person, who needs the approval of an administrator.
  static func register(_ call: Call) async -> HTTPResponse {
    let (open, client): (PublicForm, AppClient)
    switch readOpen(call) {
    case .success(let read): (open, client) = (read.open, read.client)
    case .refusal(let refusal): return .refusal(refusal)
    }
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
      return .refusal(ErrorAnswer(.invalidRequest, what))
    }
    switch await registerAccount(registration, in: call.world) {
    case .success(let status):
      return .json(.members([JSONMember("status", status.rawValue)]), status: 202)
    case .refusal(let refusal): return .refusal(refusal)
    }
  }

  private static func readOpen(_ call: Call) -> Outcome<(open: PublicForm, client: AppClient)> {
    switch PublicForm.read(call) {
    case .refusal(let refusal): return .refusal(refusal)
    case .success(let open):
      switch open.client(for: call) {
      case .refusal(let refusal): return .refusal(refusal)
      case .success(let client): return .success((open, client))
      }
    }
  }
}
