import Cryptography
import SignInModel
import SignInRules
import SignInWire

extension World {
  /// The reason why a text is not allowed as a password, or nil if it is allowed.
  ///
  /// `words` are known words about the account, which the password must not be. Call this outside a
  /// transaction, because the list of breached passwords is a file.
  func refusal(ofNew password: Secret, about words: [String]) async -> Refusal? {
    if let refusal = NewPassword.refusal(ofNormalized: password, about: words) {
      return Refusal(refusal)
    }
    guard let breachedPasswords else { return nil }
    let digest = SHA1Digest.of(NormalizedText.nfc(password.revealed))
    return await breachedPasswords.contains(digest) ? .passwordTooCommon : nil
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
