import HTTPServer
import SignInModel
import SignInRules
import SignInService
import SignInWire

extension Operation {
  private static let unchangedDocument = Answer(
    status: 304, note: "Nothing has changed since the answer with this ETag")

  static let discovery: [Operation] = [
    Operation(
      method: .get, path: Endpoint.openIDConfiguration, name: "readOpenIDConfiguration",
      summary: "OpenID Connect Discovery 1.0", chapter: .discovery,
      answers: [
        .json(.reference(.metadata), "The URLs and features of this server"), unchangedDocument,
      ]
    ),
    Operation(
      method: .get, path: Endpoint.serverMetadata, name: "readServerMetadata",
      summary: "OAuth 2.0 Authorization Server Metadata (RFC 8414): the same document",
      chapter: .discovery,
      answers: [
        .json(.reference(.metadata), "The URLs and features of this server"), unchangedDocument,
      ]
    ),
    Operation(
      method: .get, path: Endpoint.keys, name: "readKeys",
      summary: "The public keys that verify tokens", chapter: .discovery,
      answers: [
        .json(.object([.required("keys", .list(.reference(.key)))]), "A JWK set (RFC 7517)"),
        unchangedDocument,
      ]
    ),
    Operation(
      method: .get, path: Endpoint.app, name: "readApp",
      summary: "The public information about an app", chapter: .discovery,
      answers: [
        .json(
          .object([
            .required("client_id", .text), .required("name", .text),
            .optional(
              "default_country", .text, "The calling code that is filled in at first, such as +47"),
            .optional(
              "providers", .list(.reference(.appProvider)),
              "The identity providers at which people can sign in"),
            .optional(
              "provider_by_email", .flag,
              "Whether a first call with an e-mail address and no password may lead to a provider"),
          ]), "The configured values")
      ], refusals: [.clientNotFound]
    ),
    Operation(
      method: .get, path: Endpoint.description, name: "readDescription",
      summary: "This document", chapter: .discovery,
      answers: [.json(.anything, "OpenAPI 3.1")]
    ),
  ]

  private static let basicAuthentication = Parameter(
    name: "Authorization", schema: .text(upTo: ServiceCredentials.basicLengthLimit),
    note: "For a service account: HTTP Basic, instead of client_id and client_secret")

  /// The parameters with which a service account authenticates in a form.
  private static let serviceCredentials = [
    Parameter(
      name: "client_id", schema: .identifier,
      note: "The app or the service account; not needed with HTTP Basic or an assertion"),
    Parameter(
      name: "client_secret",
      schema: .text(
        upTo: ServiceAccount.secretByteLimits.upperBound,
        atLeast: ServiceAccount.secretByteLimits.lowerBound), note: "For a service account"),
    Parameter(
      name: "client_assertion_type", schema: .word([ServiceCredentials.assertionType]),
      note: "With client_assertion"),
    Parameter(
      name: "client_assertion", schema: .text(upTo: CompactJWS.lengthLimit),
      note: "For a service account; RFC 7523, signed with"
        + " \(ServiceKey.Algorithm.allCases.map(\.rawValue).joined(separator: ", ")), valid for at"
        + " most \(ServiceAccount.assertionSeconds) seconds and used once"),
  ]

  static let signIn: [Operation] = [
    Operation(
      method: .post, path: Endpoint.challenge, name: "signIn",
      summary: "First-party sign-in (draft-ietf-oauth-first-party-apps-04): first the credentials,"
        + " then auth_session with otp, or with resend=true",
      chapter: .signIn,
      body: .form([
        clientID,
        Parameter(name: "response_type", schema: .word(["code"]), note: "First call"),
        Parameter(
          name: "scope", schema: .value, note: "First call; words with a space between them"),
        Parameter(
          name: "code_challenge", schema: .unreserved(PKCE.challengeLength...PKCE.challengeLength),
          note: "First call; RFC 7636"),
        Parameter(name: "code_challenge_method", schema: .word(["S256"]), note: "First call"),
        Parameter(
          name: "nonce", schema: .text(upTo: SignInLimits.nonceByteLimit),
          note: "First call; the ID token repeats it"),
        Parameter(name: "organization", schema: .identifier, note: "First call"),
        Parameter(
          name: "username", schema: .text(upTo: EmailAddress.lengthLimit),
          note: "First call, with password"),
        Parameter(
          name: "password", schema: .text(upTo: NewPassword.byteLimit),
          note: "First call, with username"),
        Parameter(
          name: "phone_number", schema: .phoneNumber,
          note: "First call of an app with sign-in by phone number; E.164"),
        Parameter(
          name: "provider", schema: .identifier,
          note: "First call, instead of credentials: the identity provider to sign in at"),
        Parameter(
          name: "redirect_uri", schema: .text(upTo: RedirectURI.lengthLimit),
          note: "With provider: where the result goes; needed if the app has several addresses"),
        Parameter(
          name: "state", schema: .text(upTo: ProviderJourney.Limits.stateBytes),
          note: "With provider: the result repeats it"),
        Parameter(
          name: "login_hint", schema: .text(upTo: EmailAddress.lengthLimit),
          note: "With provider: the e-mail address that the person entered"),
        Parameter(name: "auth_session", schema: .value, note: "Next calls"),
        Parameter(name: "otp", schema: .code, note: "Next calls: the code that was sent"),
        Parameter(name: "resend", schema: .word(["true"]), note: "Next calls: send another code"),
        Parameter(
          name: "channel", schema: .word(["sms", "voice"]),
          note: "With resend: the channel for the code"
        ),
        Parameter(
          name: "status", schema: .word(["true"]),
          note: "Next calls: return the delivery status of the message"
        ),
      ]),
      answers: [
        .json(
          .object([.required("authorization_code", .text)]),
          "The sign-in is complete; redeem the code at the token endpoint within a minute"
        )
      ],
      refusals: [
        .insufficientAuthorization, .invalidCredentials, .accountNotRegistered,
        .accountDeactivated, .accountLocked, .invalidOTP, .otpExpired, .resendTooSoon,
        .rateLimited, .deliveryFailed, .notAMember, .invalidSession, .redirectToWeb,
        .invalidRequest, .invalidClient,
        .unsupportedResponseType, .temporarilyUnavailable,
      ], refusalForm: .challengeError
    ),
    Operation(
      method: .post, path: Endpoint.token, name: "obtainTokens",
      summary: "Redeems an authorization code, refreshes a session, or issues a token to a service"
        + " account (RFC 6749)",
      chapter: .signIn,
      fields: [basicAuthentication],
      body: .form(
        [
          Parameter(
            name: "grant_type",
            schema: .word(["authorization_code", "refresh_token", "client_credentials"]),
            note: "The kind of grant", isRequired: true
          ),
          Parameter(
            name: "scope", schema: .value,
            note: "With client_credentials; the default is all scopes of the service account"),
          Parameter(name: "code", schema: .value, note: "With authorization_code"),
          Parameter(
            name: "code_verifier", schema: .unreserved(PKCE.verifierLimits),
            note: "With authorization_code; RFC 7636"),
          Parameter(
            name: "refresh_token", schema: .text(upTo: SignInLimits.refreshTokenByteLimit),
            note: "With refresh_token"),
          Parameter(
            name: "organization", schema: .identifier,
            note: "With refresh_token: ends this session and begins one in this organization"
          ),
          Parameter(
            name: "resource", schema: .value,
            note:
              "The only API that the access token is for (RFC 8707), an audience of the app or the"
              + " service account; the default is this server and all audiences"
          ),
        ] + serviceCredentials),
      answers: [
        .json(.reference(.tokens), "Tokens that are bound to the key of the proof (RFC 9449)")
      ],
      refusals: [
        .invalidGrant, .insufficientAuthorization, .resendTooSoon, .accountLocked, .notAMember,
        .invalidRequest, .invalidClient, .invalidTarget, .invalidScope, .rateLimited,
        .unsupportedGrantType, .temporarilyUnavailable,
      ], refusalForm: .challengeError
    ),
    Operation(
      method: .post, path: Endpoint.revoke, name: "revokeToken",
      summary: "Ends the session of a token (RFC 7009)", chapter: .signIn,
      body: .form([
        clientID,
        Parameter(
          name: "token", schema: .value, note: "An access token or a refresh token",
          isRequired: true),
      ]),
      answers: [
        .json(
          .object([
            .optional(
              "end_session_uri", .text,
              "Where the app opens a browser, so that the person signs out of the provider too")
          ]), "The session has ended, or the token is unknown")
      ],
      refusals: [.invalidRequest, .invalidClient, .temporarilyUnavailable],
      refusalForm: .oauthError
    ),
    Operation(
      method: .post, path: Endpoint.introspect, name: "introspectToken",
      summary:
        "Describes an access token to a service account with the scope introspect (RFC 7662)",
      chapter: .signIn,
      fields: [basicAuthentication],
      body: .form(
        [Parameter(name: "token", schema: .value, note: "An access token", isRequired: true)]
          + serviceCredentials),
      answers: [
        .json(
          .object([
            .required("active", .flag, "false if the token is not valid now"),
            .optional("scope", .text), .optional("client_id", .text), .optional("sub", .text),
            .optional("iss", .text), .optional("exp", .number), .optional("iat", .number),
            .optional("jti", .text), .optional("token_type", .word(["Bearer", "DPoP"])),
            .optional("aud", .anything, "A text or a list of texts"),
            .optional("cnf", .object([.required("jkt", .text)]), "The key that proofs must have"),
            .optional("sid", .text), .optional("org", .text), .optional("auth_time", .number),
            .optional("amr", .list(.text)), .optional("acr", .text),
          ]), "The claims, with those that the app's configuration adds"
        )
      ],
      refusals: [
        .invalidRequest, .invalidClient, .unauthorizedClient, .rateLimited,
        .temporarilyUnavailable,
      ], refusalForm: .oauthError
    ),
  ]

  /// The routes for passwords and registration, which need no token.
  ///
  /// If a proof is sent, it is checked and its key is bound.
  static let passwords: [Operation] = [
    Operation(
      method: .post, path: Endpoint.forgotPassword, name: "forgotPassword",
      summary:
        "Sends a code for a new password; if the app conceals accounts, known and unknown accounts"
        + " get the same answer", chapter: .signIn,
      body: .formOrJSON([
        clientID,
        Parameter(
          name: "username", schema: .text(upTo: EmailAddress.lengthLimit),
          note: "An e-mail address",
          isRequired: true),
      ]),
      answers: [
        .json(
          .object([
            .required("reset_session", .text, "Send it with the code"),
            .required("challenge", .reference(.challenge)),
          ]), "A code is sent if the account exists; a concealed account gets the same answer"
        )
      ],
      refusals: [
        .accountNotRegistered, .accountLocked, .unauthorizedClient, .resetByAdministrator,
        .invalidRequest, .invalidClient, .invalidProof, .rateLimited, .temporarilyUnavailable,
      ], refusalForm: .challengeError
    ),
    Operation(
      method: .post, path: Endpoint.resetPassword, name: "resetPassword",
      summary: "Sets a new password, ends the lockout and ends all sessions of the account",
      chapter: .signIn,
      body: .formOrJSON([
        Parameter(
          name: "reset_session", schema: .value, note: "From the call before", isRequired: true),
        Parameter(name: "otp", schema: .code, note: "The code that was sent", isRequired: true),
        Parameter(
          name: "password", schema: .newPassword, note: "The new password", isRequired: true),
      ]),
      answers: [
        .done("The new password is valid"),
        .json(
          .object([
            .required("status", .word(["waiting"])),
            .required("available_at", .number, "When it becomes valid, unless it is cancelled"),
          ]), "The new password waits, because the device is unknown to the account", status: 202
        ),
      ],
      refusals: [
        .resetByAdministrator, .invalidOTP, .otpExpired, .accountLocked, .invalidSession,
        .passwordTooShort,
        .passwordTooLong, .passwordTooCommon, .invalidRequest, .invalidProof,
        .temporarilyUnavailable,
      ], refusalForm: .challengeError
    ),
    Operation(
      method: .post, path: Endpoint.acceptInvitation, name: "acceptInvitation",
      summary: "Sets the first password of an account with an invitation", chapter: .signIn,
      body: .formOrJSON([
        clientID,
        Parameter(
          name: "invitation", schema: .value, note: "From an administrator", isRequired: true),
        Parameter(
          name: "password", schema: .newPassword, note: "The new password", isRequired: true),
      ]),
      answers: [.done("The password is valid")],
      refusals: [
        .invalidInvitation, .passwordTooShort, .passwordTooLong, .passwordTooCommon,
        .unauthorizedClient, .invalidRequest, .invalidClient, .invalidProof, .rateLimited,
        .temporarilyUnavailable,
      ], refusalForm: .oauthError
    ),
    Operation(
      method: .post, path: Endpoint.accounts, name: "register",
      summary: "Registers an account; an administrator approves or rejects it", chapter: .signIn,
      body: .formOrJSON([
        clientID,
        Parameter(name: "phone_number", schema: .phoneNumber, note: "E.164", isRequired: true),
        Parameter(
          name: "name", schema: .personName, note: "The name of the person", isRequired: true),
      ]),
      answers: [
        .json(
          .object([.required("status", .word(["pending"]))]),
          "The same answer for a number that already has an account", status: 202
        )
      ],
      refusals: [
        .unauthorizedClient, .invalidRequest, .invalidClient, .invalidProof, .rateLimited,
        .temporarilyUnavailable,
      ], refusalForm: .oauthError
    ),
  ]

  static let clientID = Parameter(
    name: "client_id", schema: .identifier, note: "The app", isRequired: true
  )
}
