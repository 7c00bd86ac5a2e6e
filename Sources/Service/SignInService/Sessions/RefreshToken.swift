import Cryptography
import SignInModel

/// A refresh token: its session, its generation, and a MAC that shows that this server wrote it.
///
/// It is derived, not stored. So a lost answer can be repeated with the same token, and a copy of
/// the store contains no tokens.
struct RefreshToken {
  static let lengthLimit = 256
  /// The valid generations.
  ///
  /// The last one plus one still fits into the integer.
  static let generations: ClosedRange<Int64> = 0...1 << 53

  let session: SessionID
  let generation: Int64

  init(session: SessionID, generation: Int64) {
    self.session = session
    self.generation = generation
  }

  /// Nil if this server did not write the text.
  init?(parsing text: String, keyring: Keyring) {
    guard text.utf8.count <= Self.lengthLimit else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let generation = WholeNumber.read(parts[1], in: Self.generations)
    else { return nil }
    self.init(session: SessionID(String(parts[0])), generation: generation)
    let genuine = Array(self.text(keyring: keyring).utf8)
    guard ConstantTime.equal(genuine, Array(text.utf8)) else { return nil }
  }

  func text(keyring: Keyring) -> String {
    let body = "\(session.text).\(generation)"
    let mac = HMACSHA256.code(for: Array(body.utf8), key: keyring.refreshTokens)
    return body + "." + Base64URL.encode(mac)
  }
}
