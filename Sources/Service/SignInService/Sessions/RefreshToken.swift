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
  ///
  /// The MAC includes the first two parts as they are, and each MAC has only one text. So no other
  /// text is accepted than the one that was written.
  init?(parsing text: String, keyring: Keyring) {
    guard text.utf8.count <= Self.lengthLimit else { return nil }
    let bytes = Array(text.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let generation = WholeNumber.read(parts[1], in: Self.generations)
    else { return nil }
    do throws(Malformed) {
      let given = try Base64URL.decode(parts[2])
      let genuine = Self.mac(of: Array(bytes[..<parts[1].endIndex]), keyring: keyring)
      guard ConstantTime.equal(genuine, given) else { return nil }
    } catch {
      return nil
    }
    self.init(
      session: SessionID(String(decoding: parts[0], as: UTF8.self)), generation: generation)
  }

  func text(keyring: Keyring) -> String {
    let body = "\(session.text).\(generation)"
    return body + "." + Base64URL.encode(Self.mac(of: Array(body.utf8), keyring: keyring))
  }

  private static func mac(of body: [UInt8], keyring: Keyring) -> [UInt8] {
    HMACSHA256.code(for: body, key: keyring.refreshTokens)
  }
}
