import Cryptography
package import SignInClient
package import SignInModel

/// Keys of OpenSSL and random bytes of libsodium.
package struct OpenSSLCryptography: DeviceCryptography {
  package init() { OpenSSLLibrary.start() }

  package func randomBytes(_ count: Int) -> [UInt8] { SecureRandom.bytes(count) }

  package func sha256(_ bytes: [UInt8]) -> [UInt8] { SHA256Digest.of(bytes) }

  package func makeKey() -> any DeviceKey { OpenSSLKey(SigningKey.generate()) }

  package func key(from text: Secret) -> (any DeviceKey)? {
    do throws(KeyFault) { return OpenSSLKey(try SigningKey(pem: text.revealed)) } catch {
      return nil
    }
  }

  package func seal(_ bytes: [UInt8], under key: [UInt8], for purpose: String) -> [UInt8] {
    SealingKey(key).seal(bytes, context: purpose)
  }

  package func unseal(_ sealed: [UInt8], under key: [UInt8], for purpose: String) -> [UInt8]? {
    SealingKey(key).open(sealed, context: purpose)
  }
}

/// A key that is stored as PEM text.
private struct OpenSSLKey: DeviceKey {
  private let key: SigningKey

  init(_ key: SigningKey) { self.key = key }

  var x: [UInt8] { key.publicKey.x }
  var y: [UInt8] { key.publicKey.y }
  var text: Secret { Secret(key.pem) }

  func sign(_ bytes: [UInt8]) -> [UInt8]? { key.sign(bytes) }
}
