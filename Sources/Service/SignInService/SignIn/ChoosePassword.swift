import Cryptography
import SignInModel
import SignInRules
import SignInWire

extension World {
  /// Refuses a text that is not allowed as a password.
  ///
  /// `words` are known words about the account, which the password must not be. Call this outside a
  /// transaction, because the list of breached passwords is a file.
  func check(newPassword password: Secret, about words: [String]) async throws(Refusal) {
    if let refusal = NewPassword.refusal(ofNormalized: password, about: words) {
      throw Refusal(refusal)
    }
    guard let breachedPasswords else { return }
    let digest = SHA1Digest.of(NormalizedText.nfc(password.revealed))
    if await breachedPasswords.contains(digest) { throw .passwordTooCommon }
  }
}

extension NewPassword {
  /// Applies the same rules to the normalized form, which is what is hashed.
  static func refusal(ofNormalized password: Secret, about words: [String]) -> Refusal? {
    // A text that is too long is refused before the normalization, to save work.
    if password.revealed.utf8.count > byteLimit { return .tooLong }
    return refusal(of: NormalizedText.nfc(password.revealed), about: words)
  }
}
