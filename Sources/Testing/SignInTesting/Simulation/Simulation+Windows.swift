internal import Cryptography
internal import SignInFlow
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

// The shell of a window: performs effects, turns what comes back into events.
extension Simulation {
  func happen(_ event: Event, in window: SimulatedWindow) {
    let wasSignedIn = session(of: window)
    let effects = window.handle(event, at: clock.now())
    for effect in effects {
      // A person may close the app between any two of its effects.
      if chance.isOne(in: 150) { return kill(window) }
      perform(effect, in: window)
    }
    expectCause(of: wasSignedIn, in: window)
  }

  private func session(of window: SimulatedWindow) -> SessionID? {
    if case .signedIn(let signedIn) = window.flow.stage {
      signedIn.keeping.record.terms.id
    } else {
      nil
    }
  }

  /// An app that tells its person that the session has ended must be right.
  private func expectCause(of session: SessionID?, in window: SimulatedWindow) {
    guard let session, case .signedOut(let signIn) = window.flow.stage,
      signIn.notice == .sessionEnded, let known = server.store.tables.sessions[session]
    else { return }
    let now = clock.now()
    let isOver =
      known.end != nil || now >= known.expiresAt
      || now >= known.lastUsedAt.adding(seconds: SimulatedPeople.idleSeconds)
    laws.expect(isOver, .endsWithCause, "window \(window.number) dropped a living session")
  }

  private func perform(_ effect: Effect, in window: SimulatedWindow) {
    let device = window.device
    switch effect {
    case .call(let id, let call): send(call, as: id, from: window)
    case .makeVerifier:
      let verifier = Base64URL.encode(randomness.bytes(32))
      let challenge = Base64URL.encode(SHA256Digest.of(verifier))
      planEvent(.verifierMade(verifier: Secret(verifier), challenge: challenge), in: window)
    case .readSession:
      planEvent(.storageRead(reading(of: device), seen: device.seen), in: window)
    case .saveSession(let text): device.stored = text.revealed
    case .replaceSession(let old, let new):
      if device.stored == old.revealed {
        device.stored = new.revealed
      } else {
        planEvent(.device(.sessionChanged(reading(of: device))), in: window)
      }
    case .leaveTombstone(let text): device.stored = text.revealed
    case .eraseSession: device.stored = nil
    case .eraseIfStill(let text):
      if device.stored == text.revealed { device.stored = nil }
    case .claimRenewal:
      device.waitingToRenew.append(window)
      grantRenewal(on: device)
    case .releaseRenewal:
      if device.renewing === window { device.renewing = nil }
      grantRenewal(on: device)
    case .keepSeen(let text): device.seen = text.revealed
    case .startTicking:
      window.isTicking = true
      plan(.tick(window.number, run: window.run), in: 1000...9000)
    case .stopTicking: window.isTicking = false
    // These worlds have no product owners: nothing is ever kept, and forgetting is nothing.
    case .announce, .keepLanguage, .keepCard, .keepPlace, .readPlace, .forgetPlace,
      .cancelCall, .lock, .unlock, .setLock, .removeLock, .shelf, .handOver,
      .handOverToken:
      break
    }
  }

  private func reading(of device: SimulatedDevice) -> StorageReading {
    if chance.isOne(in: 15) { return .cannotTell }
    return device.stored.map { .value($0) } ?? .absent
  }

  private func grantRenewal(on device: SimulatedDevice) {
    guard device.renewing == nil, !device.waitingToRenew.isEmpty else { return }
    let window = device.waitingToRenew.removeFirst()
    device.renewing = window
    planEvent(.renewalClaimed(reading(of: device)), in: window)
  }

  private func planEvent(_ event: Event, in window: SimulatedWindow) {
    plan(.event(window.number, run: window.run, event), in: 1...40)
  }

  private func send(_ call: Call, as id: RequestID, from window: SimulatedWindow) {
    // The wait for news of the session is as long as the world.
    if call.path.hasPrefix(Endpoint.sessionEvents) { return }
    var token: String?
    if case .proofWithToken(let secret) = call.authorization { token = secret.revealed }
    var request = WireRequest(
      method: call.method.rawValue, path: call.path, form: call.form ?? Form(),
      key: window.device.key, proofID: Base64URL.encode(randomness.bytes(9)),
      issuedAt: call.issuedAt, token: token, isFromApp: true
    )
    request.isProved = call.authorization != .none
    send(request, from: .window(window.number, attempt: window.nextAttempt(), id))
  }

  func kill(_ window: SimulatedWindow) {
    guard window.isOpen else { return }
    note("closed", window.number)
    window.close()
    grantRenewal(on: window.device)
    plan(.open(window.number), in: 500...20_000)
  }

  func open(_ window: SimulatedWindow) {
    guard !window.isOpen else { return }
    note("opened", window.number)
    window.open()
    let isRider = window.device.person.account.role == .rider
    happen(.started(utcOffsetSeconds: 0, app: isRider ? .rider : .technician), in: window)
  }

  func tick(_ window: SimulatedWindow, run: Int) {
    guard window.isOpen, window.run == run, window.isTicking else { return }
    happen(.ticked, in: window)
    guard window.isOpen, window.isTicking else { return }
    plan(.tick(window.number, run: run), in: 1000...30_000)
  }
}
