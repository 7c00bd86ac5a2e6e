import JSONText
import SignInModel
import SignInWire

extension SessionRecord {
  /// Reads the account's identifier in the ID token (OpenID Connect Core, section 2).
  ///
  /// The token is part of an answer of the server itself, so its signature needs no check
  /// (section 3.1.3.7).
  mutating func readAccount(in idToken: Secret?) {
    guard let idToken, let claims = CompactToken(idToken.revealed)?.claims else { return }
    if let subject = claims.text(.sub) { person = Person(id: AccountID(subject), name: nil) }
  }
}
