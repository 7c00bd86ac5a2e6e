import Cryptography
import SignInModel
import SignInRules
import SignInWire

extension World {
  /// Why a text may not become a password, before anything is known about its person; nil when
  /// nothing speaks against it.
  ///
  /// To be asked outside a transaction: the list of breached passwords is a file.
  func refusal(ofNew password: Secret, about words: [String]) async -> ErrorAnswer? {
    if let refusal = NewPassword.refusal(ofNormalized: password, about: words) {
      return ErrorAnswer(refusal)
    }
    guard let breachedPasswords else { return nil }
    let digest = SHA1Digest.of(NormalizedText.nfc(password.revealed))
    return await breachedPasswords.contains(digest) ? ErrorAnswer(.tooCommon) : nil
  }
}

extension NewPassword {
  /// The same rules for the normalized form, which is what is hashed.
  static func refusal(ofNormalized password: Secret, about words: [String]) -> Refusal? {
    // Long texts are not worth normalizing.
    if password.revealed.utf8.count > byteLimit { return .tooLong }
    return refusal(of: NormalizedText.nfc(password.revealed), about: words)
  }
}
