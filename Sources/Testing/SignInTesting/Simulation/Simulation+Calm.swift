internal import JSONText
internal import SignInModel
internal import SignInService
internal import SignInWire

// The end of every world: the storm is over, and whoever is active must be able to sign in.
extension Simulation {
  /// Longer than the longest lock.
  static let calmSeconds: Int64 = 25 * 60 * 60

  func calm() {
    isCalm = true
    if !server.isUp { restart() }
    settle()
    laws.checkAcknowledged(server.store.tables)
    laws.checkLog(server.store.tables.events)
    guard laws.violation == nil else { return }
    clock.advance(seconds: Self.calmSeconds)
    let person = SimulatedPeople.tara
    guard server.store.tables.accounts[person.account.id]?.status == .active else { return }
    note("calm")
    let challenge = ask(
      Endpoint.challenge,
      [
        .init("response_type", "code"), .init("scope", "openid offline_access"),
        .init("code_challenge", Self.challenge), .init("code_challenge_method", "S256"),
        .init("username", person.username), .init("password", person.password),
      ]
    )
    settle()
    let code = laws.newest[person.account.id].flatMap { laws.codes[$0]?.text } ?? ""
    let proved = ask(
      Endpoint.challenge,
      [.init("auth_session", challenge["auth_session"]?.text ?? ""), .init("otp", code)]
    )
    let tokens = ask(
      Endpoint.token,
      [
        .init("grant_type", "authorization_code"),
        .init("code", proved["authorization_code"]?.text ?? ""),
        .init("code_verifier", Self.verifier),
      ]
    )
    laws.expect(
      tokens["access_token"] != nil, .calmReturns,
      "answers: \(challenge["error"]?.text ?? ""), \(proved["error"]?.text ?? "")"
    )
  }

  /// Lets every task come to its end.
  private func settle() {
    var rounds = 0
    while executor.readyCount > 0 || clock.sleeperCount > 0 {
      while executor.readyCount > 0 { runTask(of: executor.readyCount) }
      if clock.sleeperCount > 0 { clock.advance(milliseconds: SignInLimits.waitMilliseconds) }
      rounds += 1
      precondition(rounds < 10_000, "a task of seed \(seed) never ends")
    }
  }

  /// Asks over a network that loses nothing, from a device never seen before.
  private func ask(_ path: String, _ fields: [Form.Field]) -> JSON {
    let client = Form.Field("client_id", SimulatedPeople.technicians.id.text)
    let request = WireRequest(
      method: "POST", path: path, form: Form([client] + fields), key: SimulatedKeys.devices[7],
      proofID: Base64URL.encode(randomness.bytes(9)), issuedAt: clock.now().seconds, token: nil,
      isFromApp: false
    )
    let errand = server.errand(for: request, at: clock.now())
    let answer = CalmAnswer()
    let reference = SimulationReference(world: self)
    Task(executorPreference: executor) {
      await Errand.$current.withValue(errand) {
        answer.body = await reference.world.server.answer(request).body
      }
    }
    settle()
    return answer.body
  }
}

/// `@unchecked Sendable`: touched by the world's one thread alone.
private final class CalmAnswer: @unchecked Sendable {
  var body = JSON.null
}
