internal import Cryptography
internal import HTTPServer
internal import JSONText
internal import SignInHTTP
internal import SignInModel
internal import SignInService
internal import SignInWire

/// The real server over a store that survives it, started and crashed as the seed has it.
final class SimulatedServer {
  /// Requests that go through the HTTP handler with signed proofs, or straight to the use cases,
  /// which is many times faster and leaves out only the parsing.
  let isWholeHandler: Bool
  let store: MemoryStore
  private(set) var life = ServerLife(number: 0)
  private(set) var world: World
  private var handler: FieldpassHandler
  private let simulation: SimulationReference

  init(_ simulation: SimulationReference, store: MemoryStore, isWholeHandler: Bool) {
    self.simulation = simulation
    self.store = store
    self.isWholeHandler = isWholeHandler
    world = Self.makeWorld(life, store, simulation)
    handler = Self.makeHandler(world)
  }

  var isUp: Bool { !life.isOver }

  /// Every task under way is abandoned at its `await`; only the store remains.
  func crash() { life.isOver = true }

  func restart() {
    life = ServerLife(number: life.number + 1)
    world = Self.makeWorld(life, store, simulation)
    handler = Self.makeHandler(world)
  }

  private static func makeWorld(
    _ life: ServerLife, _ store: MemoryStore, _ simulation: SimulationReference
  ) -> World {
    let outside = simulation.world
    return World(
      issuer: SimulatedKeys.issuer, clients: SimulatedPeople.clients,
      keyring: SimulatedKeys.keyring, store: LivingStore(store: store, life: life),
      clock: LivingClock(
        clock: outside.clock, life: life, isLate: outside.defect == .lateClock),
      randomness: outside.randomness,
      passwords: LivingPasswords(
        passwords: outside.passwords, life: life, simulation: simulation),
      proofs: MemoryProofLedger(),
      outboxRung: { if !life.isOver { simulation.world.ringOutbox() } },
      faultSeen: { _ in }
    )
  }

  private static func makeHandler(_ world: World) -> FieldpassHandler {
    FieldpassHandler(
      world: world, assets: WebAssets(files: [:]), development: nil, log: { _ in })
  }
}

// MARK: - Answering

extension SimulatedServer {
  /// The errand a request sends the server on.
  func errand(for request: WireRequest, at now: Instant) -> Errand {
    let form = request.form
    let kind: Errand.Kind
    switch (request.path, form["auth_session"], form["grant_type"]) {
    case (Endpoint.challenge, nil, _):
      kind =
        form["phone_number"] == nil
        ? .passwordSignIn(username: form["username"] ?? "") : .phoneSignIn
    case (Endpoint.challenge, let session?, _):
      kind = form["otp"].map { .verify(attempt: SHA256Digest.of(session), code: $0) } ?? .resend
    case (Endpoint.token, _, "refresh_token"): kind = .refresh(token: form["refresh_token"] ?? "")
    case (Endpoint.token, _, _): kind = .redeem(code: SHA256Digest.of(form["code"] ?? ""))
    case (Endpoint.revoke, _, _): kind = .revoke(token: form["token"] ?? "")
    default: kind = .read
    }
    return Errand(
      kind, in: life, isFromApp: request.isFromApp, device: request.key.thumbprint, at: now)
  }

  func answer(_ request: WireRequest) async -> (status: Int64, body: JSON) {
    if isWholeHandler || request.token != nil { return await answerThroughHandler(request) }
    return await answerDirectly(request)
  }

  private func answerThroughHandler(_ request: WireRequest) async -> (status: Int64, body: JSON) {
    var fields = [HTTPField("DPoP", request.key.proof(of: request))]
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
    do throws(JSONMalformed) {
      return (Int64(response.status), try JSONReader.read(response.body))
    } catch {
      preconditionFailure("the server answered \(request.path) with broken JSON")
    }
  }

  /// What the routes do, without bytes and signatures.
  private func answerDirectly(_ request: WireRequest) async -> (status: Int64, body: JSON) {
    guard let client = world.clients[ClientID(request.form["client_id"] ?? "")] else {
      return Self.refused(ErrorAnswer(.invalidClient))
    }
    if request.path != Endpoint.revoke, let refusal = refusalOfProof(request) {
      return Self.refused(refusal)
    }
    switch request.path {
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

  /// The two checks of a proof that depend on time and on what came before.
  private func refusalOfProof(_ request: WireRequest) -> ErrorAnswer? {
    let now = world.clock.now()
    let tolerance = DPoPProof.clockToleranceSeconds
    guard abs(request.issuedAt - now.seconds) <= tolerance,
      world.proofs.record(
        request.key.thumbprint + "." + request.proofID,
        until: Instant(seconds: request.issuedAt).adding(seconds: tolerance + 1), now: now
      )
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
    guard let text = form["phone_number"] else {
      let first = PasswordSignInRequest(
        terms: terms, username: form["username"] ?? "", password: Secret(form["password"] ?? ""))
      return Self.refused(await beginPasswordSignIn(first, in: world))
    }
    do throws(Malformed) {
      let first = PhoneSignInRequest(terms: terms, phone: try PhoneNumber(parsing: text))
      return Self.refused(await beginPhoneSignIn(first, in: world))
    } catch {
      return Self.refused(ErrorAnswer(.invalidRequest))
    }
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

  private static func refused(_ outcome: Outcome<Never>) -> (status: Int64, body: JSON) {
    switch outcome {
    case .refusal(let refusal): return refused(refusal)
    }
  }

  private static func refused(_ refusal: ErrorAnswer) -> (status: Int64, body: JSON) {
    (Int64(refusal.code.status), refusal.json)
  }
}
