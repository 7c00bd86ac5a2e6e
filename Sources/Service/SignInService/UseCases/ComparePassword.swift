import Cryptography
import SignInModel

extension World {
  /// Whether this is the account's password.
  ///
  /// An account that does not exist, or has no password, takes the same time and answers false.
  func isPassword(
    _ password: Secret, of account: Account?
  ) async throws(PasswordHashingFault) -> Bool {
    // A password over the limit is never right, but is compared all the same: no truncation, no
    // hint.
    let isTooLong = password.revealed.utf8.count > PasswordHash.passwordByteLimit
    let hash = account?.passwordHash
    let matches = try await passwords.verify(
      isTooLong ? Secret("") : password, against: hash ?? keyring.decoyPasswordHash
    )
    return matches && !isTooLong && hash != nil
  }
}
