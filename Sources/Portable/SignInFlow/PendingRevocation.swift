import JSONText
import SignInModel
import SignInWire

/// A session that ended on this device while the server has not confirmed the end yet (L-32).
///
/// It replaces the stored session in one step. If anything fails after that, the device remains
/// signed out, and the server learns of it as soon as it can be reached.
struct PendingRevocation: Equatable, Sendable {
  static let version: Int64 = 1

  /// The token to revoke.
  ///
  /// This request needs only the token, not a signed-in account. `nil` if the lock that seals the
  /// token can no longer be opened.
  let token: Secret?
  /// The tokens of earlier sessions.
  ///
  /// The server has not confirmed their revocation either.
  let earlierTokens: [Secret]
  /// A session with a token that can no longer be read.
  ///
  /// The same person ends it after the next sign-in.
  let unreadableSession: SessionID?
  /// The running request that revokes the token.
  var request: RequestID?

  init(_ token: Secret?, earlierTokens: [Secret] = [], unreadableSession: SessionID? = nil) {
    self.token = token
    self.earlierTokens = earlierTokens
    self.unreadableSession = unreadableSession
  }

  /// Creates the revocation of a readable session, and of the earlier sessions in its record.
  init(_ record: SessionRecord) {
    self.init(
      record.endingToken, earlierTokens: record.earlierTokens,
      unreadableSession: record.unreadableSession)
  }

  /// All tokens that must be revoked, the oldest first.
  var tokens: [Secret] { earlierTokens + (token.map { [$0] } ?? []) }

  /// Reads a stored revocation; `nil` if the text is something else.
  init?(text: Secret) {
    let json: JSON
    do throws(JSONMalformed) { json = try JSONReader.read([UInt8](text.revealed.utf8)) } catch {
      return nil
    }
    // A session can contain earlier tokens too, but it is not a revocation.
    guard json["version"]?.count == Self.version, json["session"] == nil else { return nil }
    token = json["revoke"]?.text.map { Secret($0) }
    unreadableSession = json["left_behind"]?.text.map { SessionID($0) }
    earlierTokens = Self.earlierTokens(in: json)
    if token == nil, unreadableSession == nil { return nil }
  }

  var text: Secret {
    let json = JSON.members([
      JSONMember("version", Self.version),
      JSONMember("revoke", ifPresent: token?.revealed),
      JSONMember("left_behind", ifPresent: unreadableSession?.text),
      Self.member(earlierTokens: earlierTokens),
    ])
    return Secret(String(decoding: json.utf8, as: UTF8.self))
  }

  static func earlierTokens(in json: JSON) -> [Secret] {
    var earlierTokens: [Secret] = []
    for element in json["owed"]?.elements ?? [] {
      if let token = element.text { earlierTokens.append(Secret(token)) }
    }
    return earlierTokens
  }

  static func member(earlierTokens: [Secret]) -> JSONMember? {
    earlierTokens.isEmpty
      ? nil : JSONMember("owed", .array(earlierTokens.map { .string($0.revealed) }))
  }

  mutating func send(_ context: inout FlowContext) -> [Effect] {
    guard request == nil, let token else { return [] }
    let form = RevocationForm {
      $0.clientID = context.app.clientID
      $0.token = token
    }
    let (id, effect) = context.start(.post(.revoke, form.form, .proof))
    request = id
    return [effect]
  }
}
