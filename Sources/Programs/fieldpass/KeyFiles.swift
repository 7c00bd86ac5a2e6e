import Cryptography
import SignInService

/// The keys of a data folder: made once, readable by this user alone.
enum KeyFiles {
  static func keyring(in data: String) throws(FileFault) -> Keyring {
    let folder = data + "/keys"
    try Files.makePrivateDirectory(folder)
    let decoy: String
    do throws(PasswordHashFault) {
      decoy = try PasswordHash.make(String(decoding: SecureRandom.bytes(24), as: UTF8.self))
    } catch {
      throw FileFault("there is no memory for one password hash", hint: "give it 64 MiB or more")
    }
    return Keyring(
      signing: try signingKey(folder + "/signing.pem"),
      master: try master(folder + "/master.key"), decoyPasswordHash: decoy
    )
  }

  /// What the store needs, when the folder has a master key; none is ever made here.
  static func storeKeys(in data: String) throws(FileFault) -> StoreKeys {
    let path = data + "/keys/master.key"
    guard Files.exists(path) else {
      throw FileFault("`\(path)` does not exist", hint: "restore it from a backup")
    }
    return Keyring.storeKeys(master: try master(path))
  }

  /// What is wrong with the keys that are there; missing ones are made at the start.
  static func faults(in data: String) -> [FileFault] {
    var faults: [FileFault] = []
    let folder = data + "/keys"
    let (signing, masterPath) = (folder + "/signing.pem", folder + "/master.key")
    do throws(FileFault) { if Files.exists(signing) { _ = try signingKey(signing) } } catch {
      faults.append(error)
    }
    do throws(FileFault) { if Files.exists(masterPath) { _ = try master(masterPath) } } catch {
      faults.append(error)
    }
    return faults
  }

  private static func signingKey(_ path: String) throws(FileFault) -> SigningKey {
    if !Files.exists(path) {
      let key = SigningKey.generate()
      try Files.createPrivate(path, Array(key.pem.utf8))
      return key
    }
    let pem = String(decoding: try Files.readPrivate(path), as: UTF8.self)
    do throws(KeyFault) { return try SigningKey(pem: pem) } catch {
      throw FileFault("`\(path)` is not a P-256 private key", hint: "restore it from a backup")
    }
  }

  private static func master(_ path: String) throws(FileFault) -> [UInt8] {
    if !Files.exists(path) {
      let bytes = SecureRandom.bytes(Keyring.masterByteCount)
      try Files.createPrivate(path, bytes)
      return bytes
    }
    let bytes = try Files.readPrivate(path)
    guard bytes.count == Keyring.masterByteCount else {
      throw FileFault("`\(path)` is not a master key", hint: "restore it from a backup")
    }
    return bytes
  }
}
