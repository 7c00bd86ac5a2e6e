import HTTPServer
import JSONText
import SignInModel
import SignInRules
import SignInService
import SignInWire

extension Route {
  private static let basicAuthentication = Parameter(
    name: "Authorization", schema: .text(upTo: ServiceCredentials.basicLengthLimit),
    note: "For a service account: HTTP Basic, instead of client_id and client_secret")

  /// The parameters with which a service account authenticates in a form.
  private static let serviceCredentials = [
    Parameter(
      .clientID, schema: .identifier,
      note: "The app or the service account; not needed with HTTP Basic or an assertion"),
    Parameter(
      .clientSecret,
      schema: .text(
        upTo: ServiceAccount.secretByteLimits.upperBound,
        atLeast: ServiceAccount.secretByteLimits.lowerBound), note: "For a service account"),
    Parameter(
      .clientAssertionType, schema: .word([ServiceCredentials.assertionType]),
      note: "With client_assertion"),
    Parameter(
      .clientAssertion, schema: .text(upTo: CompactJWS.lengthLimit),
      note: "For a service account; RFC 7523, signed with"
        + " \(ServiceKey.Algorithm.allCases.map(\.rawValue).joined(separator: ", ")), valid for at"
        + " most \(ServiceAccount.assertionSeconds) seconds and used once"),
  ]

  static let ofSignIn: [Route] = [
    Route(
      .post, .challenge, proved: challenge,
      Operation(
        name: "signIn",
        summary:
          "First-party sign-in (draft-ietf-oauth-first-party-apps-04): first the credentials,"
          + " then auth_session with otp, or with resend=true",
        chapter: .signIn,
        body: .form([
          clientID,
          Parameter(.responseType, schema: .word(["code"]), note: "First call"),
          Parameter(.scope, schema: .value, note: "First call; words with a space between them"),
          Parameter(
            .codeChallenge,
            schema: .unreserved(PKCE.challengeLength...PKCE.challengeLength),
            note: "First call; RFC 7636"),
          Parameter(
            .codeChallengeMethod, schema: .word([ChallengeForm.challengeMethod]), note: "First call"
          ),
          Parameter(
            .nonce, schema: .text(upTo: SignInLimits.nonceByteLimit),
            note: "First call; the ID token repeats it"),
          Parameter(.organization, schema: .identifier, note: "First call"),
          Parameter(
            .username, schema: .text(upTo: EmailAddress.lengthLimit),
            note: "First call, with password"),
          Parameter(
            .password, schema: .text(upTo: NewPassword.byteLimit),
            note: "First call, with username"),
          Parameter(
            .phoneNumber, schema: .phoneNumber,
            note: "First call of an app with sign-in by phone number; E.164"),
          Parameter(
            .provider, schema: .identifier,
            note: "First call, instead of credentials: the identity provider to sign in at"),
          Parameter(
            .redirectURI, schema: .text(upTo: RedirectURI.lengthLimit),
            note: "With provider: where the result goes; needed if the app has several addresses"),
          Parameter(
            .state, schema: .text(upTo: ProviderJourney.Limits.stateBytes),
            note: "With provider: the result repeats it"),
          Parameter(
            .loginHint, schema: .text(upTo: EmailAddress.lengthLimit),
            note: "With provider: the e-mail address that the person entered"),
          Parameter(.authSession, schema: .value, note: "Next calls"),
          Parameter(.otp, schema: .code, note: "Next calls: the code that was sent"),
          Parameter(.resend, schema: .word(["true"]), note: "Next calls: send another code"),
          Parameter(
            .channel, schema: .word(["sms", "voice"]),
            note: "With resend: the channel for the code"
          ),
          Parameter(
            .status, schema: .word(["true"]),
            note: "Next calls: return the delivery status of the message"
          ),
          languages,
        ]),
        contents: [ChallengeForm.self],
        answers: [
          .json(
            .object([.required(.authorizationCode, .text)]),
            "The sign-in is complete; redeem the code at the token endpoint within a minute"
          )
        ],
        refusals: [
          .insufficientAuthorization, .invalidCredentials, .accountNotRegistered,
          .accountDeactivated, .accountPending, .accountLocked, .invalidOTP, .otpExpired,
          .resendTooSoon, .rateLimited, .deliveryFailed, .notAMember, .invalidSession,
          .redirectToWeb,
          .invalidRequest, .invalidClient,
          .unsupportedResponseType, .temporarilyUnavailable,
        ], refusalForm: .challengeError
      )),
    Route(
      .post, .token, sentBy: token,
      Operation(
        name: "obtainTokens",
        summary:
          "Redeems an authorization code, refreshes a session, or issues a token to a service"
          + " account (RFC 6749)",
        chapter: .signIn,
        fields: [basicAuthentication],
        body: .form(
          [
            Parameter(
              .grantType,
              schema: .word(TokenForm.GrantType.allCases.map(\.rawValue)),
              note: "The kind of grant", isRequired: true
            ),
            Parameter(
              .scope, schema: .value,
              note:
                "With client_credentials; the default is all scopes of the service account. With"
                + " refresh_token, openid asks for another ID token; the scope stays the same"),
            Parameter(.code, schema: .value, note: "With authorization_code"),
            Parameter(
              .codeVerifier, schema: .unreserved(PKCE.verifierLimits),
              note: "With authorization_code; RFC 7636"),
            Parameter(
              .refreshToken, schema: .text(upTo: SignInLimits.refreshTokenByteLimit),
              note: "With refresh_token"),
            Parameter(
              .organization, schema: .identifier,
              note: "With refresh_token: ends this session and begins one in this organization"
            ),
            Parameter(
              .resource, schema: .value,
              note:
                "The only API that the access token is for (RFC 8707), an audience of the app or"
                + " the service account; the default is this server and all audiences"
            ),
            languages,
          ] + serviceCredentials),
        contents: [TokenForm.self, ClientCredentials.self],
        answers: [
          .json(.reference(.tokens), "Tokens that are bound to the key of the proof (RFC 9449)")
        ],
        refusals: [
          .invalidGrant, .insufficientAuthorization, .resendTooSoon, .accountLocked, .notAMember,
          .invalidRequest, .invalidClient, .invalidTarget, .invalidScope, .rateLimited,
          .unsupportedGrantType, .temporarilyUnavailable,
        ], refusalForm: .challengeError
      )),
    Route(
      .post, .revoke, .open, answer: revoke,
      Operation(
        name: "revokeToken",
        summary: "Ends the session of a token (RFC 7009)", chapter: .signIn,
        body: .form([
          clientID,
          Parameter(
            .token, schema: .value, note: "An access token or a refresh token",
            isRequired: true),
        ]),
        contents: [RevocationForm.self],
        answers: [
          .json(
            .object([
              .optional(
                .endSessionURI, .text,
                "Where the app opens a browser, so that the person signs out of the provider too")
            ]), "The session has ended, or the token is unknown")
        ],
        refusals: [.invalidRequest, .invalidClient, .temporarilyUnavailable],
        refusalForm: .oauthError
      )),
    Route(
      .post, .introspect, .open, answer: introspect,
      Operation(
        name: "introspectToken",
        summary:
          "Describes an access token to a service account with the scope introspect (RFC 7662)",
        chapter: .signIn,
        fields: [basicAuthentication],
        body: .form(
          [
            Parameter(.token, schema: .value, note: "An access token", isRequired: true)
          ]
            + serviceCredentials),
        contents: [IntrospectionForm.self, ClientCredentials.self],
        answers: [
          .json(
            .object([
              .required(.active, .flag, "false if the token is not valid now"),
              .optional(.scope, .text), .optional(.clientID, .text), .optional(.sub, .text),
              .optional(.iss, .text), .optional(.exp, .number), .optional(.iat, .number),
              .optional(.jti, .text), .optional(.tokenType, .word(["Bearer", "DPoP"])),
              .optional(.aud, .anything, "A text or a list of texts"),
              .optional(.cnf, .object([.required(.jkt, .text)]), "The key that proofs must have"),
              .optional(.sid, .text), .optional(.org, .text), .optional(.authTime, .number),
              .optional(.amr, .list(.text)), .optional(.acr, .text),
            ]), "The claims, with those that the app's configuration adds"
          )
        ],
        refusals: [
          .invalidRequest, .invalidClient, .unauthorizedClient, .rateLimited,
          .temporarilyUnavailable,
        ], refusalForm: .oauthError
      )),
  ]

  /// As in OpenID Connect Core, section 3.1.2.1.
  static let languages = Parameter(
    .uiLocales, schema: .value,
    note: "The languages of messages, the preferred one first; the default is Accept-Language")

  static let clientID = Parameter(
    .clientID, schema: .identifier, note: "The app", isRequired: true
  )
}

extension World {
  /// The provider that signs in the people of the entered address's domain; `nil` if there is none.
  ///
  /// A request with a password is for this server, so that an address of such a domain can still
  /// have an account here.
  fileprivate func provider(of client: AppRegistration, ofEmail form: ChallengeForm) -> String? {
    guard form.password == nil, let text = form.username else { return nil }
    let domain: String
    do throws(Malformed) { domain = try EmailAddress(parsing: text).domain } catch { return nil }
    return providers?.providers.first { provider in
      client.providers.contains(provider.name) && provider.settings.emailDomains.contains(domain)
    }?.name
  }
}

extension Route {
  /// The endpoint of first-party sign-in: a first call, a call with a code, a request for another
  /// code, or a request for the delivery status.
  static func challenge(
    _ call: Call, _ proved: FormWithProof
  ) async throws(Refusal) -> HTTPResponse {
    let (client, thumbprint) = (proved.client, proved.key)
    let form = ChallengeForm(proved.form)
    guard let authSession = form.authSession else {
      return try await begin(form, client: client, thumbprint: thumbprint, call)
    }
    switch (form.otp, form.resend) {
    case (let code?, nil):
      let answer = CodeAnswer(
        client: client, authSession: authSession, code: code, proofKeyThumbprint: thumbprint,
        peer: call.peer
      )
      let code = try await verifyCode(answer, in: call.world)
      return .json(AuthorizationCodeAnswer(code: code).json)
    case (nil, true?):
      let channel = form.channel.map { OutboxMessage.Channel(rawValue: $0) } ?? .sms
      guard let channel, channel != .email else {
        throw Refusal.invalidRequest("unknown channel")
      }
      var request = ResendRequest(
        client: client, authSession: authSession, proofKeyThumbprint: thumbprint,
        peer: call.peer, channel: channel
      )
      request.languages = call.languages(form.uiLocales)
      return sent(try await resendCode(request, in: call.world))
    case (nil, nil) where form.status == true:
      let request = ResendRequest(
        client: client, authSession: authSession, proofKeyThumbprint: thumbprint, peer: call.peer
      )
      return sent(try await showDeliveryStatus(request, in: call.world))
    default:
      throw Refusal.invalidRequest("one of otp and resend=true is needed")
    }
  }

  private static func begin(
    _ form: ChallengeForm, client: AppRegistration, thumbprint: String, _ call: Call
  ) async throws(Refusal) -> HTTPResponse {
    let world = call.world
    if let provider = form.provider ?? world.provider(of: client, ofEmail: form) {
      return try await redirectToWeb(
        form, provider: provider, client: client, thumbprint: thumbprint, call)
    }
    var terms: SignInTerms
    let thumbprint = thumbprint.isEmpty ? UnboundDevice.name(in: world) : thumbprint
    terms = try readTerms(form, client: client, thumbprint: thumbprint, peer: call.peer)
    terms.languages = call.languages(form.uiLocales)
    switch client.signIn {
    case .passwordAndCode:
      guard let username = form.username, let password = form.password else {
        throw Refusal.invalidRequest("username and password are needed")
      }
      let request = PasswordSignInRequest(terms: terms, username: username, password: password)
      return sent(try await beginPasswordSignIn(request, in: world))
    case .phoneCode:
      guard let text = form.phoneNumber else {
        throw Refusal.invalidRequest("phone_number is needed")
      }
      let phone: PhoneNumber
      do throws(Malformed) { phone = try PhoneNumber(parsing: text) } catch {
        throw Refusal.malformedNumber(error)
      }
      return sent(
        try await beginPhoneSignIn(PhoneSignInRequest(terms: terms, phone: phone), in: world))
    }
  }

  static func readTerms(
    _ form: ChallengeForm, client: AppRegistration, thumbprint: String, peer: String
  ) throws(Refusal) -> SignInTerms {
    guard form.responseType == "code" else {
      throw Refusal.unsupportedResponseType
    }
    guard form.codeChallengeMethod == ChallengeForm.challengeMethod,
      let challenge = form.codeChallenge,
      PKCE.isWellFormed(challenge: challenge)
    else {
      throw Refusal.invalidRequest("an S256 code_challenge is needed")
    }
    if let nonce = form.nonce, nonce.utf8.count > SignInLimits.nonceByteLimit {
      throw Refusal.invalidRequest("nonce is too long")
    }
    let organization = try organizationAsked(form.organization)
    let asked = (form.scope ?? "").utf8.split(separator: UInt8(ascii: " "))
    let granted = client.allowedScopes.filter { scope in
      asked.contains { $0.elementsEqual(scope.utf8) }
    }
    return SignInTerms(
      client: client, scope: granted.joined(separator: " "), pkceChallenge: challenge,
      nonce: form.nonce, organization: organization, proofKeyThumbprint: thumbprint,
      peer: peer
    )
  }

  private static func organizationAsked(_ text: String?) throws(Refusal) -> OrganizationID? {
    guard let text else { return nil }
    do throws(Malformed) { return try OrganizationID(parsing: text) } catch {
      throw Refusal.invalidRequest("organization is malformed")
    }
  }

  /// Exchanges authorization codes and refresh tokens for access tokens (RFC 6749, section 3.2).
  static func token(
    _ call: Call, from sender: TokenSender
  ) async throws(Refusal) -> HTTPResponse {
    switch sender {
    case .app(let proved): try await token(call, proved)
    case .service(let form): try await serviceToken(call, form)
    }
  }

  private static func token(
    _ call: Call, _ proved: FormWithProof
  ) async throws(Refusal) -> HTTPResponse {
    let form = TokenForm(proved.form)
    switch form.grant {
    case .authorizationCode?:
      guard let code = form.code, let verifier = form.codeVerifier else {
        throw Refusal.invalidRequest("code and code_verifier are needed")
      }
      var request = CodeRedemption(
        client: proved.client, code: code, verifier: verifier, proofKeyThumbprint: proved.key,
        peer: call.peer
      )
      request.languages = call.languages(form.uiLocales)
      request.resource = form.resource
      request.device = DeviceName(userAgent: call.request.values(of: "user-agent").first)
      switch try await redeemCode(request, in: call.world) {
      case .tokens(let answer): return .json(answer.json)
      case .challenge(let challenge): return sent(challenge)
      }
    case .refreshToken?:
      guard let token = form.refreshToken else {
        throw Refusal.invalidRequest("refresh_token is needed")
      }
      let organization = try organizationAsked(form.organization)
      var request = RefreshRequest(
        client: proved.client, refreshToken: token, proofKeyThumbprint: proved.key,
        organization: organization, peer: call.peer
      )
      request.resource = form.resource
      request.includesIDToken = form.scope?.split(separator: " ").contains("openid") ?? false
      return .json(try await refreshSession(request, in: call.world).json)
    case .clientCredentials?, nil:
      throw form.grantType == nil
        ? Refusal.invalidRequest("grant_type is needed") : Refusal.unsupportedGrantType
    }
  }

  /// Revokes a token (RFC 7009).
  ///
  /// The status is 200 for unknown tokens too.
  static func revoke(_ call: Call) async throws(Refusal) -> HTTPResponse {
    let read = try ClientForm.read(call)
    guard let token = RevocationForm(read.form).token else {
      throw Refusal.invalidRequest("token is needed")
    }
    let request = RevocationRequest(client: read.client, token: token, peer: call.peer)
    let signOut = try await revokeToken(request, in: call.world)
    return .json(RevocationAnswer(signOutPage: signOut.providerAddress).json)
  }

  /// First-party sign-in answers a first step with the error `insufficient_authorization`
  /// (draft-ietf-oauth-first-party-apps-04).
  static func sent(_ challenge: SentChallenge) -> HTTPResponse {
    .refusal(.insufficientAuthorization(challenge.authSession, challenge.prompt))
  }
}
