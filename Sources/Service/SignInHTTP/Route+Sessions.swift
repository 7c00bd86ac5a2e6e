import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  static func ownSessions(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    listed(try await listOwnSessions(access, in: call.world))
  }

  static func endOwn(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    _ = try await endOwnSession(
      SessionID(call.parameter(.id)), access, peer: call.peer, in: call.world)
    return HTTPResponse(status: 204)
  }

  static func endAllOwn(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    _ = try await endOwnSessions(access, peer: call.peer, in: call.world)
    return HTTPResponse(status: 204)
  }

  static func accountSessions(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse
  {
    let id = AccountID(call.parameter(.id))
    return listed(
      try await listSessions(
        of: id, current: access.session.id, rules: call.rules(access), in: call.world
      )
    )
  }

  static func endAccountSessions(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    let id = AccountID(call.parameter(.id))
    _ = try await endSessions(of: id, rules: call.rules(access), in: call.world)
    return HTTPResponse(status: 204)
  }

  static func endAccountSession(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    _ = try await endSession(
      SessionID(call.parameter(.session)), of: AccountID(call.parameter(.id)),
      rules: call.rules(access), in: call.world)
    return HTTPResponse(status: 204)
  }

  private static func listed(_ entries: [SessionEntry]) -> HTTPResponse {
    .json(WireField.sessions.list(entries.map(\.json)))
  }
}
