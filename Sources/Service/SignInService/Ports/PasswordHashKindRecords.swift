public import Cryptography

/// The kinds of imported password hashes that are stored; each makes every comparison slower.
public protocol PasswordHashKindRecords {
  func passwordHashKinds() throws(StoreFault) -> Set<PasswordHashKind>
  /// Does nothing when it is stored already.
  func save(_ kind: PasswordHashKind) throws(StoreFault)
  /// Removes the kinds that no account's hash is of; a store that seals hashes knows by what it
  /// wrote beside them.
  func removeUnusedPasswordHashKinds() throws(StoreFault)
}
