import HTTPServer
import SignInModel
import SignInService
import SignInWire

/// The sign-in in a browser at an identity provider.
extension Operation {
  private static let browserPage = Answer(
    status: 400,
    note: "A page for the person: the sign-in is unknown, expired, or of another"
      + " browser", schema: .text, mediaType: "text/html")

  private static let back = Answer(
    status: 303,
    note: "To the app's redirect URI with code, state and iss, or with error and"
      + " reason: \(JourneyError.allCases.map(\.rawValue).joined(separator: ", "))")

  private static let answerParameters = [
    Parameter(name: "state", schema: .value, note: "Of this server's request", isRequired: true),
    Parameter(name: "code", schema: .value, note: "The provider's code"),
    Parameter(name: "error", schema: .value, note: "The provider's refusal"),
    Parameter(name: "iss", schema: .value, note: "RFC 9207"),
  ]

  static let providers: [Operation] = [
    Operation(
      method: .post, path: Endpoint.pushedRequest, name: "pushAuthorizationRequest",
      summary: "Stores the request for a sign-in at an identity provider (RFC 9126)",
      chapter: .signIn,
      body: .form([
        clientID,
        Parameter(
          name: "response_type", schema: .word(["code"]), note: "RFC 6749", isRequired: true),
        Parameter(
          name: "provider", schema: .identifier, note: "One of the app's providers",
          isRequired: true),
        Parameter(
          name: "scope", schema: .value, note: "Words with a space between them"),
        Parameter(
          name: "code_challenge", schema: .unreserved(PKCE.challengeLength...PKCE.challengeLength),
          note: "RFC 7636", isRequired: true),
        Parameter(
          name: "code_challenge_method", schema: .word(["S256"]), note: "RFC 7636",
          isRequired: true),
        Parameter(
          name: "redirect_uri", schema: .text(upTo: RedirectURI.lengthLimit),
          note: "Where the result goes; needed if the app has several addresses"),
        Parameter(
          name: "state", schema: .text(upTo: ProviderJourney.Limits.stateBytes),
          note: "The result repeats it"),
        Parameter(
          name: "nonce", schema: .text(upTo: SignInLimits.nonceByteLimit),
          note: "The ID token repeats it"),
        Parameter(name: "organization", schema: .identifier, note: "The wanted organization"),
        Parameter(
          name: "login_hint", schema: .text(upTo: EmailAddress.lengthLimit),
          note: "The e-mail address that the person entered"),
      ]),
      answers: [
        .json(
          .object([
            .required("request_uri", .text, "The parameter of the authorization endpoint"),
            .required("expires_in", .number, "Seconds until the browser must open it"),
          ]), "The request is stored", status: 201)
      ],
      refusals: [
        .invalidRequest, .invalidClient, .unsupportedResponseType, .rateLimited,
        .temporarilyUnavailable,
      ], refusalForm: .oauthError
    ),
    Operation(
      method: .get, path: Endpoint.authorize, name: "openAuthorizationRequest",
      summary: "Leads a browser to the identity provider of a stored request", chapter: .signIn,
      query: [
        clientID,
        Parameter(
          name: "request_uri", schema: .value, note: "Of the stored request", isRequired: true),
      ],
      answers: [
        Answer(status: 303, note: "To the provider, or to the app with error and reason"),
        browserPage,
      ]
    ),
    Operation(
      method: .get, path: Endpoint.providerCallback, name: "returnFromProvider",
      summary: "Gets a browser back from an identity provider", chapter: .signIn,
      query: answerParameters, answers: [back, browserPage]
    ),
    Operation(
      method: .get, path: Endpoint.signedOut, name: "showSignedOut",
      summary: "The page after a sign-out at an identity provider", chapter: .signIn,
      answers: [
        Answer(
          status: 200, note: "A page for the person", schema: .text, mediaType: "text/html")
      ]
    ),
    Operation(
      method: .post, path: Endpoint.providerCallback, name: "postFromProvider",
      summary: "The same for a provider that posts its answer", chapter: .signIn,
      body: .form(answerParameters),
      answers: [
        Answer(status: 303, note: "To the same path with GET and the same parameters"), browserPage,
      ]
    ),
  ]

  private static let identityList = Schema.object([
    .required("identities", .list(.reference(.identity)), "In the order of their links")
  ])

  private static let providerEntry = Schema.object([
    .required("name", .identifier, "The value of provider at the challenge endpoint"),
    .required("label", .text, "The name for people"),
    .required("issuer", .text, "The issuer of its identities"),
    .required("redirect_uri", .text, "What must be registered at the provider"),
    .required("clients", .list(.identifier), "The apps that offer it"),
    .required("available", .flag, "false while the provider does not answer as it should"),
  ])

  private static let checkStep = Schema.object([
    .required("subject", .text, "What was checked, such as keys"),
    .required(
      "mistakes",
      .list(.object([.required("problem", .text), .required("remedy", .text)])),
      "Empty if the step passed"),
  ])

  static let identities: [Operation] = [
    Operation(
      method: .get, path: Endpoint.identities, name: "listMyIdentities",
      summary: "The identities with which the person can sign in", chapter: .data,
      answers: [.json(identityList, "The identities")]
    ),
    Operation(
      method: .delete, path: Endpoint.identity, name: "unlinkMyIdentity",
      summary: "Removes one of the person's own identities", chapter: .data,
      answers: [.done("The identity is unlinked")], refusals: [.identityNotFound, .lastIdentity]
    ),
    Operation(
      method: .post, path: Endpoint.contactProposal, name: "acceptContactProposal",
      summary: "Gives my account the number or the address that a provider has verified. A new"
        + " number ends my other sessions", chapter: .data,
      answers: [.done("The account is changed. The old number and address get a notice")],
      refusals: [.proposalNotFound, .accountExists]
    ),
    Operation(
      method: .delete, path: Endpoint.contactProposal, name: "declineContactProposal",
      summary: "Declines a number or an address of a provider, which is not proposed again",
      chapter: .data, answers: [.done("The account is not changed")],
      refusals: [.proposalNotFound]
    ),
    Operation(
      method: .get, path: Endpoint.adminIdentities, name: "listAccountIdentities",
      summary: "The identities of an account", chapter: .administration,
      answers: [.json(identityList, "The identities")], refusals: [.accountNotFound]
    ),
    Operation(
      method: .post, path: Endpoint.adminIdentities, name: "linkIdentity",
      summary: "Links an identity at a provider with an account", chapter: .administration,
      body: .json(
        .object([
          .required("provider", .identifier, "A provider of the configuration"),
          .required(
            "subject", .text(upTo: IdentityLink.subjectLengthLimit, atLeast: 1),
            "The person's identifier at the provider, such as sub"),
        ])),
      answers: [.json(.reference(.identity), "The identity, which may have been linked before")],
      refusals: [.accountNotFound, .invalidRequest, .identityExists]
    ),
    Operation(
      method: .delete, path: Endpoint.adminIdentity, name: "unlinkIdentity",
      summary: "Unlinks an identity from an account, and ends the account's sessions",
      chapter: .administration, answers: [.done("The identity is unlinked")],
      refusals: [.accountNotFound, .identityNotFound]
    ),
    Operation(
      method: .get, path: Endpoint.adminProviders, name: "listProviders",
      summary: "The identity providers of the configuration", chapter: .administration,
      answers: [
        .json(.object([.required("providers", .list(providerEntry))]), "In their order there")
      ]
    ),
    Operation(
      method: .post, path: Endpoint.adminProviderCheck, name: "checkProvider",
      summary: "Checks the metadata and keys of an identity provider, and whether it accepts this"
        + " server's client; it takes up to fourteen seconds",
      chapter: .administration,
      answers: [
        .json(
          .object([
            .required("passed", .flag), .required("steps", .list(checkStep)),
          ]), "The result of each step")
      ], refusals: [.providerNotFound]
    ),
  ]
}
