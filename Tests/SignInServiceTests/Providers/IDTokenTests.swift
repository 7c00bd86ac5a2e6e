import Cryptography
import JSONText
import SignInModel
import Testing

@testable import SignInService

@Suite("ID tokens of identity providers")
struct IDTokenTests {
  private static let now = Instant(seconds: 1_800_000_000)
  private static let signer = SigningKey.generate()
  private static let accessToken = "an-access-token"

  private static let check = IDTokenCheck(
    issuer: "https://login.example.com", clientID: "client-1", nonce: "n",
    algorithms: SignatureAlgorithm.allCases)

  private static func jwks(_ keys: [JSON]) -> JSON { .members([JSONMember("keys", .array(keys))]) }

  private static func ownKeys() throws -> ProviderKeys {
    try ProviderKeys(reading: jwks([signer.publicKey.jwk(keyID: "k")]), for: [.es256])
  }

  private static let right: [String: JSON] = [
    "iss": .string("https://login.example.com"), "aud": .string("client-1"), "sub": .string("s"),
    "nonce": .string("n"), "iat": .int(now.seconds), "exp": .int(now.seconds + 300),
  ]

  /// A null removes the member.
  private static func token(
    _ changes: [String: JSON] = [:], header: [String: JSON] = [:]
  ) -> String {
    func members(_ values: [String: JSON]) -> JSON {
      .members(values.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value) })
    }
    func changed(_ values: [String: JSON], _ changes: [String: JSON]) -> [String: JSON] {
      var values = values
      for (name, value) in changes { values[name] = value == .null ? nil : value }
      return values
    }
    let start: [String: JSON] = ["alg": .string("ES256"), "kid": .string("k")]
    return CompactJWS.sign(
      header: members(changed(start, header)), claims: members(changed(right, changes)),
      with: signer)
  }

  /// Nil if the token is accepted.
  private static func fault(
    _ token: String, _ change: (inout IDTokenCheck) -> Void = { _ in }
  ) throws -> IDTokenFault? {
    var check = check
    change(&check)
    let keys = try ownKeys()
    do throws(IDTokenFault) {
      _ = try check.verify(token, with: keys, accessToken: Secret(accessToken), at: now)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "P-09 a token that another library signed is accepted in its algorithm only",
    arguments: SignatureAlgorithm.allCases)
  func algorithms(_ algorithm: SignatureAlgorithm) throws {
    let json = try JSONReader.read(Array(ProviderExamples.keys.utf8), within: .request)
    let text = try #require(ProviderExamples.tokens[algorithm.rawValue])
    let keys = try ProviderKeys(reading: json, for: SignatureAlgorithm.allCases)
    var others = Self.check
    others.algorithms.removeAll { $0 == algorithm }

    let verified = try Self.check.verify(
      text, with: keys, accessToken: Secret(ProviderExamples.accessToken), at: Self.now)

    #expect(verified.subject == "s")
    #expect(throws: IDTokenFault.accessTokenHash) {
      try Self.check.verify(text, with: keys, accessToken: Secret("another"), at: Self.now)
    }
    #expect(throws: IDTokenFault.algorithm) {
      try others.verify(text, with: keys, accessToken: nil, at: Self.now)
    }
    var changed = Array(text.utf8)
    changed[changed.count - 20] ^= 1
    #expect(throws: (any Error).self) {
      try Self.check.verify(
        String(decoding: changed, as: UTF8.self), with: keys, accessToken: nil, at: Self.now)
    }
  }

  @Test("P-09 the facts of the authentication are read from the token")
  func facts() throws {
    let text = Self.token([
      "acr": .string("high"), "amr": .array([.string("pwd"), .string("otp")]),
      "auth_time": .int(Self.now.seconds - 5),
    ])
    let one = Self.token(["amr": .string("BIS")])

    let keys = try Self.ownKeys()
    let full = try Self.check.verify(text, with: keys, accessToken: nil, at: Self.now)
    let short = try Self.check.verify(one, with: keys, accessToken: nil, at: Self.now)

    #expect(full.assurance == "high" && full.methods == ["pwd", "otp"])
    #expect(full.authenticatedAt == Self.now.adding(seconds: -5))
    #expect(short.assurance == nil && short.methods == ["BIS"] && short.authenticatedAt == nil)
  }

  static let refused: [(String, [String: JSON], IDTokenFault)] = [
    ("no issuer", ["iss": .null], .issuer),
    ("a final slash", ["iss": .string("https://login.example.com/")], .issuer),
    ("another issuer", ["iss": .string("https://login.example.org")], .issuer),
    ("no audience", ["aud": .null], .audience),
    ("another audience", ["aud": .string("client-2")], .audience),
    ("an audience that is no text", ["aud": .array([.string("client-1"), .int(1)])], .audience),
    (
      "an audience that is not trusted",
      ["aud": .array([.string("client-1"), .string("other")]), "azp": .string("client-1")],
      .audience
    ),
    ("another authorized party", ["azp": .string("client-2")], .authorizedParty),
    ("no expiry", ["exp": .null], .malformed),
    ("an expiry that is a text", ["exp": .string("1800000300")], .malformed),
    ("no time of issue", ["iat": .null], .malformed),
    ("no nonce", ["nonce": .null], .nonce),
    ("another nonce", ["nonce": .string("m")], .nonce),
    ("no subject", ["sub": .null], .subject),
    ("an empty subject", ["sub": .string("")], .subject),
    ("a subject that is not ASCII", ["sub": .string("ø")], .subject),
    ("another access token", ["at_hash": .string("AAAAAAAAAAAAAAAAAAAAAA")], .accessTokenHash),
    ("a hash that is no text", ["at_hash": .int(1)], .accessTokenHash),
  ]

  @Test("L-19 P-09 a wrong claim is refused with its reason", arguments: refused.indices)
  func wrongClaims(_ index: Int) throws {
    let (what, changes, fault) = Self.refused[index]
    #expect(try Self.fault(Self.token(changes)) == fault, "\(what)")
  }

  @Test("P-09 every limit of time is exact, with a minute for different clocks")
  func times() throws {
    let now = Self.now.seconds
    let skew = IDTokenCheck.skewSeconds
    let oldest = now - IDTokenCheck.freshSeconds - skew
    func fault(_ name: String, _ time: Int64) throws -> IDTokenFault? {
      try Self.fault(Self.token([name: .int(time)]))
    }
    #expect(try fault("exp", now - skew + 1) == nil)
    #expect(try fault("exp", now - skew) == .expired)
    #expect(try fault("iat", now + skew) == nil)
    #expect(try fault("iat", now + skew + 1) == .notYetValid)
    #expect(try fault("iat", oldest) == nil)
    #expect(try Self.fault(Self.token(["iat": .decimal("\(now).5")])) == nil)
    #expect(
      try Self.fault(Self.token(["exp": .decimal("\(now - skew).5")])) == IDTokenFault.expired)
    #expect(try fault("iat", oldest - 1) == .stale)
    #expect(try fault("nbf", now + skew) == nil)
    #expect(try fault("nbf", now + skew + 1) == .notYetValid)
    #expect(try fault("exp", Int64.max) == .malformed)
    #expect(try fault("iat", Int64.min) == .malformed)
  }

  @Test("P-09 a subject has at most 255 characters, and a token at most 64 KiB")
  func lengths() throws {
    let long = String(repeating: "s", count: IDTokenCheck.subjectLengthLimit)
    #expect(try Self.fault(Self.token(["sub": .string(long)])) == nil)
    #expect(try Self.fault(Self.token(["sub": .string(long + "s")])) == .subject)

    let groups = JSON.array((0..<200).map { .string("00000000-0000-0000-0000-\(100_000 + $0)") })
    #expect(try Self.fault(Self.token(["groups": groups])) == nil)
    let text = Self.token()
    let padded = text + String(repeating: "A", count: IDTokenCheck.lengthLimit - text.utf8.count)
    #expect(try Self.fault(padded) == .signature)
    #expect(try Self.fault(padded + "A") == .malformed)
  }

  @Test("P-09 several audiences need to be trusted, and an authorized party that is this client")
  func audiences() throws {
    let both: [String: JSON] = ["aud": .array([.string("client-1"), .string("api")])]
    let party: [String: JSON] = both.merging(["azp": .string("client-1")]) { $1 }
    func trusting(_ check: inout IDTokenCheck) { check.trustedAudiences = ["api"] }

    #expect(try Self.fault(Self.token(both), trusting) == .authorizedParty)
    #expect(try Self.fault(Self.token(party), trusting) == nil)
    #expect(try Self.fault(Self.token(["aud": .array([.string("client-1")])])) == nil)
  }

  @Test("S-09 a requested assurance and age of the authentication are required")
  func assurance() throws {
    func strict(_ check: inout IDTokenCheck) { check.assurances = ["urn:bankid:bid;LOA=4"] }
    func recent(_ check: inout IDTokenCheck) { check.authenticationAgeSeconds = 300 }
    let oldest = Self.now.seconds - 300 - IDTokenCheck.skewSeconds

    #expect(try Self.fault(Self.token(["acr": .string("urn:bankid:bid;LOA=4")]), strict) == nil)
    #expect(
      try Self.fault(Self.token(["acr": .string("urn:bankid:bis;LOA=3")]), strict) == .assurance)
    #expect(try Self.fault(Self.token(), strict) == .assurance)
    #expect(try Self.fault(Self.token(["auth_time": .int(oldest)]), recent) == nil)
    #expect(
      try Self.fault(Self.token(["auth_time": .int(oldest - 1)]), recent) == .authenticationTime)
    #expect(try Self.fault(Self.token(), recent) == .authenticationTime)
  }

  @Test("L-19 a token without a signature, or signed with a shared secret, is refused")
  func weakAlgorithms() throws {
    for name in ["none", "None", "HS256", "ES512", ""] {
      #expect(try Self.fault(Self.token(header: ["alg": .string(name)])) == .algorithm, "\(name)")
    }
    #expect(try Self.fault(Self.token(header: ["alg": .null])) == .algorithm)
    #expect(try Self.fault(Self.token(header: ["crit": .array([])])) == .malformed)
    let unsigned = Self.token().split(separator: ".").dropLast().joined(separator: ".") + "."
    #expect(try Self.fault(unsigned) == .signature)
    #expect(try Self.fault("a.b") == .malformed)
  }

  @Test("L-19 a key of another name is reported, so that the provider's keys can be read again")
  func unknownKey() throws {
    #expect(try Self.fault(Self.token(header: ["kid": .string("other")])) == .unknownKey)
    #expect(try Self.fault(Self.token(header: ["kid": .int(1)])) == .malformed)
    #expect(try Self.fault(Self.token(header: ["kid": .null])) == nil)
  }

  @Test("L-19 a key for one algorithm never verifies another")
  func keyConfusion() throws {
    let json = try JSONReader.read(Array(ProviderExamples.keys.utf8), within: .request)
    let rsa = try #require(json["keys"]?.elements?.first)
    var members = try #require(rsa.objectMembers)
    members.append(JSONMember("alg", "PS256"))
    let keys = try ProviderKeys(
      reading: Self.jwks([.object(members)]), for: SignatureAlgorithm.allCases)

    let (rs256, ps256) = (ProviderExamples.tokens["RS256"], ProviderExamples.tokens["PS256"])
    _ = try Self.check.verify(
      try #require(ps256), with: keys, accessToken: nil, at: Self.now)
    #expect(throws: IDTokenFault.signature) {
      try Self.check.verify(try #require(rs256), with: keys, accessToken: nil, at: Self.now)
    }
  }

  @Test("L-19 a set of keys leaves out keys that cannot verify, and has a limit")
  func keySets() throws {
    let good = Self.signer.publicKey.jwk(keyID: "k")
    func with(_ name: String, _ value: String) throws -> JSON {
      var members = try #require(good.objectMembers).filter { !$0.isNamed(name) }
      members.append(JSONMember(name, value))
      return .object(members)
    }
    func fault(_ keys: [JSON]) -> ProviderKeys.Fault? {
      do throws(ProviderKeys.Fault) {
        _ = try ProviderKeys(reading: Self.jwks(keys), for: [.es256])
        return nil
      } catch {
        return error
      }
    }
    let unusable = [
      try with("use", "enc"), try with("alg", "ES512"), try with("d", "AA"), try with("kty", "OKP"),
      try with("x", "AA"), try with("y", Base64URL.encode([UInt8](repeating: 1, count: 32))),
      .string("key"),
    ]

    #expect(fault(unusable) == .noUsableKey)
    #expect(fault(unusable + [good]) == nil)
    #expect(fault(Array(repeating: good, count: ProviderKeys.countLimit)) == nil)
    #expect(fault(Array(repeating: good, count: ProviderKeys.countLimit + 1)) == .tooManyKeys)
    #expect(throws: ProviderKeys.Fault.noKeySet) {
      try ProviderKeys(reading: .object([]), for: [.es256])
    }
  }
}
