#if canImport(CryptoKit)
  import CryptoKit
  import Foundation
  import Security
  package import SignInClient
  package import SignInModel

  /// Keys in the Secure Enclave, which never leave it, and random bytes and hashes of the system.
  package struct AppleCryptography: DeviceCryptography {
    package init() {}

    package func randomBytes(_ count: Int) -> [UInt8] {
      // On Apple platforms this generator is cryptographically secure.
      var generator = SystemRandomNumberGenerator()
      return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    package func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: Data(bytes))) }

    /// A key in the Secure Enclave, or a software key if that is not possible.
    package func makeKey() -> any DeviceKey {
      guard SecureEnclave.isAvailable,
        let control = SystemSecurity.control(.afterFirstUnlockThisDeviceOnly, .privateKeyUsage)
      else { return SoftwareKey(P256.Signing.PrivateKey()) }
      do {
        return EnclaveKey(try SecureEnclave.P256.Signing.PrivateKey(accessControl: control))
      } catch {
        return SoftwareKey(P256.Signing.PrivateKey())
      }
    }

    package func key(from text: Secret) -> (any DeviceKey)? {
      guard let kept = StoredKey(text: text) else { return nil }
      do {
        switch kept {
        case .enclave(let bytes):
          return EnclaveKey(
            try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: Data(bytes)))
        case .software(let bytes):
          return SoftwareKey(try P256.Signing.PrivateKey(rawRepresentation: Data(bytes)))
        }
      } catch {
        return nil
      }
    }

    package func seal(_ bytes: [UInt8], under key: [UInt8], for purpose: String) -> [UInt8] {
      do {
        let box = try AES.GCM.seal(
          Data(bytes), using: SymmetricKey(data: Data(key)), authenticating: Data(purpose.utf8))
        // With a nonce of the default length, the combined form always exists.
        return box.combined.map { [UInt8]($0) } ?? []
      } catch {
        preconditionFailure("a key of 32 bytes seals anything")
      }
    }

    package func unseal(_ sealed: [UInt8], under key: [UInt8], for purpose: String) -> [UInt8]? {
      do {
        let box = try AES.GCM.SealedBox(combined: Data(sealed))
        return [UInt8](
          try AES.GCM.open(
            box, using: SymmetricKey(data: Data(key)), authenticating: Data(purpose.utf8)))
      } catch {
        return nil
      }
    }
  }

  private struct EnclaveKey: DeviceKey {
    private let key: SecureEnclave.P256.Signing.PrivateKey

    init(_ key: SecureEnclave.P256.Signing.PrivateKey) { self.key = key }

    private var point: PublicPoint {
      PublicPoint(uncompressed: [UInt8](key.publicKey.x963Representation))
    }

    var x: [UInt8] { point.x }
    var y: [UInt8] { point.y }
    var text: Secret { StoredKey.enclave([UInt8](key.dataRepresentation)).text }

    func sign(_ bytes: [UInt8]) -> [UInt8]? {
      do { return [UInt8](try key.signature(for: Data(bytes)).rawRepresentation) } catch {
        return nil
      }
    }
  }

  private struct SoftwareKey: DeviceKey {
    private let key: P256.Signing.PrivateKey

    init(_ key: P256.Signing.PrivateKey) { self.key = key }

    private var point: PublicPoint {
      PublicPoint(uncompressed: [UInt8](key.publicKey.x963Representation))
    }

    var x: [UInt8] { point.x }
    var y: [UInt8] { point.y }
    var text: Secret { StoredKey.software([UInt8](key.rawRepresentation)).text }

    func sign(_ bytes: [UInt8]) -> [UInt8]? {
      do { return [UInt8](try key.signature(for: Data(bytes)).rawRepresentation) } catch {
        return nil
      }
    }
  }
#endif
