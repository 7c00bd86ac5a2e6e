import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  static func messages(_ call: Call, _ access: Access) async -> HTTPResponse {
    switch ListWish.read(call) {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let wish):
      let page = await listMessages(
        cursor: wish.cursor, limit: wish.limit, keeper: call.keeper(access), in: call.world
      )
      return listed("messages", page) { $0.json }
    }
  }

  /// Events as they are hashed, each with its hash, so that anybody can follow the chain.
  static func events(_ call: Call, _ access: Access) async -> HTTPResponse {
    switch ListWish.read(call) {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let wish):
      let page = await pageEvents(
        of: wish.form["account"].map { AccountID($0) }, cursor: wish.cursor, limit: wish.limit,
        keeper: call.keeper(access), in: call.world
      )
      return listed("events", page) { event in
        let hash = JSONMember("hash", Base64URL.encode(event.hash))
        return .object((event.json.objectMembers ?? []) + [hash])
      }
    }
  }
}
