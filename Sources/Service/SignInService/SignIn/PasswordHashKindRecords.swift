public import Cryptography

/// The kinds of imported password hashes that accounts have.
///
/// Each kind makes every comparison slower.
public protocol PasswordHashKindRecords {
  func passwordHashKinds() throws(StoreFault) -> Set<PasswordHashKind>
  /// Does nothing if the kind is stored already.
  func save(_ kind: PasswordHashKind) throws(StoreFault)
  /// Removes the kinds that no account's password hash has.
  ///
  /// A store that seals hashes finds the kind in clear text before the sealed hash.
  func removeUnusedPasswordHashKinds() throws(StoreFault)
}
