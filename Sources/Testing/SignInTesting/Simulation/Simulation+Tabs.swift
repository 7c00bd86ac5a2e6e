internal import Cryptography
internal import ShellContract
internal import SignInFlow
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

// The shell of a tab performs effects and turns results into events.
extension Simulation {
  func happen(_ event: Event, in tab: SimulatedTab) {
    let wasSignedIn = session(of: tab)
    let effects = tab.handle(event, at: clock.now())
    for effect in effects {
      // A person may close the app between any two effects.
      if chance.isOne(in: 150) { return kill(tab) }
      perform(effect, in: tab)
    }
    expectCause(of: wasSignedIn, in: tab)
  }

  private func session(of tab: SimulatedTab) -> SessionID? {
    if case .signedIn(let session) = tab.stage { session } else { nil }
  }

  /// An app that reports the end of its session must be right.
  private func expectCause(of session: SessionID?, in tab: SimulatedTab) {
    guard let session, case .signedOut(let signIn) = tab.stage,
      signIn.notice == .sessionEnded, let known = server.store.tables.sessions[session]
    else { return }
    let now = clock.now()
    let isOver =
      known.end != nil || now >= known.expiresAt
      || now >= known.lastUsedAt.adding(seconds: SimulatedPeople.idleSeconds)
    laws.expect(isOver, .endsWithCause, "window \(tab.number) dropped a valid session")
  }

  private func perform(_ effect: Effect, in tab: SimulatedTab) {
    if tab.device.shell.accept(effect, from: tab.place) { return work(on: tab.device) }
    switch effect {
    case .makeVerifier:
      let verifier = Base64URL.encode(randomness.bytes(32))
      let challenge = Base64URL.encode(SHA256Digest.of(verifier))
      planEvent(.signIn(.verifierMade(verifier: Secret(verifier), challenge: challenge)), in: tab)
    case .startTicking:
      tab.isTicking = true
      plan(.tick(tab.number, run: tab.run), in: 1000...9000)
    case .stopTicking: tab.isTicking = false
    // These worlds have no product owners, so there are no offline copies.
    default: break
    }
  }

  /// Runs all tasks of the shell at once.
  ///
  /// Writes always work, and reads sometimes fail.
  private func work(on device: SimulatedDevice) {
    for tab in tabs where tab.device === device {
      while let task = device.shell.tabs[tab.place].tasks.first {
        var faults = SimulatedShell.Faults()
        if task.reads, chance.isOne(in: 15) { faults.reading = .temporarilyUnreadable }
        for outcome in device.shell.work(tab.place, faults) {
          switch outcome {
          case .event(let event): planEvent(event, in: tab)
          case .send(let id, let call): send(call, as: id, from: tab)
          // The other tabs read storage before they renew.
          case .stored, .cancel, .writeRefused, .writeLost: break
          }
        }
      }
    }
  }

  private func planEvent(_ event: Event, in tab: SimulatedTab) {
    plan(.event(tab.number, run: tab.run, event), in: 1...40)
  }

  private func send(_ call: Call, as id: RequestID, from tab: SimulatedTab) {
    let request = request(call, from: tab.device.key, isFromApp: true)
    send(request, from: .tab(tab.number, attempt: tab.nextAttempt(), id))
  }

  func kill(_ tab: SimulatedTab) {
    guard tab.isOpen else { return }
    note("closed", tab.number)
    tab.close()
    work(on: tab.device)
    plan(.open(tab.number), in: 500...20_000)
  }

  func open(_ tab: SimulatedTab) {
    guard !tab.isOpen else { return }
    note("opened", tab.number)
    tab.open()
    let isRider = tab.device.person.account.role == .rider
    happen(.started(utcOffsetSeconds: 0, app: isRider ? .rider : .technician), in: tab)
  }

  func tick(_ tab: SimulatedTab, run: Int) {
    guard tab.isOpen, tab.run == run, tab.isTicking else { return }
    happen(.ticked, in: tab)
    guard tab.isOpen, tab.isTicking else { return }
    plan(.tick(tab.number, run: run), in: 1000...30_000)
  }
}
