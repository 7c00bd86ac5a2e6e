import Cryptography
import JSONText
import SignInModel
public import SignInWire

/// The parts of a request that prove that its sender has a key (RFC 9449).
public struct DPoPClaim: Sendable {
  /// Every `DPoP` field of the request.
  ///
  /// Exactly one is valid.
  public let fields: [String]
  public let method: String
  public let path: String
  /// The network address of the sender, if it is known.
  public let peer: String?

  public init(fields: [String], method: String, path: String, peer: String? = nil) {
    self.fields = fields
    self.method = method
    self.path = path
    self.peer = peer
  }
}

/// The limits of a proof.
public enum DPoPProof {
  /// The accepted difference between a device's clock and ours.
  ///
  /// If the difference is larger, the proof is refused. The client reads our time in the `Date`
  /// field of the refusal and tries again.
  public static let clockToleranceSeconds: Int64 = 60
  public static let identifierLimit = 128
  /// A longer address of a request is not shown in a refusal.
  static let shownAddressLimit = 200

  /// Whether the text is the type of a proof, compared as a media type (RFC 7515, section 4.1.9).
  static func isType(_ text: String?) -> Bool {
    guard let type = text?.lowercased() else { return false }
    return type == "dpop+jwt" || type == "application/dpop+jwt"
  }

  /// The address in the text of a refusal; its characters are those that RFC 6749, section 5.2,
  /// allows there.
  static func shown(_ address: String) -> String {
    let isShown =
      address.utf8.count <= shownAddressLimit
      && address.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    return isShown ? "`\(address)`" : "the address of the request, without its query"
  }
}

/// Checks a proof as RFC 9449, section 4.3, requires, and records it in the proof ledger.
///
/// At a protected resource the proof must belong to `accessToken`. A nonce is optional unless
/// `needsNonce` is true. The refusal of a stale nonce contains a fresh one (section 8).
///
/// - Returns: The RFC 7638 thumbprint of the proof's key.
public func checkProof(
  _ claim: DPoPClaim, accessToken: String? = nil, needsNonce: Bool = false, in world: World
) async throws(Refusal) -> String {
  let proof = try readUnrecordedProof(
    claim, accessToken: accessToken, needsNonce: needsNonce, in: world)
  // This is the last step, so that a request refused for another reason does not fill the ledger.
  let source = world.throttlesOrigins ? ProofSource(key: proof.key, peer: claim.peer) : nil
  switch await world.proofs.record(
    proof.key + "." + proof.identifier, from: source, until: proof.expiry, now: proof.readAt
  ) {
  case .recorded: return proof.key
  case .repeated: throw Refusal.invalidProof("this proof was used before")
  case .refused(let seconds):
    throw .overloaded(
      "too many proofs; repeat the request later with a new proof", retrySeconds: seconds)
  case .unavailable:
    throw .overloaded(
      "the proof cannot be checked; repeat the request with a new proof", retrySeconds: 1)
  }
}

/// A proof that is valid if it was not used before.
package struct UnrecordedProof: Sendable {
  /// The RFC 7638 thumbprint of its key.
  let key: String
  let identifier: String
  /// It is not accepted at this moment or later.
  let expiry: Instant
  let readAt: Instant
}

/// Checks everything about a proof except whether it was used before.
package func readUnrecordedProof(
  _ claim: DPoPClaim, accessToken: String? = nil, needsNonce: Bool = false, in world: World
) throws(Refusal) -> UnrecordedProof {
  func refused(_ why: String) -> Refusal { Refusal.invalidProof(why) }

  guard !claim.fields.isEmpty else { throw refused("the header field DPoP is missing") }
  guard claim.fields.count == 1 else {
    throw refused("exactly one header field DPoP is needed")
  }
  guard let jws = CompactJWS(parsing: claim.fields[0]) else { throw refused("not a JWT") }
  guard DPoPProof.isType(jws.header[.typ]?.text), jws.header[.alg]?.text == "ES256",
    jws.header[.crit] == nil
  else { throw refused("typ must be dpop+jwt and alg ES256") }
  let now = world.clock.now()
  guard let proved = world.proofKeys.entry(of: jws.header[.jwk], at: now) else {
    throw refused("jwk must be a public P-256 key")
  }
  guard let identifier = jws.claims[.jti]?.text, let issuedAt = jws.claims[.iat]?.numericDate,
    !identifier.isEmpty, identifier.utf8.count <= DPoPProof.identifierLimit
  else { throw refused("jti and iat are needed") }
  guard jws.claims[.htm]?.text?.hasSameBytes(as: claim.method) == true else {
    throw refused("htm must be \(claim.method)")
  }
  let address = world.issuer + claim.path
  guard let stated = jws.claims[.htu]?.text, ProofAddress.isSame(stated, address) else {
    throw refused("htu must be \(DPoPProof.shown(address))")
  }
  if let accessToken {
    let digest = Base64URL.encode(SHA256Digest.of(accessToken))
    guard let stated = jws.claims[.ath]?.text else {
      throw refused("ath is missing: a proof for this address names the access token")
    }
    guard stated.hasSameBytes(as: digest) else { throw refused("ath is of another token") }
  }
  guard jws.isSigned(by: proved.key, in: world.signatureScheme) else {
    throw refused("the signature is wrong")
  }
  world.proofKeys.remember(proved)

  let nonce = jws.claims[.nonce]
  if nonce != nil || needsNonce {
    guard ProofNonce.isFresh(nonce?.text ?? "", at: now, keyring: world.keyring) else {
      throw Refusal.useProofNonce(ProofNonce.current(at: now, keyring: world.keyring))
    }
  }
  let tolerance = DPoPProof.clockToleranceSeconds
  guard issuedAt >= now.seconds - tolerance, issuedAt <= now.seconds + tolerance else {
    throw refused("iat is too far from the server's time")
  }
  return UnrecordedProof(
    key: proved.thumbprint, identifier: identifier,
    expiry: Instant(seconds: issuedAt).adding(seconds: tolerance + 1), readAt: now)
}
