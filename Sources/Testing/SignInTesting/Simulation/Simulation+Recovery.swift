internal import JSONText
internal import SignInEngine
internal import SignInFlow
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

// The end of every world: all faults stop, and every active person must be able to sign in.
extension Simulation {
  /// Longer than the longest lockout.
  static let recoverySeconds: Int64 = 25 * 60 * 60

  func endFaults() {
    // The decisions that are hidden are durable before any further one about their accounts.
    releaseEvents()
    haveConditionsEnded = true
    if !server.isUp { restart() }
    if profile.has(.devices) { recoverDevices() }
    settle()
    laws.checkAcknowledged(server.store.tables)
    checkEvents()
    guard laws.violation == nil else { return }
    move(to: clock.now().adding(seconds: Self.recoverySeconds))
    // Hand-overs that a slow provider has delayed end, so that the next ones can begin.
    timers.set(clock.now())
    settle()
    let asksRiders =
      (profile.owners + rawClients.map(\.person)).contains { $0.app == .rider }
    for person in profile.people + [SimulatedPeople.asha] where person.app != .rider || asksRiders {
      signIn(person)
    }
    useOwnAccounts()
  }

  private func signIn(_ person: SimulatedPeople.Person) {
    let role = person.account.role
    let account = server.store.tables.accounts.values.first {
      $0.phone == person.account.phone && $0.role == role
    }
    guard laws.violation == nil, let account, account.status == .active else { return }
    note("calm")
    // The pause of a provider that failed before.
    move(to: clock.now().adding(seconds: CircuitBreaker.longestRestSeconds))
    if role != .rider, account.passwordHash == nil { setPassword(of: person, account) }
    let begun = tokens(of: person, account)
    laws.expect(
      begun.tokens["access_token"] != nil, .recoversAfterFaults,
      "\(person.account.id.text): \(begun.refusals)")
  }

  /// Signs in from a new device.
  func tokens(
    of person: SimulatedPeople.Person, _ account: Account
  ) -> (tokens: JSON, refusals: String) {
    let client = profile.client(of: person)
    let proof: [Form.Field] =
      account.role == .rider
      ? [.init(.phoneNumber, account.number.e164)]
      : [
        .init(.username, account.email?.text ?? person.username),
        .init(.password, password(of: person)),
      ]
    let challenge = ask(
      .challenge, client,
      [
        .init(.responseType, "code"), .init(.scope, "openid offline_access account"),
        .init(.codeChallenge, Self.challenge), .init(.codeChallengeMethod, "S256"),
      ] + proof
    )
    let proved = ask(
      .challenge, client,
      [
        .init(.authSession, challenge["auth_session"]?.text ?? ""),
        .init(.otp, sentCode(to: account, for: .signIn)),
      ]
    )
    let tokens = ask(
      .token, client,
      [
        .init(.grantType, "authorization_code"),
        .init(.code, proved["authorization_code"]?.text ?? ""),
        .init(.codeVerifier, Self.verifier),
      ]
    )
    return (tokens, "\(challenge["error"]?.text ?? ""), \(proved["error"]?.text ?? "")")
  }

  /// An account without a password gets one by a reset.
  private func setPassword(of person: SimulatedPeople.Person, _ account: Account) {
    let client = profile.client(of: person)
    let reset = ask(.forgotPassword, client, [.init(.username, person.username)])
    let answer = ask(
      .resetPassword, client,
      [
        .init(.resetSession, reset["reset_session"]?.text ?? ""),
        .init(.otp, sentCode(to: account, for: .passwordReset)),
        .init(.password, "chosen in the calm"),
      ]
    )
    laws.expect(answer == .null, .recoversAfterFaults, "a reset: \(answer["error"]?.text ?? "")")
  }

  private func sentCode(to account: Account, for purpose: CodeChallenge.Purpose) -> String {
    // The device becomes known to the account.
    let holders: [CodeChallenge.Holder] = [
      .unknownDevices, .knownDevice(Self.newDevice.thumbprint),
    ]
    let sent = holders.compactMap { holder -> LawBook.IssuedCode? in
      let place = LawBook.CodePlace(account: account.id, purpose: purpose, holder: holder)
      return laws.newest[place].flatMap { laws.codes[$0] }
    }
    return sent.max { $0.madeAt < $1.madeAt }?.text ?? ""
  }

  private static let newDevice = SimulatedKeys.devices[7]

  /// Runs every task to its end.
  func settle() { server.finishTasks { runTask(of: executor.readyCount) } }

  /// Sends a request over a reliable network from a new device.
  func ask(_ endpoint: Endpoint, _ client: AppRegistration, _ fields: [Form.Field]) -> JSON {
    let app = Form.Field(.clientID, client.id.text)
    var call = Call.post(endpoint, Form([app] + fields), .proof)
    call.issuedAt = clock.now().seconds
    let request = request(call, from: Self.newDevice)
    let answer = RecoveryAnswer()
    server.serve(request, as: operation(of: request)) { answer.body = $0.body }
    settle()
    return answer.body
  }

  /// The body of the answer to a request from that device, which the laws judge.
  func judgedAnswer(to call: Call) -> JSON {
    var call = call
    call.issuedAt = clock.now().seconds
    let answer = RecoveryAnswer()
    serve(request(call, from: Self.newDevice)) { received, _ in answer.body = received.body }
    settle()
    return answer.body
  }
}

/// `@unchecked Sendable`: only the world's one thread uses it.
private final class RecoveryAnswer: @unchecked Sendable {
  var body = JSON.null
}
