import Cryptography
import SignInModel
import SignInWire

extension World {
  /// Whether this is the account's password.
  ///
  /// An unknown account, or one without a password, takes the same time and gives false.
  func isPassword(
    _ password: Secret, of account: Account?
  ) async throws(PasswordHashingFault) -> Bool {
    // A password over the limit is always wrong. It is compared like any other, without truncation,
    // so that the time reveals nothing.
    let isTooLong = password.revealed.utf8.count > PasswordHash.passwordByteLimit
    let hash = account.flatMap { openedHash(of: $0) }
    let stored: Set<PasswordHashKind>
    do throws(Refusal) {
      stored = try await read { (transaction: any PasswordHashKindRecords) throws in
        try transaction.passwordHashKinds()
      }
    } catch {
      throw .overloaded(retrySeconds: 1)
    }
    let matches = try await passwords.verify(
      isTooLong ? Secret("") : password, against: hash ?? openedDecoy, evenWith: stored
    )
    return matches && !isTooLong && hash != nil
  }

  /// Whether the account's password, which is this one, must be hashed again with today's
  /// parameters.
  func needsRehash(_ account: Account, of password: Secret) -> Bool {
    openedHash(of: account).map { passwords.needsRehash($0, of: password) } ?? false
  }

  private func openedHash(of account: Account) -> String? {
    account.passwordHash.map { keyring.store.opened($0, for: account.id) }
  }

  private var openedDecoy: String {
    keyring.store.opened(keyring.decoyPasswordHash, for: Keyring.decoyAccount)
  }
}
