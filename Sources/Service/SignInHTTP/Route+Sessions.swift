import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  static func ownSessions(_ call: Call, _ access: Access) async -> HTTPResponse {
    listed(await listOwnSessions(access, in: call.world))
  }

  static func endOwn(_ call: Call, _ access: Access) async -> HTTPResponse {
    ended(
      await endOwnSession(
        SessionID(call.parameter("id")), access, peer: call.peer, in: call.world
      )
    )
  }

  static func endAllOwn(_ call: Call, _ access: Access) async -> HTTPResponse {
    ended(await endOwnSessions(access, peer: call.peer, in: call.world))
  }

  static func accountSessions(_ call: Call, _ access: Access) async -> HTTPResponse {
    let id = AccountID(call.parameter("id"))
    return listed(
      await listSessions(
        of: id, current: access.session.id, rules: call.rules(access), in: call.world
      )
    )
  }

  static func endAccountSessions(_ call: Call, _ access: Access) async -> HTTPResponse {
    let id = AccountID(call.parameter("id"))
    return ended(await endSessions(of: id, rules: call.rules(access), in: call.world))
  }

  private static func listed(_ outcome: Outcome<[SessionEntry]>) -> HTTPResponse {
    switch outcome {
    case .success(let entries):
      .json(.members([JSONMember("sessions", .array(entries.map { $0.json }))]))
    case .refusal(let refusal): .dataRefusal(refusal)
    }
  }

  private static func ended<Value>(_ outcome: Outcome<Value>) -> HTTPResponse {
    switch outcome {
    case .success: HTTPResponse(status: 204)
    case .refusal(let refusal): .dataRefusal(refusal)
    }
  }
}
