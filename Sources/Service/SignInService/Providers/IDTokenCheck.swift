import Cryptography
public import JSONText
public import SignInModel

/// The reason why an ID token is refused.
///
/// The raw value is for the log and never contains a value of the token.
public enum IDTokenFault: String, Error, Equatable, Sendable {
  case malformed = "id_token_malformed"
  /// The algorithm is not one that this provider may use.
  case algorithm = "id_token_algorithm"
  /// The keys have none of the name that the token has. The provider may have a new key.
  case unknownKey = "id_token_unknown_key"
  case signature = "id_token_signature"
  case issuer = "id_token_issuer"
  case audience = "id_token_audience"
  case authorizedParty = "id_token_authorized_party"
  case expired = "id_token_expired"
  case notYetValid = "id_token_not_yet_valid"
  /// The token was issued too long ago.
  case stale = "id_token_stale"
  case nonce = "id_token_nonce"
  case subject = "id_token_subject"
  case accessTokenHash = "id_token_access_token_hash"
  /// The person authenticated too long ago.
  case authenticationTime = "id_token_authentication_time"
  /// The authentication is weaker than requested.
  case assurance = "id_token_assurance"
  /// A claim that the provider's kind requires is absent or different.
  case requiredClaim = "id_token_required_claim"
}

/// What an ID token must be for one sign-in (OpenID Connect Core, section 3.1.3.7).
public struct IDTokenCheck: Sendable {
  /// The largest difference between the clocks of the provider and of this server, in seconds.
  public static let skewSeconds: Int64 = 60
  /// The greatest age of a token, in seconds.
  ///
  /// The token is requested by this server and checked at once.
  public static let freshSeconds: Int64 = 600
  /// The greatest length of a token, in bytes.
  ///
  /// A token with two hundred groups of Microsoft Entra fits.
  public static let lengthLimit = 64 << 10
  /// The greatest number of trusted audiences of one provider.
  public static let trustedAudienceLimit = 16
  /// OpenID Connect Core, section 2.
  public static let subjectLengthLimit = 255

  /// The exact text of the issuer.
  public var issuer: String
  public var clientID: String
  /// The nonce of this sign-in.
  public var nonce: String
  /// The algorithms that the provider may sign with.
  public var algorithms: [SignatureAlgorithm]
  /// Audiences that may be in the token beside the client.
  public var trustedAudiences: [String] = []
  /// The acceptable values of `acr`; empty accepts any and none.
  public var assurances: [String] = []
  /// Claims that the token must have.
  public var requiredClaims: [RequiredClaim] = []
  /// The greatest age of the authentication in seconds; nil if none was requested.
  public var authenticationAgeSeconds: Int64?

  public init(
    issuer: String, clientID: String, nonce: String, algorithms: [SignatureAlgorithm]
  ) {
    self.issuer = issuer
    self.clientID = clientID
    self.nonce = nonce
    self.algorithms = algorithms
  }

  /// Checks a token that came from the provider's token endpoint.
  ///
  /// `accessToken` is the access token of the same answer, if there is one.
  public func verify(
    _ text: String, with keys: ProviderKeys, accessToken: Secret?, at now: Instant
  ) throws(IDTokenFault) -> VerifiedIDToken {
    guard
      let jws = CompactJWS(
        parsing: text, lengthLimit: Self.lengthLimit, within: .identityToken)
    else { throw .malformed }
    let algorithm = try checkSignature(jws, with: keys)
    let claims = jws.claims
    guard claims["iss"]?.text?.hasSameBytes(as: issuer) ?? false else { throw .issuer }
    try checkAudience(claims)
    try checkTimes(claims, at: now.seconds)
    guard let given = claims["nonce"]?.text,
      ConstantTime.equal(Array(given.utf8), Array(nonce.utf8))
    else { throw .nonce }
    try checkAccessToken(accessToken, claims, algorithm)
    guard requiredClaims.allSatisfy({ $0.isMet(by: claims) }) else { throw .requiredClaim }
    return try verified(claims, at: now.seconds)
  }

  private func checkSignature(
    _ jws: CompactJWS, with keys: ProviderKeys
  ) throws(IDTokenFault) -> SignatureAlgorithm {
    guard let algorithm = jws.header["alg"]?.text.flatMap({ SignatureAlgorithm(rawValue: $0) }),
      algorithms.contains(algorithm)
    else { throw .algorithm }
    // A header that this server must understand and does not (RFC 7515, section 4.1.11).
    guard jws.header["crit"] == nil else { throw .malformed }
    let id = jws.header["kid"]
    guard id == nil || id?.text != nil else { throw .malformed }
    guard keys.contains(id?.text) else { throw .unknownKey }
    guard keys.haveSigned(jws, named: id?.text, in: algorithm) else { throw .signature }
    return algorithm
  }

  private func checkAudience(_ claims: JSON) throws(IDTokenFault) {
    let audiences: [String]
    switch claims["aud"] {
    case .string(let one)?: audiences = [one]
    case .array(let several)?:
      audiences = several.compactMap(\.text)
      guard audiences.count == several.count else { throw .audience }
    default: throw .audience
    }
    guard audiences.contains(where: { $0.hasSameBytes(as: clientID) }) else { throw .audience }
    for audience in audiences where !audience.hasSameBytes(as: clientID) {
      guard trustedAudiences.contains(where: { $0.hasSameBytes(as: audience) }) else {
        throw .audience
      }
    }
    guard let party = claims["azp"] else {
      if audiences.count > 1 { throw .authorizedParty }
      return
    }
    guard party.text?.hasSameBytes(as: clientID) ?? false else { throw .authorizedParty }
  }

  private func checkTimes(_ claims: JSON, at now: Int64) throws(IDTokenFault) {
    guard let expiry = claims["exp"]?.numericDate, let issued = claims["iat"]?.numericDate
    else { throw .malformed }
    guard now < expiry + Self.skewSeconds else { throw .expired }
    guard issued <= now + Self.skewSeconds else { throw .notYetValid }
    guard issued >= now - Self.freshSeconds - Self.skewSeconds else { throw .stale }
    guard claims["nbf"] != nil else { return }
    guard let start = claims["nbf"]?.numericDate else { throw .malformed }
    guard start <= now + Self.skewSeconds else { throw .notYetValid }
  }

  /// `at_hash` shows that the access token is of the same sign-in (section 3.1.3.6).
  private func checkAccessToken(
    _ accessToken: Secret?, _ claims: JSON, _ algorithm: SignatureAlgorithm
  ) throws(IDTokenFault) {
    guard let hash = claims["at_hash"], let accessToken else { return }
    let digest = algorithm.digest(of: accessToken.revealed)
    guard
      hash.text?.hasSameBytes(as: Base64URL.encode(Array(digest.prefix(digest.count / 2))))
        ?? false
    else { throw .accessTokenHash }
  }

  private func verified(_ claims: JSON, at now: Int64) throws(IDTokenFault) -> VerifiedIDToken {
    guard let subject = claims["sub"]?.text,
      (1...Self.subjectLengthLimit).contains(subject.utf8.count),
      subject.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { throw .subject }
    let authenticated = claims["auth_time"]?.numericDate
    if let age = authenticationAgeSeconds {
      guard let authenticated, authenticated <= now + Self.skewSeconds,
        authenticated >= now - age - Self.skewSeconds
      else { throw .authenticationTime }
    }
    let assurance = claims["acr"]?.text
    if !assurances.isEmpty {
      guard let assurance, assurances.contains(where: { $0.hasSameBytes(as: assurance) }) else {
        throw .assurance
      }
    }
    return VerifiedIDToken(
      subject: subject, claims: claims, assurance: assurance, methods: Self.methods(claims["amr"]),
      authenticatedAt: authenticated.map { Instant(seconds: $0) })
  }

  /// The methods of authentication.
  ///
  /// Some providers write one text instead of a list.
  private static func methods(_ json: JSON?) -> [String] {
    switch json {
    case .string(let one)?: [one]
    case .array(let several)?: several.compactMap(\.text)
    default: []
    }
  }
}

/// A claim that the tokens of a kind of provider must have.
public struct RequiredClaim: Equatable, Sendable {
  /// The names that the claim can have; the first one that is present counts.
  public let names: [String]
  public let value: String
  public let ignoresCase: Bool

  public init(_ names: [String], _ value: String, ignoresCase: Bool = false) {
    self.names = names
    self.value = value
    self.ignoresCase = ignoresCase
  }

  func isMet(by claims: JSON) -> Bool {
    guard let found = names.lazy.compactMap({ claims[$0] }).first?.text else { return false }
    return ignoresCase
      ? found.lowercased().hasSameBytes(as: value.lowercased()) : found.hasSameBytes(as: value)
  }
}

/// An ID token that passed every check.
public struct VerifiedIDToken: Sendable {
  /// The person, unique within the issuer and never reassigned.
  public let subject: String
  public let claims: JSON
  /// The class of the authentication (`acr`).
  public let assurance: String?
  /// The methods of the authentication (`amr`).
  public let methods: [String]
  public let authenticatedAt: Instant?
}
