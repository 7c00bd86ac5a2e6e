import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension World {
  /// The provider that signs in the people of the entered address's domain; `nil` if there is none.
  ///
  /// A request with a password is for this server, so that an address of such a domain can still
  /// have an account here.
  fileprivate func provider(of client: AppClient, ofEmail form: Form) -> String? {
    guard form["password"] == nil, let address = form["username"],
      let domain = address.split(separator: "@").last?.lowercased()
    else { return nil }
    return providers?.providers.first { provider in
      client.providers.contains(provider.name) && provider.settings.emailDomains.contains(domain)
    }?.name
  }
}

extension Route {
  /// The endpoint of first-party sign-in: a first call, a call with a code, a request for another
  /// code, or a request for the delivery status.
  static func challenge(_ call: Call) async -> HTTPResponse {
    let form: Form
    let client: AppClient
    let thumbprint: String
    switch FormWithProof.read(call) {
    case .success(let proved): (form, client, thumbprint) = (proved.form, proved.client, proved.key)
    case .refusal(let refusal): return .refusal(refusal)
    }
    guard let authSession = form["auth_session"] else {
      return await begin(form, client: client, thumbprint: thumbprint, call)
    }
    switch (form["otp"], form["resend"]) {
    case (let code?, nil):
      let answer = CodeAnswer(
        client: client, authSession: authSession, code: code, proofKeyThumbprint: thumbprint,
        peer: call.peer
      )
      switch await verifyCode(answer, in: call.world) {
      case .success(let code):
        return .json(.members([JSONMember("authorization_code", code.revealed)]))
      case .refusal(let refusal): return .refusal(refusal)
      }
    case (nil, "true"?):
      let channel = form["channel"].map { OutboxMessage.Channel(rawValue: $0) } ?? .sms
      guard let channel, channel != .email else {
        return .refusal(ErrorAnswer(.invalidRequest, "unknown channel"))
      }
      var request = ResendRequest(
        client: client, authSession: authSession, proofKeyThumbprint: thumbprint,
        peer: call.peer, channel: channel
      )
      request.languages = call.languages(form)
      return refused(await resendCode(request, in: call.world))
    case (nil, nil) where form["status"] == "true":
      let request = ResendRequest(
        client: client, authSession: authSession, proofKeyThumbprint: thumbprint, peer: call.peer
      )
      return refused(await showDeliveryStatus(request, in: call.world))
    default:
      return .refusal(ErrorAnswer(.invalidRequest, "one of otp and resend=true is needed"))
    }
  }

  private static func begin(
    _ form: Form, client: AppClient, thumbprint: String, _ call: Call
  ) async -> HTTPResponse {
    let world = call.world
    if let provider = form["provider"] ?? world.provider(of: client, ofEmail: form) {
      return await redirectToWeb(
        form, provider: provider, client: client, thumbprint: thumbprint, call)
    }
    var terms: SignInTerms
    let thumbprint = thumbprint.isEmpty ? UnboundDevice.name(in: world) : thumbprint
    switch readTerms(form, client: client, thumbprint: thumbprint, peer: call.peer) {
    case .success(let read): terms = read
    case .refusal(let refusal): return .refusal(refusal)
    }
    terms.languages = call.languages(form)
    switch client.signIn {
    case .passwordAndCode:
      guard let username = form["username"], let password = form["password"] else {
        return .refusal(ErrorAnswer(.invalidRequest, "username and password are needed"))
      }
      let request = PasswordSignInRequest(
        terms: terms, username: username, password: Secret(password)
      )
      return refused(await beginPasswordSignIn(request, in: world))
    case .phoneCode:
      guard let text = form["phone_number"] else {
        return .refusal(ErrorAnswer(.invalidRequest, "phone_number is needed"))
      }
      do throws(Malformed) {
        let request = PhoneSignInRequest(terms: terms, phone: try PhoneNumber(parsing: text))
        return refused(await beginPhoneSignIn(request, in: world))
      } catch {
        return .refusal(ErrorAnswer(.invalidRequest, "phone_number must be in E.164 form"))
      }
    }
  }

  static func readTerms(
    _ form: Form, client: AppClient, thumbprint: String, peer: String
  ) -> Outcome<SignInTerms> {
    guard form["response_type"] == "code" else {
      return .refusal(ErrorAnswer(.unsupportedResponseType, "response_type must be code"))
    }
    guard form["code_challenge_method"] == "S256", let challenge = form["code_challenge"],
      PKCE.isWellFormed(challenge: challenge)
    else {
      return .refusal(ErrorAnswer(.invalidRequest, "an S256 code_challenge is needed"))
    }
    if let nonce = form["nonce"], nonce.utf8.count > SignInLimits.nonceByteLimit {
      return .refusal(ErrorAnswer(.invalidRequest, "nonce is too long"))
    }
    let organization: OrganizationID?
    switch organizationAsked(form) {
    case .success(let asked): organization = asked
    case .refusal(let refusal): return .refusal(refusal)
    }
    let asked = (form["scope"] ?? "").utf8.split(separator: UInt8(ascii: " "))
    let granted = client.allowedScopes.filter { scope in
      asked.contains { $0.elementsEqual(scope.utf8) }
    }
    return .success(
      SignInTerms(
        client: client, scope: granted.joined(separator: " "), pkceChallenge: challenge,
        nonce: form["nonce"], organization: organization, proofKeyThumbprint: thumbprint,
        peer: peer
      )
    )
  }

  private static func organizationAsked(_ form: Form) -> Outcome<OrganizationID?> {
    guard let text = form["organization"] else { return .success(nil) }
    do throws(Malformed) { return .success(try OrganizationID(parsing: text)) } catch {
      return .refusal(ErrorAnswer(.invalidRequest, "organization is malformed"))
    }
  }

  /// Exchanges authorization codes and refresh tokens for access tokens (RFC 6749, section 3.2).
  static func token(_ call: Call) async -> HTTPResponse {
    // A service account authenticates in other ways than an app, so its form is read separately.
    if case .success(let form) = ClientForm.readForm(call),
      form["grant_type"] == "client_credentials"
    {
      return await serviceToken(call, form)
    }
    let proved: FormWithProof
    switch FormWithProof.read(call) {
    case .success(let read): proved = read
    case .refusal(let refusal): return .refusal(refusal)
    }
    let form = proved.form
    let outcome: Outcome<TokenAnswer>
    switch form["grant_type"] {
    case "authorization_code":
      guard let code = form["code"], let verifier = form["code_verifier"] else {
        return .refusal(ErrorAnswer(.invalidRequest, "code and code_verifier are needed"))
      }
      var request = CodeRedemption(
        client: proved.client, code: code, verifier: verifier, proofKeyThumbprint: proved.key,
        peer: call.peer
      )
      request.languages = call.languages(form)
      request.resource = form["resource"]
      outcome = await redeemCode(request, in: call.world)
    case "refresh_token":
      guard let token = form["refresh_token"] else {
        return .refusal(ErrorAnswer(.invalidRequest, "refresh_token is needed"))
      }
      switch organizationAsked(form) {
      case .refusal(let refusal): return .refusal(refusal)
      case .success(let organization):
        var request = RefreshRequest(
          client: proved.client, refreshToken: Secret(token), proofKeyThumbprint: proved.key,
          organization: organization, peer: call.peer
        )
        request.resource = form["resource"]
        outcome = await refreshSession(request, in: call.world)
      }
    case nil: return .refusal(ErrorAnswer(.invalidRequest, "grant_type is needed"))
    default: return .refusal(ErrorAnswer(.unsupportedGrantType))
    }
    switch outcome {
    case .success(let answer): return .json(answer.json)
    case .refusal(let refusal): return .refusal(refusal)
    }
  }

  /// Revokes a token (RFC 7009).
  ///
  /// The status is 200 for unknown tokens too.
  static func revoke(_ call: Call) async -> HTTPResponse {
    switch ClientForm.read(call) {
    case .refusal(let refusal): return .refusal(refusal)
    case .success(let read):
      guard let token = read.form["token"] else {
        return .refusal(ErrorAnswer(.invalidRequest, "token is needed"))
      }
      let request = RevocationRequest(
        client: read.client, token: Secret(token), peer: call.peer
      )
      switch await revokeToken(request, in: call.world) {
      case .success(let signOut):
        return .json(
          .members([JSONMember("end_session_uri", ifPresent: signOut.providerAddress)]))
      case .refusal(let refusal): return .refusal(refusal)
      }
    }
  }

  private static func refused(_ outcome: Outcome<Never>) -> HTTPResponse {
    switch outcome {
    case .refusal(let refusal): return .refusal(refusal)
    }
  }
}
