import JSONText
import SignInModel
import SignInWire

/// A session this device has left, until the server knows it too.
///
/// It is stored in place of the session, in one step: whatever fails after that, the device is
/// signed out, and the server is told as soon as it can be reached.
struct Farewell: Equatable, Sendable {
  static let version: Int64 = 1

  let token: Secret
  /// Set while the server is being told.
  var request: RequestID?

  init(_ token: Secret) { self.token = token }

  /// Nil when the text is something else.
  init?(text: String) {
    let json: JSON
    do throws(JSONMalformed) { json = try JSONReader.read([UInt8](text.utf8)) } catch {
      return nil
    }
    guard json["version"]?.number == Self.version, let token = json["revoke"]?.text else {
      return nil
    }
    self.init(Secret(token))
  }

  var text: Secret {
    let json = JSON.members([
      JSONMember("version", Self.version),
      JSONMember("revoke", token.revealed),
    ])
    return Secret(String(decoding: json.utf8, as: UTF8.self))
  }

  mutating func tell(_ context: inout FlowContext) -> [Effect] {
    guard request == nil else { return [] }
    let (id, effect) = context.start(
      .post(
        Endpoint.revoke,
        Form([
          .init("token", token.revealed),
          .init("client_id", context.app.rawValue),
        ]),
        .proof
      ))
    request = id
    return [effect]
  }
}
