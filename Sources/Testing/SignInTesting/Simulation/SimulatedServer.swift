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
  private(set) var handler: FieldpassHandler
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
      keyring: SimulatedKeys.keyring,
      store: LivingStore(store: store, life: life, simulation: simulation),
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
        Self.phone(in: form).map { .phoneSignIn($0) }
        ?? .passwordSignIn(username: Self.username(in: form))
    case (Endpoint.challenge, let session?, _):
      kind =
        form["otp"].map { .verify(attempt: DatedHandle.digest(of: session), code: $0) } ?? .resend
    case (Endpoint.token, _, "refresh_token"): kind = .refresh(token: form["refresh_token"] ?? "")
    case (Endpoint.token, _, _): kind = .redeem(code: DatedHandle.digest(of: form["code"] ?? ""))
    case (Endpoint.revoke, _, _): kind = .revoke(token: form["token"] ?? "")
    case (Endpoint.forgotPassword, _, _): kind = .forgot(username: Self.username(in: form))
    case (Endpoint.resetPassword, _, _):
      let digest = DatedHandle.digest(of: form["reset_session"] ?? "")
      kind = .reset(reset: digest, code: form["otp"] ?? "")
    case (Endpoint.accounts, _, _): kind = .registration
    default: kind = .read
    }
    return Errand(
      kind, in: life, isFromApp: request.isFromApp, device: request.provedKey ?? "", at: now)
  }

  /// However it is spelled, one address is one address (L-09).
  private static func username(in form: Form) -> String {
    let text = form["username"] ?? ""
    do throws(Malformed) { return try EmailAddress(parsing: text).text } catch { return text }
  }

  static func phone(in form: Form) -> PhoneNumber? {
    guard let text = form["phone_number"] else { return nil }
    do throws(Malformed) { return try PhoneNumber(parsing: text) } catch { return nil }
  }
}
