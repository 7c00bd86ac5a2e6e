public import JSONText
import SignInModel

/// What an identity provider publishes about itself (OpenID Connect Discovery, RFC 8414).
public struct ProviderMetadata: Equatable, Sendable {
  public let authorizationEndpoint: String
  public let tokenEndpoint: String
  public let keysURL: String?
  public let userInfoEndpoint: String?
  /// Pushed authorization requests (RFC 9126).
  public let pushedRequestEndpoint: String?
  public let requiresPushedRequests: Bool
  /// RP-initiated logout.
  public let endSessionEndpoint: String?
  /// Whether its answers in the browser always contain `iss` (RFC 9207).
  public let returnsIssuer: Bool
  /// How the secret is sent if the configuration does not say it.
  let secretMethod: IdentityProvider.SecretMethod

  /// The metadata of an OAuth 2.0 provider, from the configuration.
  init(_ endpoints: IdentityProvider.Endpoints) {
    authorizationEndpoint = endpoints.authorization
    tokenEndpoint = endpoints.token
    userInfoEndpoint = endpoints.userInfo
    keysURL = nil
    pushedRequestEndpoint = nil
    requiresPushedRequests = false
    endSessionEndpoint = nil
    returnsIssuer = false
    secretMethod = .basic
  }

  /// Reads the metadata of an OpenID provider.
  ///
  /// - Throws: All mistakes that prevent a sign-in.
  public init(
    reading json: JSON, issuer: String, for settings: IdentityProvider.Settings
  ) throws(ProviderMistakes) {
    var reader = Reader(json: json)
    reader.checkIssuer(issuer)
    reader.checkMethods(settings)
    let authorization = reader.url("authorization_endpoint", isRequired: true)
    let token = reader.url("token_endpoint", isRequired: true)
    let keys = reader.url("jwks_uri", isRequired: true)
    userInfoEndpoint = reader.url("userinfo_endpoint", isRequired: false)
    pushedRequestEndpoint = reader.url("pushed_authorization_request_endpoint", isRequired: false)
    endSessionEndpoint = reader.url("end_session_endpoint", isRequired: false)
    requiresPushedRequests = json["require_pushed_authorization_requests"]?.flag ?? false
    returnsIssuer = json["authorization_response_iss_parameter_supported"]?.flag ?? false
    let methods = json["token_endpoint_auth_methods_supported"]?.elements ?? []
    let supportsPostOnly =
      methods.contains(.string("client_secret_post"))
      && !methods.contains(.string("client_secret_basic"))
    secretMethod = supportsPostOnly ? .post : .basic
    if requiresPushedRequests, pushedRequestEndpoint == nil {
      reader.note(
        "requires pushed authorization requests and names no endpoint for them",
        "ask the provider for `pushed_authorization_request_endpoint`")
    }
    guard reader.problems.isEmpty, let authorization, let token, let keys else {
      throw ProviderMistakes(reader.problems)
    }
    authorizationEndpoint = authorization
    tokenEndpoint = token
    keysURL = keys
  }

  private struct Reader {
    let json: JSON
    var problems: [ProviderMistake] = []

    mutating func note(_ problem: String, _ remedy: String) {
      problems.append(ProviderMistake(problem: problem, remedy: remedy))
    }

    mutating func checkIssuer(_ issuer: String) {
      guard let found = json["issuer"]?.text else {
        return note("names no issuer", "check the address of `discovery`")
      }
      guard !found.hasSameBytes(as: issuer) else { return }
      // The text comes from another server, so it is shown only if it cannot forge a line.
      let isShown = found.utf8.count <= 200 && found.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      note(
        isShown ? "names the issuer `\(found)`" : "names another issuer",
        "write the issuer that the provider documents, byte by byte")
    }

    mutating func checkMethods(_ settings: IdentityProvider.Settings) {
      if let methods = json["code_challenge_methods_supported"]?.elements,
        !methods.contains(.string("S256"))
      {
        note("does not support PKCE with S256", "turn on S256 at the provider")
      }
      if let types = json["response_types_supported"]?.elements,
        !types.contains(.string("code"))
      {
        note("does not support the authorization code flow", "turn it on at the provider")
      }
      let signing = json["id_token_signing_alg_values_supported"]?.elements ?? []
      let isUsable = settings.algorithms.contains { signing.contains(.string($0.rawValue)) }
      if !signing.isEmpty, !isUsable {
        note(
          "signs ID tokens with other algorithms than `signing_algorithms`",
          "write those that it uses: "
            + SignatureAlgorithm.allCases.filter { signing.contains(.string($0.rawValue)) }
            .map(\.rawValue).joined(separator: ", "))
      }
    }

    mutating func url(_ name: String, isRequired: Bool) -> String? {
      guard let value = json[name] else {
        if isRequired { note("has no `\(name)`", "check the address of `discovery`") }
        return nil
      }
      guard let text = value.text, TextFormat.secureURL.problem(text) == nil else {
        note("has a `\(name)` that is not an https address", "ask the provider to correct it")
        return nil
      }
      return text
    }
  }
}

/// A mistake in the configuration of a provider, or in what the provider publishes.
public struct ProviderMistake: Equatable, Sendable {
  /// The rest of a sentence that begins with the subject, such as "its metadata".
  public let problem: String
  /// An imperative.
  public let remedy: String
}

/// All mistakes that were found together.
public struct ProviderMistakes: Error, Equatable, Sendable {
  public let mistakes: [ProviderMistake]

  public init(_ mistakes: [ProviderMistake]) { self.mistakes = mistakes }
}
