import HTTPServer
import SignInModel
import SignInRules
import SignInService
import SignInWire

extension Operation {
  private static let unchangedDocument = Answer(
    status: 304, note: "nothing changed since the answer with this ETag")

  static let discovery: [Operation] = [
    Operation(
      method: .get, path: Endpoint.openIDConfiguration, name: "readOpenIDConfiguration",
      summary: "OpenID Connect Discovery 1.0", chapter: .discovery,
      answers: [.json(.reference(.metadata), "where everything is"), unchangedDocument]
    ),
    Operation(
      method: .get, path: Endpoint.serverMetadata, name: "readServerMetadata",
      summary: "OAuth 2.0 Authorization Server Metadata (RFC 8414): the same document",
      chapter: .discovery,
      answers: [.json(.reference(.metadata), "where everything is"), unchangedDocument]
    ),
    Operation(
      method: .get, path: Endpoint.keys, name: "readKeys",
      summary: "The public keys that tokens are signed with", chapter: .discovery,
      answers: [
        .json(.object([.required("keys", .list(.reference(.key)))]), "a JWK set (RFC 7517)"),
        unchangedDocument,
      ]
    ),
    Operation(
      method: .get, path: Endpoint.app, name: "readApp",
      summary: "What is told about an app to everyone", chapter: .discovery,
      answers: [
        .json(
          .object([
            .required("client_id", .text), .required("name", .text),
            .optional("default_country", .text, "the calling code to fill in, such as +47"),
          ]), "as configured")
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
    note: "of a service account: HTTP Basic, in place of client_id and client_secret")

  /// How a service account authenticates in a form.
  private static let serviceCredentials = [
    Parameter(
      name: "client_id", schema: .identifier,
      note: "the app or the service account; not needed beside HTTP Basic or an assertion"),
    Parameter(
      name: "client_secret",
      schema: .text(
        upTo: ServiceAccount.secretByteLimits.upperBound,
        atLeast: ServiceAccount.secretByteLimits.lowerBound), note: "of a service account"),
    Parameter(
      name: "client_assertion_type", schema: .word([ServiceCredentials.assertionType]),
      note: "with client_assertion"),
    Parameter(
      name: "client_assertion", schema: .text(upTo: CompactJWS.lengthLimit),
      note: "of a service account; RFC 7523, by"
        + " \(ServiceKey.Algorithm.allCases.map(\.rawValue).joined(separator: ", ")), for at most"
        + " \(ServiceAccount.assertionSeconds) seconds, used once"),
  ]

  static let signIn: [Operation] = [
    Operation(
      method: .post, path: Endpoint.challenge, name: "signIn",
      summary: "First-party sign-in (draft-ietf-oauth-first-party-apps-04): first the credentials,"
        + " then auth_session with otp, or with resend=true",
      chapter: .signIn,
      body: .form([
        clientID,
        Parameter(name: "response_type", schema: .word(["code"]), note: "first call"),
        Parameter(name: "scope", schema: .value, note: "first call; words with a space between"),
        Parameter(
          name: "code_challenge", schema: .unreserved(PKCE.challengeLength...PKCE.challengeLength),
          note: "first call; RFC 7636"),
        Parameter(name: "code_challenge_method", schema: .word(["S256"]), note: "first call"),
        Parameter(
          name: "nonce", schema: .text(upTo: SignInLimits.nonceByteLimit),
          note: "first call; comes back in the ID token"),
        Parameter(name: "organization", schema: .identifier, note: "first call"),
        Parameter(
          name: "username", schema: .text(upTo: EmailAddress.lengthLimit),
          note: "first call, with password"),
        Parameter(
          name: "password", schema: .text(upTo: NewPassword.byteLimit),
          note: "first call, with username"),
        Parameter(
          name: "phone_number", schema: .phoneNumber, note: "first call of a phone app; E.164"),
        Parameter(name: "auth_session", schema: .value, note: "next calls"),
        Parameter(name: "otp", schema: .code, note: "next calls: the code that was sent"),
        Parameter(name: "resend", schema: .word(["true"]), note: "next calls: send another code"),
        Parameter(
          name: "channel", schema: .word(["sms", "voice"]), note: "with resend: how it should come"
        ),
        Parameter(
          name: "status", schema: .word(["true"]), note: "next calls: what became of the message"
        ),
      ]),
      answers: [
        .json(
          .object([.required("authorization_code", .text)]),
          "everything is proved; the code is redeemed at the token endpoint within a minute"
        )
      ],
      refusals: [
        .insufficientAuthorization, .invalidCredentials, .accountNotRegistered,
        .accountDeactivated, .accountLocked, .invalidOTP, .otpExpired, .resendTooSoon,
        .rateLimited, .deliveryFailed, .notAMember, .invalidSession, .invalidRequest,
        .invalidClient,
        .unsupportedResponseType, .temporarilyUnavailable,
      ], refusalForm: .challengeError
    ),
    Operation(
      method: .post, path: Endpoint.token, name: "obtainTokens",
      summary: "Redeems an authorization code, renews with a refresh token, or gives a service"
        + " account a token (RFC 6749)",
      chapter: .signIn,
      fields: [basicAuthentication],
      body: .form(
        [
          Parameter(
            name: "grant_type",
            schema: .word(["authorization_code", "refresh_token", "client_credentials"]),
            note: "what is redeemed", isRequired: true
          ),
          Parameter(
            name: "scope", schema: .value,
            note: "with client_credentials; every scope of the service account without it"),
          Parameter(name: "code", schema: .value, note: "with authorization_code"),
          Parameter(
            name: "code_verifier", schema: .unreserved(PKCE.verifierLimits),
            note: "with authorization_code; RFC 7636"),
          Parameter(
            name: "refresh_token", schema: .text(upTo: SignInLimits.refreshTokenByteLimit),
            note: "with refresh_token"),
          Parameter(
            name: "organization", schema: .identifier,
            note: "with refresh_token: ends this session and begins one there"
          ),
          Parameter(
            name: "resource", schema: .value,
            note:
              "the one API that the access token is for (RFC 8707), of the app's or the service"
              + " account's audiences; absent"
              + " for this server and all of them"
          ),
        ] + serviceCredentials),
      answers: [.json(.reference(.tokens), "tokens bound to the key of the proof (RFC 9449)")],
      refusals: [
        .invalidGrant, .accountLocked, .notAMember, .invalidRequest, .invalidClient,
        .invalidTarget, .invalidScope, .rateLimited, .unsupportedGrantType,
        .temporarilyUnavailable,
      ], refusalForm: .oauthError
    ),
    Operation(
      method: .post, path: Endpoint.revoke, name: "revokeToken",
      summary: "Ends the session a token belongs to (RFC 7009)", chapter: .signIn,
      body: .form([
        clientID,
        Parameter(name: "token", schema: .value, note: "of either kind", isRequired: true),
      ]),
      answers: [.json(.object([]), "also when nobody knows the token")],
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
        [Parameter(name: "token", schema: .value, note: "an access token", isRequired: true)]
          + serviceCredentials),
      answers: [
        .json(
          .object([
            .required("active", .flag, "false for every token that opens nothing now"),
            .optional("scope", .text), .optional("client_id", .text), .optional("sub", .text),
            .optional("iss", .text), .optional("exp", .number), .optional("iat", .number),
            .optional("jti", .text), .optional("token_type", .word(["Bearer", "DPoP"])),
            .optional("aud", .anything, "a text or a list of texts"),
            .optional("cnf", .object([.required("jkt", .text)]), "the key that proofs must have"),
            .optional("sid", .text), .optional("org", .text), .optional("auth_time", .number),
            .optional("amr", .list(.text)),
          ]), "with the claims that the app's configuration adds"
        )
      ],
      refusals: [
        .invalidRequest, .invalidClient, .unauthorizedClient, .rateLimited,
        .temporarilyUnavailable,
      ], refusalForm: .oauthError
    ),
  ]

  /// They need no token.
  ///
  /// A proof that is sent is checked and bound.
  static let passwords: [Operation] = [
    Operation(
      method: .post, path: Endpoint.forgotPassword, name: "forgotPassword",
      summary: "Sends a code to set a new password; where accounts are concealed, everybody is"
        + " answered alike", chapter: .signIn,
      body: .formOrJSON([
        clientID,
        Parameter(
          name: "username", schema: .text(upTo: EmailAddress.lengthLimit), note: "e-mail address",
          isRequired: true),
      ]),
      answers: [
        .json(
          .object([
            .required("reset_session", .text, "goes back with the code"),
            .required("challenge", .reference(.challenge)),
          ]), "a code is on its way, or looks as if"
        )
      ],
      refusals: [
        .accountNotRegistered, .accountLocked, .unauthorizedClient, .resetByAdministrator,
        .invalidRequest, .invalidClient, .invalidProof, .rateLimited, .temporarilyUnavailable,
      ], refusalForm: .challengeError
    ),
    Operation(
      method: .post, path: Endpoint.resetPassword, name: "resetPassword",
      summary: "Sets a new password, opens the account and ends every session of it",
      chapter: .signIn,
      body: .formOrJSON([
        Parameter(
          name: "reset_session", schema: .value, note: "from the call before", isRequired: true),
        Parameter(name: "otp", schema: .code, note: "the code that was sent", isRequired: true),
        Parameter(name: "password", schema: .newPassword, note: "the new one", isRequired: true),
      ]),
      answers: [
        .done("it applies from now on"),
        .json(
          .object([
            .required("status", .word(["waiting"])),
            .required("available_at", .number, "when it applies, unless it is cancelled"),
          ]), "it waits: the device had not signed in to the account before", status: 202
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
      summary: "Sets the password of an account that has none, once", chapter: .signIn,
      body: .formOrJSON([
        clientID,
        Parameter(
          name: "invitation", schema: .value, note: "from an administrator", isRequired: true),
        Parameter(name: "password", schema: .newPassword, note: "the new one", isRequired: true),
      ]),
      answers: [.done("the person signs in with it from now on")],
      refusals: [
        .invalidInvitation, .passwordTooShort, .passwordTooLong, .passwordTooCommon,
        .unauthorizedClient, .invalidRequest, .invalidClient, .invalidProof, .rateLimited,
        .temporarilyUnavailable,
      ], refusalForm: .oauthError
    ),
    Operation(
      method: .post, path: Endpoint.accounts, name: "register",
      summary: "Asks to be let in; an administrator approves or rejects", chapter: .signIn,
      body: .formOrJSON([
        clientID,
        Parameter(name: "phone_number", schema: .phoneNumber, note: "E.164", isRequired: true),
        Parameter(
          name: "name", schema: .personName, note: "what people call them", isRequired: true),
      ]),
      answers: [
        .json(
          .object([.required("status", .word(["pending"]))]),
          "also for a number that has an account already", status: 202
        )
      ],
      refusals: [
        .unauthorizedClient, .invalidRequest, .invalidClient, .invalidProof, .rateLimited,
        .temporarilyUnavailable,
      ], refusalForm: .oauthError
    ),
  ]

  private static let clientID = Parameter(
    name: "client_id", schema: .identifier, note: "the app", isRequired: true
  )
}
