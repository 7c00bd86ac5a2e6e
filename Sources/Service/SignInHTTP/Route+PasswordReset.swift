import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

/// Routes for a new password that waits, and for invitations.
extension Route {
  /// Sets the password of an invited person.
  static func acceptInvitation(_ call: Call) async throws(Refusal) -> HTTPResponse {
    let open: PublicForm
    let client: AppRegistration
    open = try PublicForm.read(call)
    client = try open.client(for: call)
    guard let invitation = open.form["invitation"], let password = open.form["password"] else {
      throw Refusal.invalidRequest("invitation and password are needed")
    }
    var use = InvitationUse(
      client: client, invitation: invitation, password: Secret(password),
      proofKeyThumbprint: open.key, peer: call.peer
    )
    use.languages = call.languages(open.form)
    _ = try await SignInService.acceptInvitation(use, in: call.world)
    return HTTPResponse(status: 204)
  }

  static func cancelPasswordReset(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    _ = try await cancelWaitingPassword(access, peer: call.peer, in: call.world)
    return HTTPResponse(status: 204)
  }

  static func dismiss(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    _ = try await dismissNotice(call.parameter("id"), access, peer: call.peer, in: call.world)
    return HTTPResponse(status: 204)
  }

  // MARK: Administrators

  static func makeInvitation(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let id = AccountID(call.parameter("id"))
    let delivery = try readDelivery(call)
    let answer = try await invite(id, by: delivery, rules: call.rules(access), in: call.world)
    return .json(answer.json, status: 201)
  }

  /// `{"send": true}` sends the invitation to the person.
  ///
  /// Without a body, the answer contains it.
  private static func readDelivery(_ call: Call) throws(Refusal) -> InvitationDelivery {
    if call.request.body.isEmpty { return .shown }
    return try JSONBody.read(call) { (body) throws(Refusal) in
      switch body.json["send"] {
      case nil, .null?: return .shown
      case let value?: return try body.needed("send", value.flag) ? .sent() : .shown
      }
    }
  }

  static func approvePasswordReset(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    let seen = try JSONBody.read(call) { (body) throws(Refusal) in
      Instant(seconds: try body.needed("available_at", body.json["available_at"]?.unixSeconds))
    }
    let entry = try await approveWaitingPassword(
      of: AccountID(call.parameter("id")), availableAt: seen, rules: call.rules(access),
      in: call.world)
    return .json(entry.json)
  }

  static func rejectPasswordReset(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    let entry = try await rejectWaitingPassword(
      of: AccountID(call.parameter("id")), rules: call.rules(access), in: call.world)
    return .json(entry.json)
  }
}
