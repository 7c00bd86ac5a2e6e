import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

/// Routes for a new password that waits, and for invitations.
extension Route {
  /// Sets the password of an invited person.
  static func acceptInvitation(_ call: Call) async -> HTTPResponse {
    let open: PublicForm
    let client: AppClient
    switch PublicForm.read(call) {
    case .success(let read): open = read
    case .refusal(let refusal): return .refusal(refusal)
    }
    switch open.client(for: call) {
    case .success(let known): client = known
    case .refusal(let refusal): return .refusal(refusal)
    }
    guard let invitation = open.form["invitation"], let password = open.form["password"] else {
      return .refusal(ErrorAnswer(.invalidRequest, "invitation and password are needed"))
    }
    var use = InvitationUse(
      client: client, invitation: invitation, password: Secret(password),
      proofKeyThumbprint: open.key, peer: call.peer
    )
    use.languages = call.languages(open.form)
    switch await SignInService.acceptInvitation(use, in: call.world) {
    case .success: return HTTPResponse(status: 204)
    case .refusal(let refusal): return .refusal(refusal)
    }
  }

  static func cancelPasswordReset(_ call: Call, _ access: Access) async -> HTTPResponse {
    done(await cancelWaitingPassword(access, peer: call.peer, in: call.world))
  }

  static func dismiss(_ call: Call, _ access: Access) async -> HTTPResponse {
    done(
      await dismissNotice(call.parameter("id"), access, peer: call.peer, in: call.world))
  }

  private static func done(_ outcome: Outcome<Bool>) -> HTTPResponse {
    switch outcome {
    case .success: HTTPResponse(status: 204)
    case .refusal(let refusal): .dataRefusal(refusal)
    }
  }

  // MARK: Administrators

  static func makeInvitation(_ call: Call, _ access: Access) async -> HTTPResponse {
    let id = AccountID(call.parameter("id"))
    let delivery: InvitationDelivery
    switch readDelivery(call) {
    case .success(let read): delivery = read
    case .refusal(let refusal): return .dataRefusal(refusal)
    }
    switch await invite(id, by: delivery, rules: call.rules(access), in: call.world) {
    case .success(let answer): return .json(answer.json, status: 201)
    case .refusal(let refusal): return .dataRefusal(refusal)
    }
  }

  /// `{"send": true}` sends the invitation to the person.
  ///
  /// Without a body, the answer contains it.
  private static func readDelivery(_ call: Call) -> Outcome<InvitationDelivery> {
    if call.request.body.isEmpty { return .success(.shown) }
    return JSONBody.read(call) { (body) throws(JSONBody.Wrong) in
      switch body.json["send"] {
      case nil, .null?: return .shown
      case let value?: return try body.needed("send", value.flag) ? .sent() : .shown
      }
    }
  }

  static func approvePasswordReset(_ call: Call, _ access: Access) async -> HTTPResponse {
    let seen = JSONBody.read(call) { (body) throws(JSONBody.Wrong) in
      Instant(seconds: try body.needed("available_at", body.json["available_at"]?.unixSeconds))
    }
    switch seen {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let moment):
      return changed(
        await approveWaitingPassword(
          of: AccountID(call.parameter("id")), availableAt: moment, rules: call.rules(access),
          in: call.world))
    }
  }

  static func rejectPasswordReset(_ call: Call, _ access: Access) async -> HTTPResponse {
    changed(
      await rejectWaitingPassword(
        of: AccountID(call.parameter("id")), rules: call.rules(access), in: call.world))
  }

  private static func changed(_ outcome: Outcome<AccountEntry>) -> HTTPResponse {
    switch outcome {
    case .success(let entry): .json(entry.json)
    case .refusal(let refusal): .dataRefusal(refusal)
    }
  }
}
