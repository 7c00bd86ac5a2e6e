import Cryptography
import HTTPServer
import JSONText
import SignInModel
import SignInRules
import SignInService
import SignInWire

extension Route {
  private static let unchangedDocument = Answer(
    status: 304, note: "Nothing has changed since the answer with this ETag")

  static let ofDiscovery: [Route] = [
    Route(
      .get, .openIDConfiguration, .open, answer: metadata,
      Operation(
        name: "readOpenIDConfiguration",
        summary: "OpenID Connect Discovery 1.0", chapter: .discovery,
        answers: [
          .json(.reference(.metadata), "The URLs and features of this server"), unchangedDocument,
        ]
      )),
    Route(
      .get, .serverMetadata, .open, answer: metadata,
      Operation(
        name: "readServerMetadata",
        summary: "OAuth 2.0 Authorization Server Metadata (RFC 8414): the same document",
        chapter: .discovery,
        answers: [
          .json(.reference(.metadata), "The URLs and features of this server"), unchangedDocument,
        ]
      )),
    Route(
      .get, .keys, .open, answer: publicKeys,
      Operation(
        name: "readKeys",
        summary: "The public keys that verify tokens", chapter: .discovery,
        answers: [
          .json(.object([.required(.keys, .list(.reference(.key)))]), "A JWK set (RFC 7517)"),
          unchangedDocument,
        ]
      )),
    Route(
      .get, .app(.id), .open, answer: app,
      Operation(
        name: "readApp",
        summary: "The public information about an app", chapter: .discovery,
        answers: [
          .json(
            .object([
              .required(.clientID, .text), .required(.name, .text),
              .optional(
                .defaultCountry, .text, "The calling code that is filled in at first, such as +47"
              ),
              .optional(
                .providers, .list(.reference(.appProvider)),
                "The identity providers at which people can sign in"),
              .optional(
                .providerByEmail, .flag,
                "Whether a first call with an e-mail address and no password may lead to a provider"
              ),
            ]), "The configured values")
        ], refusals: [.clientNotFound]
      )),
    Route(
      .get, .description, .open, answer: { _ in description() },
      Operation(
        name: "readDescription",
        summary: "This document", chapter: .discovery,
        answers: [.json(.anything, "OpenAPI 3.1")]
      )),
  ]

  static let ofOperation: [Route] = [
    Route(
      .post, .messageReceipts(.messenger), .open, answer: messageReceipts,
      Operation(
        name: "takeReceipts",
        summary:
          "Accepts a provider's receipts for messages; the provider proves them in its own way",
        chapter: .operation, body: .json(.anything),
        answers: [
          .done("The receipt is stored, or its message is unknown"),
          .json(.anything, "The answer to a handshake"),
          Answer(
            status: 401, note: "The receipt has no valid proof", schema: .reference(.problem),
            mediaType: "application/problem+json"),
        ], refusals: [.invalidRequest]
      )),
    Route(
      .get, .alive, .open, answer: { _ in .text("alive\n") },
      Operation(
        name: "isAlive", summary: "Whether the server runs",
        chapter: .operation, answers: [.text("The server runs")]
      )),
    Route(
      .get, .ready, .open, answer: ready,
      Operation(
        name: "isReady",
        summary: "Whether a decision can be recorded now", chapter: .operation,
        answers: [
          .text(
            "A decision can be recorded. A second line warns if the configuration of another server"
              + " of the database differs; the log names the keys."),
          .text("The store cannot record a decision, is damaged, or has another time", status: 503),
        ]
      )),
  ]
}

extension Route {
  /// The algorithms with which a service account may sign an assertion.
  private static let assertionAlgorithms = ServiceKey.Algorithm.allCases.map {
    JSON.string($0.rawValue)
  }

  /// The metadata document, for both OpenID Connect Discovery and RFC 8414.
  static func metadata(_ call: Call) -> HTTPResponse {
    let issuer = call.world.issuer
    func list(_ values: String...) -> JSON { .array(values.map { JSON.string($0) }) }
    // Without providers, no sign-in uses a browser.
    let browser = call.world.providers.map { _ in
      (
        authorize: issuer + Endpoint.authorize.path,
        pushedRequest: issuer + Endpoint.pushedRequest.path
      )
    }
    return .publicDocument(
      .members([
        JSONMember(.issuer, issuer),
        JSONMember(.authorizationChallengeEndpoint, issuer + Endpoint.challenge.path),
        JSONMember(.authorizationEndpoint, ifPresent: browser?.authorize),
        JSONMember(.pushedAuthorizationRequestEndpoint, ifPresent: browser?.pushedRequest),
        browser.map { _ in JSONMember(.requirePushedAuthorizationRequests, true) },
        browser.map { _ in JSONMember(.authorizationResponseIssParameterSupported, true) },
        JSONMember(.tokenEndpoint, issuer + Endpoint.token.path),
        JSONMember(.revocationEndpoint, issuer + Endpoint.revoke.path),
        JSONMember(.introspectionEndpoint, issuer + Endpoint.introspect.path),
        JSONMember(.userinfoEndpoint, issuer + Endpoint.userInfo.path),
        JSONMember(.jwksURI, issuer + Endpoint.keys.path),
        JSONMember(.responseTypesSupported, list("code")),
        JSONMember(
          .grantTypesSupported,
          .array(TokenForm.GrantType.allCases.map { JSON.string($0.rawValue) })
        ),
        JSONMember(.subjectTypesSupported, list("public")),
        JSONMember(.scopesSupported, .array(scopes(in: call.world).map { JSON.string($0) })),
        JSONMember(.idTokenSigningAlgValuesSupported, list("ES256")),
        JSONMember(
          .tokenEndpointAuthMethodsSupported,
          list("none", "client_secret_basic", "client_secret_post", "private_key_jwt")
        ),
        JSONMember(
          .tokenEndpointAuthSigningAlgValuesSupported, .array(assertionAlgorithms)),
        JSONMember(.revocationEndpointAuthMethodsSupported, list("none")),
        JSONMember(
          .introspectionEndpointAuthMethodsSupported,
          list("client_secret_basic", "client_secret_post", "private_key_jwt")
        ),
        JSONMember(
          .introspectionEndpointAuthSigningAlgValuesSupported, .array(assertionAlgorithms)),
        JSONMember(.codeChallengeMethodsSupported, list(ChallengeForm.challengeMethod)),
        JSONMember(.dpopSigningAlgValuesSupported, list("ES256")),
        JSONMember(
          .claimsSupported, .array(claims(in: call.world).map { JSON.string($0) })
        ),
      ]), to: call.request
    )
  }

  /// The scopes that an app can be granted, in the order of the apps, and then those of the service
  /// accounts.
  private static func scopes(in world: World) -> [String] {
    var scopes: [String] = []
    for client in world.clients.values.sorted(by: { $0.id.text < $1.id.text }) {
      for scope in client.allowedScopes where !scopes.contains(scope) { scopes.append(scope) }
    }
    for scope in ServiceScope.allCases
    where world.serviceAccounts.values.contains(where: { $0.scopes.contains(scope) }) {
      scopes.append(scope.rawValue)
    }
    return scopes
  }

  /// The standard claims, and those of the configuration.
  private static func claims(in world: World) -> [String] {
    let fields: [WireField] = [
      .iss, .sub, .aud, .exp, .iat, .authTime, .nonce, .amr, .acr, .name, .email, .phoneNumber,
    ]
    let standard = fields.map(\.rawValue)
    let own = Set(world.clients.values.flatMap { $0.claims.map(\.name) })
    return standard + own.subtracting(standard).sorted()
  }

  static func publicKeys(_ call: Call) -> HTTPResponse {
    let world = call.world
    let keys = world.keyring.signing.accepted(at: world.clock.now())
    let documents = keys.map { $0.signing.publicKey.jwk(keyID: $0.id) }
    return .publicDocument(.members([JSONMember(.keys, .array(documents))]), to: call.request)
  }

  /// The public information about an app.
  ///
  /// No sign-in is needed.
  static func app(_ call: Call) async throws(Refusal) -> HTTPResponse {
    guard let client = call.world.clients[ClientID(call.parameter(.id))] else {
      throw Refusal.noSuchClient
    }
    var providers: [AppEntry.Provider] = []
    var findsProviderByEmail = false
    for name in client.providers {
      guard let directory = call.world.providers, let provider = directory.provider(name) else {
        continue
      }
      providers.append(
        AppEntry.Provider(
          name: name, label: provider.settings.label,
          isAvailable: !(await directory.hasFailed(name))))
      if !provider.settings.emailDomains.isEmpty { findsProviderByEmail = true }
    }
    return .json(
      AppEntry(
        id: client.id.text, name: client.name, defaultCountry: client.defaultCountry,
        providers: providers, findsProviderByEmail: findsProviderByEmail
      ).json)
  }

  /// Whether a decision can be recorded now (L-46), and the clock agrees with the database.
  static func ready(_ call: Call) async throws(Refusal) -> HTTPResponse {
    if call.world.store.isDamaged {
      return .text("the database is damaged: see the log\n", status: 503)
    }
    return switch await call.handler.readiness.readiness(in: call.world) {
    case .ready:
      .text("ready\n" + (call.handler.readinessWarning().map { "warning: \($0)\n" } ?? ""))
    case .cannotRecord:
      .text("the store cannot record a decision: see the log\n", status: 503)
    case .cannotRecordProof:
      .text("the server cannot record a proof of a request: see the log\n", status: 503)
    case .clockDiffers:
      .text("the clock differs from that of the database: see the log\n", status: 503)
    }
  }
}
