import Cryptography
import JSONText
import SignInModel
import SignInWire

/// The request with which a browser goes to a provider (RFC 6749, section 4.1.1; OpenID Connect
/// Core, section 3.1.2.1).
struct AuthorizationRequest: Sendable {
  let provider: IdentityProvider
  let metadata: ProviderMetadata
  let journey: ProviderJourney
  /// The handle of the journey at the provider.
  let state: Secret

  private func parameters(in world: World) -> [Form.Field] {
    let settings = provider.settings
    var fields: [Form.Field] = [
      .init("response_type", "code"),
      .init("client_id", settings.clientID),
      .init("redirect_uri", world.issuer + Endpoint.providerCallback(.init(provider.name)).path),
      .init("scope", settings.scopes.joined(separator: " ")),
      .init("state", state.revealed),
      .init(
        "code_challenge", Base64URL.encode(SHA256Digest.of(journey.providerVerifier.revealed))),
      .init("code_challenge_method", "S256"),
    ]
    if case .openID = settings.kind { fields.append(.init("nonce", journey.providerNonce)) }
    if !settings.assurances.isEmpty {
      fields.append(.init("acr_values", settings.assurances.joined(separator: " ")))
    }
    if let hint = journey.loginHint { fields.append(.init("login_hint", hint)) }
    for parameter in settings.parameters
    where !fields.contains(where: { $0.name == parameter.name }) {
      fields.append(.init(parameter.name, parameter.value))
    }
    return fields
  }

  /// The address to which the browser goes.
  ///
  /// A provider with an endpoint for pushed requests gets the parameters from this server, so that
  /// the person cannot change them in the address (RFC 9126).
  func location(
    in world: World, _ directory: ProviderDirectory, until deadline: ProviderDeadline
  ) async throws(ProviderDirectory.Fault) -> String {
    guard let endpoint = metadata.pushedRequestEndpoint else {
      return metadata.authorizationEndpoint.addingQuery(Form(parameters(in: world)))
    }
    let request = provider.authenticated(
      provider.request(to: endpoint, within: deadline.millisecondsLeft),
      with: parameters(in: world).filter { $0.name != "client_id" }, metadata,
      at: world.clock.now(), randomness: world.randomness)
    let answer = try await directory.send(request)
    guard answer.status == 201, let uri = answer.json?["request_uri"]?.text else {
      throw .misconfigured([
        ProviderMistake(
          problem: "its endpoint for pushed requests answered \(answer.status)",
          remedy: "check the client at the provider")
      ])
    }
    return metadata.authorizationEndpoint.addingQuery(
      Form([.init("client_id", provider.settings.clientID), .init("request_uri", uri)]))
  }
}

extension String {
  /// A URL with further parameters.
  func addingQuery(_ form: Form) -> String {
    let separator = !contains("?") ? "?" : hasSuffix("?") || hasSuffix("&") ? "" : "&"
    return self + separator + form.encoded
  }
}

extension ProviderResponse {
  /// Nil if the body is not JSON within the limits.
  var json: JSON? {
    do throws(JSONMalformed) {
      return try JSONReader.read(body, within: .providerDocument)
    } catch {
      return nil
    }
  }
}

/// The result of a journey, as the app gets it in its redirect URI.
enum JourneyResult: Sendable {
  case code(Secret)
  case error(JourneyError)

  static func providerFault(_ fault: ProviderDirectory.Fault) -> JourneyResult {
    switch fault {
    case .unavailable: .error(.providerUnavailable)
    case .misconfigured: .error(.providerMisconfigured)
    }
  }
}

extension ProviderJourney {
  /// The address of the app with the result.
  ///
  /// `iss` shows the app which server answered (RFC 9207).
  func result(_ result: JourneyResult, in world: World) -> String {
    var fields: [Form.Field] =
      switch result {
      case .code(let code): [.init(.code, code.revealed)]
      case .error(let error): [.init(.error, error.code), .init(.reason, error.rawValue)]
      }
    if let state { fields.append(.init(.state, state)) }
    fields.append(.init(.iss, world.issuer))
    return redirectURI.addingQuery(Form(fields))
  }
}
