import JSONText
import SignInModel
import SignInWire

/// A session this device has left, until the server knows it too.
///
/// It is stored in place of the session, in one step: whatever fails after that, the device is
/// signed out, and the server is told as soon as it can be reached.
struct Farewell: Equatable, Sendable {
  static let version: Int64 = 1

  /// Whoever holds a token may give it up, signed in or not.
  ///
  /// Nil when the lock over it cannot be opened any more.
  let token: Secret?
  /// Tokens of sessions that were left before, and which the server has not been told of either.
  let owed: [Secret]
  /// A session whose token cannot be read any more: the same person ends it, once signed in again.
  let leftBehind: SessionID?
  /// Set while the server is being told.
  var request: RequestID?

  init(_ token: Secret?, owed: [Secret] = [], leftBehind: SessionID? = nil) {
    self.token = token
    self.owed = owed
    self.leftBehind = leftBehind
  }

  /// To a session that can be read, and to all it takes with it.
  init(_ record: SessionRecord) {
    self.init(record.endingToken, owed: record.owed, leftBehind: record.leftBehind)
  }

  /// Everything it tells of that a token ends.
  var tokens: [Secret] { owed + (token.map { [$0] } ?? []) }

  /// Nil when the text is something else.
  init?(text: String) {
    let json: JSON
    do throws(JSONMalformed) { json = try JSONReader.read([UInt8](text.utf8)) } catch {
      return nil
    }
    // A session may owe a farewell of the one before it, and is none itself.
    guard json["version"]?.count == Self.version, json["session"] == nil else { return nil }
    token = json["revoke"]?.text.map { Secret($0) }
    leftBehind = json["left_behind"]?.text.map { SessionID($0) }
    owed = Self.owed(in: json)
    if token == nil, leftBehind == nil { return nil }
  }

  var text: Secret {
    let json = JSON.members([
      JSONMember("version", Self.version),
      JSONMember("revoke", ifPresent: token?.revealed),
      JSONMember("left_behind", ifPresent: leftBehind?.text),
      Self.member(owed: owed),
    ])
    return Secret(String(decoding: json.utf8, as: UTF8.self))
  }

  static func owed(in json: JSON) -> [Secret] {
    var owed: [Secret] = []
    for element in json["owed"]?.elements ?? [] {
      if let token = element.text { owed.append(Secret(token)) }
    }
    return owed
  }

  static func member(owed: [Secret]) -> JSONMember? {
    owed.isEmpty ? nil : JSONMember("owed", .array(owed.map { .string($0.revealed) }))
  }

  mutating func tell(_ context: inout FlowContext) -> [Effect] {
    guard request == nil, let token else { return [] }
    let (id, effect) = context.start(
      .post(
        Endpoint.revoke,
        Form([
          .init("token", token.revealed),
          .init("client_id", context.app.clientID),
        ]),
        .proof
      ))
    request = id
    return [effect]
  }
}
