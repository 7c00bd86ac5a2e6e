internal import ShellContract
internal import SignInEngine
internal import SignInFlow
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

// The end of a world with unreliable devices: every pending task must complete.
extension Simulation {
  /// Long enough for the renewal of a token and a sign-in.
  private static let deviceSeconds: Int64 = 180

  /// Opens every app, and checks that the sessions continue and that every end is reported.
  func recoverDevices() {
    devices.forEach(endFaults)
    // A person without a password must reset it first, which can take longer.
    let able = devices.filter(canSignIn)
    for tab in tabs { kill(tab) }
    settleThefts()
    for tab in tabs { plan(.open(tab.number), in: 1...2) }
    for tab in tabs { planAct(at: tab, in: 1000...2000) }
    // A provider that failed before is asked again after its pause.
    let rest = profile.has(.overload) ? CircuitBreaker.longestRestSeconds : 0
    run(seconds: Self.deviceSeconds + rest)
    expectThievesStopped()
    for device in able where laws.violation == nil && canSignIn(at: device) {
      expectReported(device)
      for tab in tabs where tab.device === device { expectSignedIn(tab) }
    }
  }

  private func run(seconds: Int64) {
    let end = clock.now().adding(seconds: seconds)
    while laws.violation == nil, clock.now() < end { step() }
  }

  /// Whether the owner can sign in within minutes.
  ///
  /// After wrong passwords, a lockout or the limit of an address can take hours. A lockout also
  /// follows without mistakes, because people type codes of earlier sign-ins that arrive late.
  private func canSignIn(at device: SimulatedDevice) -> Bool {
    guard !profile.has(.attackers), !profile.has(.mistakes) else { return false }
    let tables = server.store.tables
    let account = tables.accounts.values.first { $0.phone == device.person.account.phone }
    guard let account, account.status == .active, !isLocked(account.id, at: device) else {
      return false
    }
    return account.role == .rider || account.passwordHash != nil
  }

  private func isLocked(_ account: AccountID, at device: SimulatedDevice) -> Bool {
    let counters = [LockoutKey(account), LockoutKey(account, device: device.key.thumbprint)]
    return counters.contains { counter in
      let until = server.store.tables.lockouts[counter]?.lockedUntil
      return until.map { clock.now() < $0 } ?? false
    }
  }

  private func expectReported(_ device: SimulatedDevice) {
    for id in device.earlierTokens {
      // A later sign-in may have replaced the session. The device must still have reported the end.
      let end = end(of: id)
      let isServerInformed = end != nil && (end != .replaced || ends.requested.contains(id))
      laws.expect(
        isServerInformed, .serverIsInformed, "\(id.text) did not end at the server by its device")
    }
  }

  private func expectSignedIn(_ tab: SimulatedTab) {
    let isDamaged = tab.device.disk.session == "{torn"
    laws.expect(
      isDamaged || tab.session != nil, .sessionsContinue,
      "window \(tab.number) is \(ScreenSnapshot(tab, at: clock.now()).place) at the end")
  }
}
