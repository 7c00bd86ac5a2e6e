import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  static func messages(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let input = try PageQuery.read(call)
    let page = try await listMessages(
      cursor: input.cursor, limit: input.limit, rules: call.rules(access), in: call.world
    )
    return listed("messages", page) { $0.json }
  }

  /// The events in the form that is hashed, each with its hash, so that a reader can check the
  /// chain.
  static func events(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let input = try PageQuery.read(call)
    let page = try await pageEvents(
      of: input.form["account"].map { AccountID($0) }, cursor: input.cursor, limit: input.limit,
      rules: call.rules(access), in: call.world
    )
    return listed("events", page) { event in
      let hash = JSONMember("hash", Base64URL.encode(event.hash))
      return .object((event.json.objectMembers ?? []) + [hash])
    }
  }
}
