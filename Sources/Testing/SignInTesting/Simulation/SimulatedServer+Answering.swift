internal import Cryptography
internal import HTTPServer
internal import JSONText
internal import SignInHTTP
internal import SignInModel
internal import SignInService
internal import SignInWire

// Answers requests through the HTTP handler or directly by the use cases.
extension SimulatedServer {
  func answer(_ request: WireRequest) async -> (status: Int64, body: JSON) {
    if isWholeHandler || request.token != nil { return await answerThroughHandler(request) }
    return await answerDirectly(request)
  }

  private func answerThroughHandler(_ request: WireRequest) async -> (status: Int64, body: JSON) {
    var fields: [HTTPField] = []
    if request.isProved { fields.append(HTTPField("DPoP", request.key.proof(of: request))) }
    if let token = request.token { fields.append(HTTPField("Authorization", "DPoP \(token)")) }
    var body: [UInt8] = []
    if request.method == "POST" {
      fields.append(HTTPField("Content-Type", "application/x-www-form-urlencoded"))
      body = Array(request.form.encoded.utf8)
    }
    let response = await handler.answer(
      HTTPRequest(
        method: request.method == "POST" ? .post : .get, path: request.path, fields: fields,
        body: body
      )
    )
    if response.body.isEmpty { return (Int64(response.status), .null) }
    do throws(JSONMalformed) {
      return (Int64(response.status), try JSONReader.read(response.body))
    } catch {
      preconditionFailure("the server answered \(request.path) with broken JSON")
    }
  }

  /// Does the work of the routes without bytes and signatures.
  private func answerDirectly(_ request: WireRequest) async -> (status: Int64, body: JSON) {
    if request.path != Endpoint.revoke, request.isProved, let refusal = refusalOfProof(request) {
      return Self.refused(refusal)
    }
    if request.path == Endpoint.resetPassword { return await reset(request) }
    guard let client = world.clients[ClientID(request.form["client_id"] ?? "")] else {
      return Self.refused(ErrorAnswer(.invalidClient))
    }
    switch request.path {
    case Endpoint.forgotPassword: return await forgot(request, client)
    case Endpoint.accounts: return await register(request, client)
    case Endpoint.challenge: return await challenge(request, client)
    case Endpoint.token: return await token(request, client)
    default:
      let revocation = RevocationRequest(
        client: client, token: Secret(request.form["token"] ?? ""))
      switch await revokeToken(revocation, in: world) {
      case .success: return (200, .object([]))
      case .refusal(let refusal): return Self.refused(refusal)
      }
    }
  }

  /// The two checks of a proof that depend on time and on earlier proofs.
  private func refusalOfProof(_ request: WireRequest) -> ErrorAnswer? {
    let now = world.clock.now()
    let tolerance = DPoPProof.clockToleranceSeconds
    guard abs(request.issuedAt - now.seconds) <= tolerance,
      world.proofs.record(
        request.key.thumbprint + "." + request.proofID, from: nil,
        until: Instant(seconds: request.issuedAt).adding(seconds: tolerance + 1), now: now
      ) == .recorded
    else { return ErrorAnswer(.invalidProof) }
    return nil
  }

  private func challenge(
    _ request: WireRequest, _ client: AppClient
  ) async -> (status: Int64, body: JSON) {
    let form = request.form
    let key = request.key.thumbprint
    if let session = form["auth_session"] {
      if let code = form["otp"] {
        let answer = CodeAnswer(
          client: client, authSession: session, code: code, proofKeyThumbprint: key)
        switch await verifyCode(answer, in: world) {
        case .success(let code):
          return (200, .members([JSONMember("authorization_code", code.revealed)]))
        case .refusal(let refusal): return Self.refused(refusal)
        }
      }
      return Self.refused(
        await resendCode(
          ResendRequest(client: client, authSession: session, proofKeyThumbprint: key), in: world)
      )
    }
    let terms = SignInTerms(
      client: client, scope: form["scope"] ?? "", pkceChallenge: form["code_challenge"] ?? "",
      nonce: nil, organization: nil, proofKeyThumbprint: key
    )
    guard form["phone_number"] != nil else {
      let first = PasswordSignInRequest(
        terms: terms, username: form["username"] ?? "", password: Secret(form["password"] ?? ""))
      return Self.refused(await beginPasswordSignIn(first, in: world))
    }
    guard let phone = Self.phone(in: form) else {
      return Self.refused(ErrorAnswer(.invalidRequest))
    }
    let first = PhoneSignInRequest(terms: terms, phone: phone)
    return Self.refused(await beginPhoneSignIn(first, in: world))
  }

  private func token(
    _ request: WireRequest, _ client: AppClient
  ) async -> (status: Int64, body: JSON) {
    let form = request.form
    let key = request.key.thumbprint
    let outcome: Outcome<TokenAnswer>
    if let token = form["refresh_token"] {
      outcome = await refreshSession(
        RefreshRequest(client: client, refreshToken: Secret(token), proofKeyThumbprint: key),
        in: world
      )
    } else {
      outcome = await redeemCode(
        CodeRedemption(
          client: client, code: form["code"] ?? "", verifier: form["code_verifier"] ?? "",
          proofKeyThumbprint: key
        ),
        in: world
      )
    }
    switch outcome {
    case .success(let answer): return (200, answer.json)
    case .refusal(let refusal): return Self.refused(refusal)
    }
  }

  private func forgot(
    _ request: WireRequest, _ client: AppClient
  ) async -> (status: Int64, body: JSON) {
    let request = PasswordResetRequest(
      client: client, username: request.form["username"] ?? "",
      proofKeyThumbprint: request.provedKey, peer: nil
    )
    switch await requestPasswordReset(request, in: world) {
    case .success(let answer): return (200, answer.json)
    case .refusal(let refusal): return Self.refused(refusal)
    }
  }

  private func reset(_ request: WireRequest) async -> (status: Int64, body: JSON) {
    let form = request.form
    let answer = PasswordResetAnswer(
      resetSession: form["reset_session"] ?? "", code: form["otp"] ?? "",
      password: Secret(form["password"] ?? ""), proofKeyThumbprint: request.provedKey, peer: nil
    )
    switch await resetPassword(answer, in: world) {
    case .success: return (204, .null)
    case .refusal(let refusal): return Self.refused(refusal)
    }
  }

  private func register(
    _ request: WireRequest, _ client: AppClient
  ) async -> (status: Int64, body: JSON) {
    let registration: Registration
    do throws(Malformed) {
      registration = Registration(
        client: client, phone: try PhoneNumber(parsing: request.form["phone_number"] ?? ""),
        name: try PersonName(parsing: request.form["name"] ?? ""),
        proofKeyThumbprint: request.provedKey, peer: nil
      )
    } catch {
      return Self.refused(ErrorAnswer(.invalidRequest))
    }
    switch await registerAccount(registration, in: world) {
    case .success(let status):
      return (202, .members([JSONMember("status", status.rawValue)]))
    case .refusal(let refusal): return Self.refused(refusal)
    }
  }

  private static func refused(_ outcome: Outcome<Never>) -> (status: Int64, body: JSON) {
    switch outcome {
    case .refusal(let refusal): return refused(refusal)
    }
  }

  private static func refused(_ refusal: ErrorAnswer) -> (status: Int64, body: JSON) {
    (Int64(refusal.code.status), refusal.json)
  }
}
