import Cryptography
import JSONText
import SignInModel
import SignInWire

/// The key of one device, which makes proofs (RFC 9449).
struct ProofMaker: Sendable {
  private let issuer: String
  private let key = SigningKey.generate()
  private let jwk: JSON

  init(issuer: String) {
    self.issuer = issuer
    jwk = .members([
      JSONMember("kty", "EC"), JSONMember("crv", "P-256"),
      JSONMember("x", Base64URL.encode(key.publicKey.x)),
      JSONMember("y", Base64URL.encode(key.publicKey.y)),
    ])
  }

  func proof(
    _ method: String, _ path: String, at seconds: Int64 = Stopwatch.unixSeconds,
    accessToken: String? = nil
  ) -> String {
    let header = JSON.members([
      JSONMember("typ", "dpop+jwt"), JSONMember("alg", "ES256"), JSONMember("jwk", jwk),
    ])
    let claims = JSON.members([
      JSONMember("jti", Base64URL.encode(SecureRandom.bytes(12))), JSONMember("htm", method),
      JSONMember("htu", issuer + path), JSONMember("iat", seconds),
      JSONMember("ath", ifPresent: accessToken.map { Base64URL.encode(SHA256Digest.of($0)) }),
    ])
    let text = Base64URL.encode(header.utf8) + "." + Base64URL.encode(claims.utf8)
    return text + "." + Base64URL.encode(key.sign(Array(text.utf8)))
  }
}

/// The requests with which one session waits for account updates.
struct WaitingCalls: Sendable {
  let proofs: ProofMaker
  let accessToken: String
  let version: String

  /// The bytes of one request.
  ///
  /// Its proof is valid for a minute from now.
  var request: [UInt8] {
    let path = Endpoint.sessionEvents.path
    let lines = [
      "GET \(path)?seen=\(version) HTTP/1.1", "Host: 127.0.0.1",
      "Authorization: DPoP \(accessToken)",
      "DPoP: \(proofs.proof("GET", path, accessToken: accessToken))",
    ]
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
