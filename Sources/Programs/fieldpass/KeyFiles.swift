import Cryptography
import SignInService

/// The keys of a data folder: made once, readable by this user alone.
enum KeyFiles {
  static func keyring(in data: String) throws(FileFault) -> Keyring {
    let folder = data + "/keys"
    try Files.makePrivateDirectory(folder)
    return Keyring(
      signing: try signingKey(folder + "/signing.pem"),
      master: try master(folder + "/master.key"),
      decoyPasswordHash: PasswordHash.make(String(decoding: SecureRandom.bytes(24), as: UTF8.self))
    )
  }

  private static func signingKey(_ path: String) throws(FileFault) -> SigningKey {
    if !Files.exists(path) {
      let key = SigningKey.generate()
      try Files.createPrivate(path, Array(key.pem.utf8))
      return key
    }
    try Files.checkPrivate(path)
    let pem = String(decoding: try Files.read(path), as: UTF8.self)
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
    try Files.checkPrivate(path)
    let bytes = try Files.read(path)
    guard bytes.count == Keyring.masterByteCount else {
      throw FileFault("`\(path)` is not a master key", hint: "restore it from a backup")
    }
    return bytes
  }
}
