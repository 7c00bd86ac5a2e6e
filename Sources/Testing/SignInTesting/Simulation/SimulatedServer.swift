internal import HTTPServer
internal import JSONText
internal import SignInHTTP
internal import SignInModel
internal import SignInService
internal import SignInWire

/// The real server over a store that survives its crashes.
///
/// The seed decides when it starts and crashes.
final class SimulatedServer {
  /// Whether requests go through the HTTP handler with signed proofs.
  ///
  /// Otherwise they go directly to the use cases, which is many times faster and omits only the
  /// parsing.
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

  /// Ends every task at its `await`.
  ///
  /// Only the store remains.
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
      store: SimulatedStore(store: store, life: life, simulation: simulation),
      clock: SimulatedServerClock(
        clock: outside.clock, life: life, isLate: outside.defect == .clockOneSecondLate),
      randomness: outside.randomness,
      passwords: SimulatedPasswords(
        passwords: outside.passwords, life: life, simulation: simulation),
      proofs: MemoryProofLedger(),
      messageRecorded: { if !life.isOver { simulation.world.signalOutbox() } },
      reportFault: { _ in }
    )
  }

  private static func makeHandler(_ world: World) -> FieldpassHandler {
    FieldpassHandler(
      world: world, assets: WebAssets(files: [:]), development: nil, log: { _ in })
  }
}

// MARK: - Answering

extension SimulatedServer {
  /// The task that a request starts at the server.
  func operation(for request: WireRequest, at now: Instant) -> SimulatedOperation {
    let form = request.form
    let kind: SimulatedOperation.Kind
    switch (request.path, form["auth_session"], form["grant_type"]) {
    case (Endpoint.challenge, nil, _):
      kind =
        Self.phone(in: form).map { .phoneSignIn($0) }
        ?? .passwordSignIn(username: Self.username(in: form))
    case (Endpoint.challenge, let session?, _):
      kind =
        form["otp"].map { .verify(attempt: TimeOrderedHandle.digest(of: session), code: $0) }
        ?? .resend
    case (Endpoint.token, _, "refresh_token"): kind = .refresh(token: form["refresh_token"] ?? "")
    case (Endpoint.token, _, _):
      kind = .redeem(code: TimeOrderedHandle.digest(of: form["code"] ?? ""))
    case (Endpoint.revoke, _, _): kind = .revoke(token: form["token"] ?? "")
    case (Endpoint.forgotPassword, _, _): kind = .forgot(username: Self.username(in: form))
    case (Endpoint.resetPassword, _, _):
      let digest = TimeOrderedHandle.digest(of: form["reset_session"] ?? "")
      kind = .reset(reset: digest, code: form["otp"] ?? "")
    case (Endpoint.accounts, _, _): kind = .registration
    default: kind = .read
    }
    return SimulatedOperation(
      kind, in: life, isFromApp: request.isFromApp, device: request.provedKey ?? "", at: now)
  }

  /// All spellings of an address give the same username (L-09).
  private static func username(in form: Form) -> String {
    let text = form["username"] ?? ""
    do throws(Malformed) { return try EmailAddress(parsing: text).text } catch { return text }
  }

  static func phone(in form: Form) -> PhoneNumber? {
    guard let text = form["phone_number"] else { return nil }
    do throws(Malformed) { return try PhoneNumber(parsing: text) } catch { return nil }
  }
}
