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
  fileprivate func provider(of client: AppRegistration, ofEmail form: Form) -> String? {
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
  static func challenge(_ call: Call) async throws(Refusal) -> HTTPResponse {
    let proved = try FormWithProof.read(call)
    let (form, client, thumbprint) = (proved.form, proved.client, proved.key)
    guard let authSession = form["auth_session"] else {
      return try await begin(form, client: client, thumbprint: thumbprint, call)
    }
    switch (form["otp"], form["resend"]) {
    case (let code?, nil):
      let answer = CodeAnswer(
        client: client, authSession: authSession, code: code, proofKeyThumbprint: thumbprint,
        peer: call.peer
      )
      let code = try await verifyCode(answer, in: call.world)
      return .json(.members([JSONMember("authorization_code", code.revealed)]))
    case (nil, "true"?):
      let channel = form["channel"].map { OutboxMessage.Channel(rawValue: $0) } ?? .sms
      guard let channel, channel != .email else {
        throw Refusal.invalidRequest("unknown channel")
      }
      var request = ResendRequest(
        client: client, authSession: authSession, proofKeyThumbprint: thumbprint,
        peer: call.peer, channel: channel
      )
      request.languages = call.languages(form)
      return sent(try await resendCode(request, in: call.world))
    case (nil, nil) where form["status"] == "true":
      let request = ResendRequest(
        client: client, authSession: authSession, proofKeyThumbprint: thumbprint, peer: call.peer
      )
      return sent(try await showDeliveryStatus(request, in: call.world))
    default:
      throw Refusal.invalidRequest("one of otp and resend=true is needed")
    }
  }

  private static func begin(
    _ form: Form, client: AppRegistration, thumbprint: String, _ call: Call
  ) async throws(Refusal) -> HTTPResponse {
    let world = call.world
    if let provider = form["provider"] ?? world.provider(of: client, ofEmail: form) {
      return try await redirectToWeb(
        form, provider: provider, client: client, thumbprint: thumbprint, call)
    }
    var terms: SignInTerms
    let thumbprint = thumbprint.isEmpty ? UnboundDevice.name(in: world) : thumbprint
    terms = try readTerms(form, client: client, thumbprint: thumbprint, peer: call.peer)
    terms.languages = call.languages(form)
    switch client.signIn {
    case .passwordAndCode:
      guard let username = form["username"], let password = form["password"] else {
        throw Refusal.invalidRequest("username and password are needed")
      }
      let request = PasswordSignInRequest(
        terms: terms, username: username, password: Secret(password)
      )
      return sent(try await beginPasswordSignIn(request, in: world))
    case .phoneCode:
      guard let text = form["phone_number"] else {
        throw Refusal.invalidRequest("phone_number is needed")
      }
      let phone: PhoneNumber
      do throws(Malformed) { phone = try PhoneNumber(parsing: text) } catch {
        throw Refusal.invalidRequest("phone_number must be in E.164 form")
      }
      return sent(
        try await beginPhoneSignIn(PhoneSignInRequest(terms: terms, phone: phone), in: world))
    }
  }

  static func readTerms(
    _ form: Form, client: AppRegistration, thumbprint: String, peer: String
  ) throws(Refusal) -> SignInTerms {
    guard form["response_type"] == "code" else {
      throw Refusal.unsupportedResponseType
    }
    guard form["code_challenge_method"] == "S256", let challenge = form["code_challenge"],
      PKCE.isWellFormed(challenge: challenge)
    else {
      throw Refusal.invalidRequest("an S256 code_challenge is needed")
    }
    if let nonce = form["nonce"], nonce.utf8.count > SignInLimits.nonceByteLimit {
      throw Refusal.invalidRequest("nonce is too long")
    }
    let organization = try organizationAsked(form)
    let asked = (form["scope"] ?? "").utf8.split(separator: UInt8(ascii: " "))
    let granted = client.allowedScopes.filter { scope in
      asked.contains { $0.elementsEqual(scope.utf8) }
    }
    return SignInTerms(
      client: client, scope: granted.joined(separator: " "), pkceChallenge: challenge,
      nonce: form["nonce"], organization: organization, proofKeyThumbprint: thumbprint,
      peer: peer
    )
  }

  private static func organizationAsked(_ form: Form) throws(Refusal) -> OrganizationID? {
    guard let text = form["organization"] else { return nil }
    do throws(Malformed) { return try OrganizationID(parsing: text) } catch {
      throw Refusal.invalidRequest("organization is malformed")
    }
  }

  /// Exchanges authorization codes and refresh tokens for access tokens (RFC 6749, section 3.2).
  static func token(_ call: Call) async throws(Refusal) -> HTTPResponse {
    // A service account authenticates in other ways than an app, so its form is read separately.
    let unread = try ClientForm.readForm(call)
    if unread["grant_type"] == "client_credentials" {
      return try await serviceToken(call, unread)
    }
    let proved = try FormWithProof.read(call)
    let form = proved.form
    switch form["grant_type"] {
    case "authorization_code":
      guard let code = form["code"], let verifier = form["code_verifier"] else {
        throw Refusal.invalidRequest("code and code_verifier are needed")
      }
      var request = CodeRedemption(
        client: proved.client, code: code, verifier: verifier, proofKeyThumbprint: proved.key,
        peer: call.peer
      )
      request.languages = call.languages(form)
      request.resource = form["resource"]
      switch try await redeemCode(request, in: call.world) {
      case .tokens(let answer): return .json(answer.json)
      case .challenge(let challenge): return sent(challenge)
      }
    case "refresh_token":
      guard let token = form["refresh_token"] else {
        throw Refusal.invalidRequest("refresh_token is needed")
      }
      let organization = try organizationAsked(form)
      var request = RefreshRequest(
        client: proved.client, refreshToken: Secret(token), proofKeyThumbprint: proved.key,
        organization: organization, peer: call.peer
      )
      request.resource = form["resource"]
      return .json(try await refreshSession(request, in: call.world).json)
    case nil: throw Refusal.invalidRequest("grant_type is needed")
    default: throw Refusal.unsupportedGrantType
    }
  }

  /// Revokes a token (RFC 7009).
  ///
  /// The status is 200 for unknown tokens too.
  static func revoke(_ call: Call) async throws(Refusal) -> HTTPResponse {
    let read = try ClientForm.read(call)
    guard let token = read.form["token"] else {
      throw Refusal.invalidRequest("token is needed")
    }
    let request = RevocationRequest(
      client: read.client, token: Secret(token), peer: call.peer
    )
    let signOut = try await revokeToken(request, in: call.world)
    return .json(
      .members([JSONMember("end_session_uri", ifPresent: signOut.providerAddress)]))
  }

  /// First-party sign-in answers a first step with the error `insufficient_authorization`
  /// (draft-ietf-oauth-first-party-apps-04).
  static func sent(_ challenge: SentChallenge) -> HTTPResponse {
    .refusal(.insufficientAuthorization(challenge.authSession, challenge.prompt))
  }
}
