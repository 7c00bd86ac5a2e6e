import Cryptography
import SignInModel

@testable import SignInService

enum KeyringSample {
  static func keyring() throws -> Keyring {
    Keyring(
      signing: SigningKey.generate(), master: [UInt8](repeating: 7, count: 32),
      decoyPasswordHash: ""
    )
  }

  /// The decoy number as the key of unknown accounts would give it.
  static func oldDecoy(_ identifier: String, _ keyring: Keyring) -> String {
    let bytes = HMACSHA256.code(
      for: Array("phone|\(identifier)".utf8), key: keyring.unknownAccountKeys)
    let drawn = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let digits = String(drawn % 10_000_000_000)
    return "+999" + String(repeating: "0", count: 10 - digits.utf8.count) + digits
  }
}
