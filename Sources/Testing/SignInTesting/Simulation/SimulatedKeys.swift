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

/// The key of one device, with its proofs.
struct DeviceKey: Sendable {
  let number: Int
  let signing: SigningKey
  let thumbprint: String
  private let header: JSON

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

  /// A proof with this key for one request (RFC 9449, section 4.2).
  func proof(of request: WireRequest) -> String {
    let claims = JSON.members([
      JSONMember("jti", request.proofID),
      JSONMember("htm", request.method),
      JSONMember("htu", SimulatedKeys.issuer + request.path),
      JSONMember("iat", request.issuedAt),
      JSONMember(
        "ath", ifPresent: request.token.map { Base64URL.encode(SHA256Digest.of($0)) }
      ),
    ])
    return CompactJWS.sign(header: header, claims: claims, with: signing)
  }
}

/// One request in transit.
///
/// Its proof is made when the server checks it.
struct WireRequest: Sendable {
  let method: String
  let path: String
  let form: Form
  let key: DeviceKey
  let proofID: String
  let issuedAt: Int64
  let token: String?
  let isFromApp: Bool
  /// Whether the request has a proof.
  ///
  /// Some requests need none.
  var isProved = true

  var provedKey: String? { isProved ? key.thumbprint : nil }
}

/// The answer to a request.
struct WireAnswer: Sendable {
  let status: Int64
  let body: JSON
  let serverSeconds: Int64
}
