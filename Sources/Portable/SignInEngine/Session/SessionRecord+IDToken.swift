import JSONText
import SignInModel
import SignInWire

extension SessionRecord {
  /// Reads the account's identifier in the ID token (OpenID Connect Core, section 2).
  ///
  /// The token is part of an answer of the server itself, so its signature needs no check
  /// (section 3.1.3.7).
  mutating func readAccount(in idToken: Secret?) {
    guard let parts = idToken?.revealed.split(separator: "."), parts.count > 1 else { return }
    let bytes: [UInt8]
    do throws(Malformed) { bytes = try Base64URL.decode(parts[1]) } catch { return }
    let claims: JSON
    do throws(JSONMalformed) { claims = try JSONReader.read(bytes) } catch { return }
    if let subject = claims[.sub]?.text { person = Person(id: AccountID(subject), name: nil) }
  }
}
