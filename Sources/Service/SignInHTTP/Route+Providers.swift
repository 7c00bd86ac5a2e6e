import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  private static let browserPage = Answer(
    status: 400,
    note: "A page for the person: the sign-in is unknown, expired, or of another"
      + " browser", schema: .text, mediaType: "text/html")

  private static let back = Answer(
    status: 303,
    note: "To the app's redirect URI with code, state and iss, or with error and"
      + " reason: \(JourneyError.allCases.map(\.rawValue).joined(separator: ", "))")

  private static let answerParameters = [
    Parameter(.state, schema: .value, note: "Of this server's request", isRequired: true),
    Parameter(.code, schema: .value, note: "The provider's code"),
    Parameter(.error, schema: .value, note: "The provider's refusal"),
    Parameter(.iss, schema: .value, note: "RFC 9207"),
  ]

  static let ofProviders: [Route] = [
    Route(
      .post, .pushedRequest, proved: pushRequest,
      Operation(
        name: "pushAuthorizationRequest",
        summary: "Stores the request for a sign-in at an identity provider (RFC 9126)",
        chapter: .signIn,
        body: .form([
          clientID,
          Parameter(.responseType, schema: .word(["code"]), note: "RFC 6749", isRequired: true),
          Parameter(
            .provider, schema: .identifier, note: "One of the app's providers",
            isRequired: true),
          Parameter(.scope, schema: .value, note: "Words with a space between them"),
          Parameter(
            .codeChallenge,
            schema: .unreserved(PKCE.challengeLength...PKCE.challengeLength),
            note: "RFC 7636", isRequired: true),
          Parameter(
            .codeChallengeMethod, schema: .word([ChallengeForm.challengeMethod]), note: "RFC 7636",
            isRequired: true),
          Parameter(
            .redirectURI, schema: .text(upTo: RedirectURI.lengthLimit),
            note: "Where the result goes; needed if the app has several addresses"),
          Parameter(
            .state, schema: .text(upTo: ProviderJourney.Limits.stateBytes),
            note: "The result repeats it"),
          Parameter(
            .nonce, schema: .text(upTo: SignInLimits.nonceByteLimit),
            note: "The ID token repeats it"),
          Parameter(.organization, schema: .identifier, note: "The wanted organization"),
          Parameter(
            .loginHint, schema: .text(upTo: EmailAddress.lengthLimit),
            note: "The e-mail address that the person entered"),
        ]),
        contents: [ChallengeForm.self],
        answers: [
          .json(
            .object([
              .required(
                .requestURI, .text,
                "The parameter of the authorization endpoint"),
              .required(
                .expiresIn, .number,
                "Seconds until the browser must open it"),
            ]), "The request is stored", status: 201)
        ],
        refusals: [
          .invalidRequest, .invalidClient, .unsupportedResponseType, .rateLimited,
          .temporarilyUnavailable,
        ], refusalForm: .oauthError
      )),
    Route(
      .get, .authorize, .open, answer: authorize,
      Operation(
        name: "openAuthorizationRequest",
        summary: "Leads a browser to the identity provider of a stored request", chapter: .signIn,
        query: [
          clientID,
          Parameter(.requestURI, schema: .value, note: "Of the stored request", isRequired: true),
        ],
        contents: [AuthorizationQuery.self],
        answers: [
          Answer(status: 303, note: "To the provider, or to the app with error and reason"),
          browserPage,
        ]
      )),
    Route(
      .get, .providerCallback(.name), .open, answer: providerCallback,
      Operation(
        name: "returnFromProvider",
        summary: "Gets a browser back from an identity provider", chapter: .signIn,
        query: answerParameters, contents: [AuthorizationResult.self],
        answers: [back, browserPage]
      )),
    Route(
      .get, .signedOut, .open, answer: signedOut,
      Operation(
        name: "showSignedOut",
        summary: "The page after a sign-out at an identity provider", chapter: .signIn,
        answers: [
          Answer(
            status: 200, note: "A page for the person", schema: .text, mediaType: "text/html")
        ]
      )),
    Route(
      .post, .providerCallback(.name), .open, answer: providerPost,
      Operation(
        name: "postFromProvider",
        summary: "The same for a provider that posts its answer", chapter: .signIn,
        body: .form(answerParameters),
        contents: [AuthorizationResult.self],
        answers: [
          Answer(status: 303, note: "To the same path with GET and the same parameters"),
          browserPage,
        ]
      )),
  ]
}

extension Route {
  /// Stores an authorization request (RFC 9126).
  static func pushRequest(
    _ call: Call, _ proved: FormWithProof
  ) async throws(Refusal) -> HTTPResponse {
    guard proved.form[.requestURI] == nil else {
      throw Refusal.invalidRequest("request_uri is not allowed here")
    }
    let form = ChallengeForm(proved.form)
    guard let provider = form.provider else {
      throw Refusal.invalidRequest("provider is needed")
    }
    let pushed = try await push(form, provider, proved.client, proved.key, call)
    return .json(pushed.json, status: 201)
  }

  /// Stores the request of a first call, and tells the app to open a browser.
  static func redirectToWeb(
    _ form: ChallengeForm, provider: String, client: AppRegistration, thumbprint: String,
    _ call: Call
  ) async throws(Refusal) -> HTTPResponse {
    let pushed = try await push(form, provider, client, thumbprint, call)
    throw .redirectToWeb(requestURI: pushed.requestURI, expiresIn: pushed.expiresIn)
  }

  private static func push(
    _ form: ChallengeForm, _ provider: String, _ client: AppRegistration, _ thumbprint: String,
    _ call: Call
  ) async throws(Refusal) -> PushedRequestAnswer {
    // A page of another site must not begin sign-ins, which count against the browser's network.
    guard !CrossOrigin.isForeign(call.request, to: client) else {
      throw Refusal.invalidRequest("the origin of this web page is not registered for this app")
    }
    let thumbprint = thumbprint.isEmpty ? UnboundDevice.name(in: call.world) : thumbprint
    let terms = try readTerms(form, client: client, thumbprint: thumbprint, peer: call.peer)
    return try await beginProviderSignIn(
      ProviderSignInRequest(
        terms: terms, provider: provider, redirectURI: form.redirectURI,
        state: form.state, loginHint: form.loginHint ?? form.username),
      in: call.world)
  }

  /// Leads a browser to the provider of a stored request.
  static func authorize(_ call: Call) async throws(Refusal) -> HTTPResponse {
    guard call.request.method == .get, let query = query(of: call).map({ AuthorizationQuery($0) }),
      let client = query.clientID.flatMap({ call.world.clients[ClientID($0)] }),
      let request = query.requestURI
    else { return page(.unknown, call) }
    call.note(client.id)
    let step = await startProviderJourney(
      requestURI: request, client: client.id, cookie: BrowserCookie.value(in: call),
      in: call.world)
    return answer(step, call)
  }

  /// Gets a browser back from a provider.
  static func providerCallback(_ call: Call) async throws(Refusal) -> HTTPResponse {
    guard call.request.method == .get, let form = query(of: call).map({ AuthorizationResult($0) }),
      isAnswer(form)
    else { return page(.unknown, call) }
    let step = await finishProviderJourney(
      ProviderAnswer(
        provider: call.parameter(.name), state: form.state.map { Secret($0) }, code: form.code,
        error: form.error, issuer: form.issuer, cookie: BrowserCookie.value(in: call),
        peer: call.peer),
      in: call.world)
    return answer(step, call)
  }

  /// Some providers forget `state` when they refuse.
  private static func isAnswer(_ form: AuthorizationResult) -> Bool {
    form.state != nil || form.error != nil
  }

  /// Gets a browser back from a provider that posts its answer.
  ///
  /// A browser does not send the cookie with a `POST` from another site. So it is sent to the same
  /// path with a `GET`.
  static func providerPost(_ call: Call) async throws(Refusal) -> HTTPResponse {
    let body = String(decoding: call.request.body, as: UTF8.self)
    guard call.request.mediaType == "application/x-www-form-urlencoded",
      let form = unambiguous(Form(query: body)).map({ AuthorizationResult($0) }), isAnswer(form)
    else { return page(.unknown, call) }
    let path = Endpoint.providerCallback(.init(call.parameter(.name))).path
    guard call.world.providers?.provider(call.parameter(.name)) != nil else {
      return page(.unknown, call)
    }
    return redirect(to: call.world.issuer + path + "?" + form.form.encoded)
  }

  /// The query of a page; `nil` if a parameter that this server reads is repeated.
  ///
  /// Other parameters are of no concern, also if they are malformed.
  private static func query(of call: Call) -> Form? {
    unambiguous(Form(query: call.request.query ?? ""))
  }

  private static func unambiguous(_ form: Form) -> Form? {
    form.hasAtMostOne(of: [.clientID, .requestURI, .state, .code, .error, .iss]) ? form : nil
  }

  private static func answer(_ step: BrowserStep, _ call: Call) -> HTTPResponse {
    switch step {
    case .page(let fault): return page(fault, call)
    case .redirect(let address): return redirect(to: address)
    case .toProvider(let address, let cookie):
      var response = redirect(to: address)
      response.fields.append(HTTPField("Set-Cookie", BrowserCookie.field(cookie, call.world)))
      return response
    }
  }

  /// 303, so that the browser never repeats a form at another server (RFC 9700, section 4.12).
  private static func redirect(to address: String) -> HTTPResponse {
    HTTPResponse(status: 303, fields: [HTTPField("Location", address)])
  }

  /// The provider sends the browser here after a sign-out.
  ///
  /// Its `state` is the app that signed out. The page links to a registered address of that app,
  /// and to no other. An app on loopback has no page, and its port may vary.
  static func signedOut(_ call: Call) -> HTTPResponse {
    let issuer = call.world.issuer
    let client = query(of: call)?[.state].flatMap { call.world.clients[ClientID($0)] }
    let back = client?.redirectURIs(issuer: issuer).first {
      !$0.hasPrefix("http://") || $0.hasPrefix(issuer + "/")
    }
    return BrowserPage.signedOut(back: back, languages: call.languages(nil))
  }

  private static func page(_ fault: BrowserFault, _ call: Call) -> HTTPResponse {
    BrowserPage.answer(fault, languages: call.languages(nil))
  }
}

/// The cookie that shows that one browser began and ended a sign-in.
///
/// It is the same for all sign-ins of the browser, so that two tabs do not disturb each other.
enum BrowserCookie {
  /// The length of 32 bytes in base64url.
  private static let length = 43
  /// Browsers accept the prefix only with `Secure`, without `Domain` and with the path `/`.
  ///
  /// So no other server of the domain can set it.
  private static let secureName = "__Host-fieldpass-browser"
  /// For development without TLS.
  private static let plainName = "fieldpass-browser"

  private static func isSecure(_ world: World) -> Bool { world.issuer.hasPrefix("https://") }

  /// Nil if the browser sent none, or one that this server did not make.
  static func value(in call: Call) -> Secret? {
    let name = isSecure(call.world) ? secureName : plainName
    var found: [String] = []
    for field in call.request.values(of: "cookie") {
      for part in field.utf8.split(separator: UInt8(ascii: ";")) {
        let pair = part.drop { $0 == 0x20 }
        guard pair.starts(with: (name + "=").utf8) else { continue }
        found.append(String(decoding: pair.dropFirst(name.utf8.count + 1), as: UTF8.self))
      }
    }
    guard found.count == 1, found[0].utf8.count == length else { return nil }
    do throws(Malformed) {
      _ = try Base64URL.decode(found[0])
      return Secret(found[0])
    } catch {
      return nil
    }
  }

  static func field(_ value: Secret, _ world: World) -> String {
    let secure = isSecure(world)
    return "\(secure ? secureName : plainName)=\(value.revealed); Path=/; "
      + "Max-Age=\(ProviderJourney.Limits.seconds); HttpOnly; SameSite=Lax"
      + (secure ? "; Secure" : "")
  }
}
