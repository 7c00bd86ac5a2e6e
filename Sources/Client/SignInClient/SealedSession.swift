import JSONText
import SignInModel

/// The stored form of a session with an app lock.
///
/// The lock has the key.
///
/// One text also contains the lock screen data, so that one write sets or removes a lock (S-04).
struct SealedSession: Equatable, Sendable {
  static let version: Int64 = 1

  /// What the lock screen may show before the app is open.
  let card: String
  let sealed: [UInt8]

  init(card: String, sealed: [UInt8]) {
    self.card = card
    self.sealed = sealed
  }

  /// Returns `nil` if the text is something else, such as a session without a lock.
  init?(text: Secret) {
    let json: JSON
    do throws(JSONMalformed) { json = try JSONReader.read([UInt8](text.revealed.utf8)) } catch {
      return nil
    }
    guard json["version"]?.count == Self.version, let card = json["card"]?.text,
      let sealed = json["sealed"]?.text.flatMap({ Self.bytes(of: $0) })
    else { return nil }
    self.init(card: card, sealed: sealed)
  }

  var text: Secret {
    let json = JSON.members([
      JSONMember("version", Self.version), JSONMember("card", card),
      JSONMember("sealed", Base64URL.encode(sealed)),
    ])
    return Secret(String(decoding: json.utf8, as: UTF8.self))
  }

  /// Returns `nil` if the text is not a result of `Base64URL`.
  static func bytes(of text: String) -> [UInt8]? {
    do throws(Malformed) { return try Base64URL.decode(text) } catch { return nil }
  }
}
