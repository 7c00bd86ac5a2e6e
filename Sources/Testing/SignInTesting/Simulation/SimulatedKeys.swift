internal import Cryptography
internal import JSONText
internal import SignInModel
internal import SignInService
internal import SignInWire

/// Keys shared by all worlds.
///
/// The choice of a key never changes a result.
enum SimulatedKeys {
  static let issuer = "https://login.example.com"
  static let devices = (0..<8).map { number in DeviceKey(number: number) }
  static let keyring = Keyring(
    signing: SigningKey.generate(), master: [UInt8](repeating: 7, count: 32),
    decoyPasswordHash: FastPasswordHashing.encoded(Secret("nobody"), salt: "decoy")
  )
}

/// The key of one device, with the header of its proofs.
struct DeviceKey: Sendable {
  let number: Int
  let signing: SigningKey
  let thumbprint: String
  let header: JSON

  init(number: Int) {
    self.number = number
    signing = SigningKey.generate()
    thumbprint = signing.publicKey.thumbprint
    var jwk = signing.publicKey.jwk(keyID: "").objectMembers ?? []
    jwk.removeAll { ["kid", "use", "alg"].contains($0.key) }
    header = .members([
      JSONMember("typ", "dpop+jwt"), JSONMember("alg", "ES256"), JSONMember("jwk", .object(jwk)),
    ])
  }
}
