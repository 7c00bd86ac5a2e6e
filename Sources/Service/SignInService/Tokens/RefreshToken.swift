import Cryptography
import SignInModel

/// A refresh token: which session, which generation, and proof that we wrote it.
///
/// It is derived, not stored, so that the successor of a token can be handed out again when an
/// answer was lost, and a copied store holds none.
struct RefreshToken {
  static let lengthLimit = 256
  /// The generations there can be: one more than the last still fits.
  static let generations: ClosedRange<Int64> = 0...1 << 53

  let session: SessionID
  let generation: Int64

  init(session: SessionID, generation: Int64) {
    self.session = session
    self.generation = generation
  }

  /// Nil for a text we did not write.
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
