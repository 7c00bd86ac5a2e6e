import Cryptography
import HTTPServer
import JSONText
public import SignInModel
public import SignInService
import SignInWire
import Synchronization

/// The endpoints of the practice providers of a development server.
///
/// To the rest of the server it is an OpenID provider like every other: the server calls it over
/// HTTP, with a secret that is new at every start.
public final class PracticeServer: Sendable {
  enum Limits {
    /// The life of an authorization code, in seconds.
    static let codeSeconds: Int64 = 60
    /// The life of an access token, in seconds.
    static let tokenSeconds: Int64 = 300
    /// The codes that are open at the same time, and the access tokens.
    static let grants = 1000
  }

  /// The result of a person's choice.
  private struct Grant {
    let provider: PracticeProvider
    let person: PracticeProvider.Person
    /// The `code_challenge` of the authorization request.
    let challenge: String
    let nonce: String
    let authenticatedAt: Instant
  }

  private struct Grants {
    var codes = ExpiringTable<Grant>(limit: Limits.grants)
    var accessTokens = ExpiringTable<Grant>(limit: Limits.grants)
  }

  /// The relying party's view of these providers.
  public let providers: [IdentityProvider]
  private let issuer: String
  private let secret: Secret
  private let key = SigningKey.generate()
  private let keyID: String
  private let clock: any Clock
  private let randomness: any Randomness
  private let grants = Mutex(Grants())

  /// Creates the providers of the development server with the URL `issuer`.
  ///
  /// New accounts belong to `organization`.
  public init(
    _ practice: [PracticeProvider], issuer: String, organization: OrganizationID?,
    clock: any Clock, randomness: any Randomness
  ) {
    let secret = Secret(Base64URL.encode(randomness.bytes(32)))
    providers = practice.map {
      $0.provider(at: issuer, organization: organization, secret: secret)
    }
    self.issuer = issuer
    self.secret = secret
    keyID = Base64URL.encode(randomness.bytes(12))
    self.clock = clock
    self.randomness = randomness
  }

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    let parts = request.path.dropFirst(PracticeProvider.path.count)
      .split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2,
      let provider = PracticeProvider(rawValue: String(parts[0])),
      providers.contains(where: { $0.name == provider.rawValue })
    else { return .problem(.notFound) }
    switch (request.method, parts[1]) {
    case (.get, ".well-known/openid-configuration"): return .json(metadata(of: provider))
    case (.get, "keys"):
      return .json(
        .members([JSONMember("keys", .array([key.publicKey.jwk(keyID: keyID)]))]))
    case (.get, "authorize"): return authorize(request, at: provider)
    case (.post, "token"): return token(request, at: provider)
    case (.get, "userinfo") where provider.hasUserInfo: return userInfo(request, at: provider)
    default: return .problem(.notFound)
    }
  }

  private func metadata(of provider: PracticeProvider) -> JSON {
    let issuer = provider.issuer(at: issuer)
    func list(_ values: String...) -> JSON { .array(values.map { .string($0) }) }
    return .members([
      JSONMember("issuer", issuer),
      JSONMember("authorization_endpoint", issuer + "/authorize"),
      JSONMember("token_endpoint", issuer + "/token"),
      JSONMember("jwks_uri", issuer + "/keys"),
      provider.hasUserInfo ? JSONMember("userinfo_endpoint", issuer + "/userinfo") : nil,
      JSONMember("response_types_supported", list("code")),
      JSONMember("grant_types_supported", list("authorization_code")),
      JSONMember("subject_types_supported", list("public")),
      JSONMember("id_token_signing_alg_values_supported", list("ES256")),
      JSONMember("token_endpoint_auth_methods_supported", list("client_secret_basic")),
      JSONMember("code_challenge_methods_supported", list("S256")),
      JSONMember("authorization_response_iss_parameter_supported", true),
    ])
  }

  private func redirectURI(of provider: PracticeProvider) -> String {
    issuer + Endpoint.providerCallback(.init(provider.rawValue)).path
  }

  // MARK: - The authorization endpoint

  /// Shows the page, or answers the choice of a person on it.
  private func authorize(
    _ request: HTTPRequest, at provider: PracticeProvider
  ) -> HTTPResponse {
    let languages = request.values(of: "accept-language").first.map {
      MessageLanguage.preferredTags(acceptLanguage: $0)
    }
    let redirectURI = redirectURI(of: provider)
    // An answer to another address could go to an attacker (RFC 6749, section 4.1.2.1).
    guard let form = Self.form((request.query ?? "").utf8),
      form["client_id"]?.hasSameBytes(as: PracticeProvider.clientID) ?? false,
      form["redirect_uri"]?.hasSameBytes(as: redirectURI) ?? false
    else { return BrowserPage.answer(.unknown, languages: languages ?? []) }
    let shared = [
      form["state"].map { Form.Field("state", $0) },
      Form.Field("iss", provider.issuer(at: issuer)),
    ].compactMap { $0 }
    func address(_ field: Form.Field) -> String {
      redirectURI + "?" + Form([field] + shared).encoded
    }
    func back(_ field: Form.Field) -> HTTPResponse {
      HTTPResponse(status: 303, fields: [HTTPField("Location", address(field))])
    }
    let asked: AskedAuthorization
    switch AskedAuthorization.read(form) {
    case .failure(let error): return back(Form.Field("error", error.rawValue))
    case .success(let read): asked = read
    }
    guard let person = PracticeProvider.people.first(where: { $0.subject == form["person"] }) else {
      return PracticePage.answer(
        provider,
        choices: PracticeProvider.people.map { person in
          let fields = form.fields.filter { $0.name != "person" }
          let query = Form(fields + [Form.Field("person", person.subject)]).encoded
          return (person, request.path + "?" + query)
        },
        cancellation: address(Form.Field("error", "access_denied")), languages: languages ?? [])
    }
    let now = clock.now()
    let grant = Grant(
      provider: provider, person: person, challenge: asked.challenge, nonce: asked.nonce,
      authenticatedAt: now)
    let code = Base64URL.encode(randomness.bytes(32))
    let isStored = grants.withLock {
      $0.codes.insert(grant, for: code, until: now.adding(seconds: Limits.codeSeconds), at: now)
    }
    return back(
      isStored ? Form.Field("code", code) : Form.Field("error", "temporarily_unavailable"))
  }

  private static func form(_ bytes: some Sequence<UInt8>) -> Form? {
    do throws(Form.Fault) { return try Form(parsing: Array(bytes)) } catch { return nil }
  }

  // MARK: - The token endpoint

  private func token(_ request: HTTPRequest, at provider: PracticeProvider) -> HTTPResponse {
    guard isClient(request.values(of: "authorization")) else {
      var refusal = Self.refusal(.invalidClient)
      refusal.fields.append(HTTPField("WWW-Authenticate", "Basic realm=\"practice\""))
      return refusal
    }
    guard let form = Self.form(request.body) else { return Self.refusal(.invalidRequest) }
    guard form["grant_type"] == "authorization_code" else {
      return Self.refusal(.unsupportedGrantType)
    }
    guard let code = form["code"], let verifier = form["code_verifier"] else {
      return Self.refusal(.invalidRequest)
    }
    let now = clock.now()
    let digest = Base64URL.encode(SHA256Digest.of(verifier))
    // The code is removed before the checks, so that an attacker cannot try several verifiers.
    guard let grant = grants.withLock({ $0.codes.remove(code, at: now) }),
      grant.provider == provider,
      form["redirect_uri"]?.hasSameBytes(as: redirectURI(of: provider)) ?? false,
      ConstantTime.equal(Array(digest.utf8), Array(grant.challenge.utf8))
    else { return Self.refusal(.invalidGrant) }
    let accessToken = Base64URL.encode(randomness.bytes(32))
    let isStored = grants.withLock {
      $0.accessTokens.insert(
        grant, for: accessToken, until: now.adding(seconds: Limits.tokenSeconds), at: now)
    }
    guard isStored else { return Self.refusal(.temporarilyUnavailable) }
    return .json(
      .members([
        JSONMember("access_token", accessToken), JSONMember("token_type", "Bearer"),
        JSONMember("expires_in", Limits.tokenSeconds),
        JSONMember("id_token", idToken(grant, accessToken: accessToken, at: now)),
      ]))
  }

  private func isClient(_ fields: [String]) -> Bool {
    guard fields.count == 1, let (id, secrets) = ServiceCredentials.basic(fields[0]) else {
      return false
    }
    return id.hasSameBytes(as: PracticeProvider.clientID)
      && secrets.contains {
        ConstantTime.equal(Array($0.revealed.utf8), Array(secret.revealed.utf8))
      }
  }

  private func idToken(_ grant: Grant, accessToken: String, at now: Instant) -> String {
    let header = JSON.members([
      JSONMember("typ", "JWT"), JSONMember("alg", "ES256"), JSONMember("kid", keyID),
    ])
    let claims = [
      JSONMember("iss", grant.provider.issuer(at: issuer)),
      JSONMember("aud", PracticeProvider.clientID), JSONMember("sub", grant.person.subject),
      JSONMember("iat", now.seconds), JSONMember("exp", now.seconds + Limits.tokenSeconds),
      JSONMember("auth_time", grant.authenticatedAt.seconds),
      JSONMember("nonce", grant.nonce),
      JSONMember(
        "at_hash", Base64URL.encode(Array(SHA256Digest.of(accessToken).prefix(16)))),
    ]
    let others = grant.provider.hasUserInfo ? [] : grant.provider.claims(of: grant.person)
    return CompactJWS.sign(header: header, claims: .members(claims + others), with: key)
  }

  private func userInfo(_ request: HTTPRequest, at provider: PracticeProvider) -> HTTPResponse {
    let fields = request.values(of: "authorization")
    let token = fields.first.flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
    let now = clock.now()
    guard fields.count == 1, let token,
      let grant = grants.withLock({ $0.accessTokens.value(of: token, at: now) }),
      grant.provider == provider
    else {
      var refusal = Self.refusal(.invalidToken)
      refusal.fields.append(HTTPField("WWW-Authenticate", "Bearer error=\"invalid_token\""))
      return refusal
    }
    return .json(
      .members([JSONMember("sub", grant.person.subject)] + provider.claims(of: grant.person)))
  }

  private static func refusal(_ code: ErrorCode) -> HTTPResponse {
    let error = JSONMember("error", code.rawValue)
    var response = HTTPResponse.json(.members([error]), status: code.status)
    response.code = code.rawValue
    return response
  }
}

/// The authorization request of a relying party that passed the checks.
private struct AskedAuthorization {
  let challenge: String
  let nonce: String

  /// A code of RFC 6749, section 4.1.2.1.
  enum Fault: String, Error {
    case invalidRequest = "invalid_request"
    case invalidScope = "invalid_scope"
    case unsupportedResponseType = "unsupported_response_type"
  }

  /// PKCE, `state` and `nonce` are needed, as BankID documents it.
  static func read(_ form: Form) -> Result<AskedAuthorization, Fault> {
    guard let type = form["response_type"], form["state"] != nil, let nonce = form["nonce"],
      form["code_challenge_method"] == "S256", let challenge = form["code_challenge"]
    else { return .failure(.invalidRequest) }
    guard type == "code" else { return .failure(.unsupportedResponseType) }
    guard form["scope"]?.split(separator: " ").contains("openid") ?? false else {
      return .failure(.invalidScope)
    }
    return .success(AskedAuthorization(challenge: challenge, nonce: nonce))
  }
}

/// Values that are found with a secret text until a time.
///
/// The table has only the digests of the texts, so that the time of a search says nothing about
/// them.
struct ExpiringTable<Value> {
  private struct Entry {
    let value: Value
    let expiresAt: Instant
  }

  let limit: Int
  private var entries: [[UInt8]: Entry] = [:]

  init(limit: Int) { self.limit = limit }

  /// Returns false if the table is full of values that have not expired.
  mutating func insert(_ value: Value, for text: String, until expiry: Instant, at now: Instant)
    -> Bool
  {
    if entries.count >= limit { entries = entries.filter { now < $0.value.expiresAt } }
    guard entries.count < limit else { return false }
    entries[SHA256Digest.of(text)] = Entry(value: value, expiresAt: expiry)
    return true
  }

  func value(of text: String, at now: Instant) -> Value? {
    entries[SHA256Digest.of(text)].flatMap { now < $0.expiresAt ? $0.value : nil }
  }

  /// Removes the value of the text, also if it has expired.
  mutating func remove(_ text: String, at now: Instant) -> Value? {
    entries.removeValue(forKey: SHA256Digest.of(text)).flatMap {
      now < $0.expiresAt ? $0.value : nil
    }
  }
}
