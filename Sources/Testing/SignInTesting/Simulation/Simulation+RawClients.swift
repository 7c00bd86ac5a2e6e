internal import Cryptography
internal import SignInEngine
internal import SignInFlow
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

extension Simulation {
  static let verifier = String(repeating: "v", count: 43)
  static let challenge = Base64URL.encode(SHA256Digest.of(verifier))

  /// Sends one to seven requests at once.
  func move(_ number: Int) {
    guard !haveConditionsEnded else { return }
    planMove(of: number, in: 2000...60_000)
    let count = chance.isOne(in: 3) ? 1 + chance.below(7) : 1
    for _ in 0..<count {
      guard let (endpoint, sent, fields) = nextMove(of: rawClients[number]) else { continue }
      rawClients[number].lastMove += 1
      let move = rawClients[number].lastMove
      rawClients[number].sent[move] = sent
      let person = rawClients[number].person
      let client = Form.Field(.clientID, profile.client(of: person).id.text)
      let isProved: Bool
      switch sent {
      case .forgot, .reset, .register: isProved = chance.isOne(in: 2)
      case .begin, .verify, .resend, .redeem, .refresh, .revoke: isProved = true
      }
      var call = Call.post(endpoint, Form([client] + fields), isProved ? .proof : .none)
      call.issuedAt = clock.now().seconds
      send(request(call, from: rawClients[number].key), from: .rawClient(number, move: move))
    }
  }

  private typealias Move = (endpoint: Endpoint, sent: SimulatedRawClient.Sent, fields: [Form.Field])

  private func nextMove(of rawClient: SimulatedRawClient) -> Move? {
    switch rawClient.goal {
    case .guessesPasswords: return begin(rawClient, password: "guess-\(chance.below(1000))")
    case .guessesNames:
      let name = "nobody-\(chance.below(2))@example.com"
      if chance.isOne(in: 4) { return forget(name) }
      return begin(rawClient, username: name, password: "guess")
    case .guessesCodes:
      guard let session = rawClient.authSessions.last, !chance.isOne(in: 8) else {
        return begin(rawClient, password: password(of: rawClient.person))
      }
      if chance.isOne(in: 6) { return resend(session) }
      return verify(session, guessedCode())
    case .guessesResets:
      guard let session = rawClient.resetSessions.last, !chance.isOne(in: 5) else {
        return forget(rawClient.person.username)
      }
      return reset(session, guessedCode(), "guessed by a stranger")
    case .hurries: return hurry(rawClient)
    case .forgets: return requestReset(rawClient)
    case .registers:
      return chance.isOne(in: 4) ? register(rawClient.person) : hurry(rawClient)
    }
  }

  private func hurry(_ rawClient: SimulatedRawClient) -> Move? {
    let choice = chance.below(12)
    if choice < 5, !rawClient.refreshTokens.isEmpty {
      let token =
        chance.isOne(in: 4)
        ? chance.pick(rawClient.refreshTokens)
        : rawClient.refreshTokens[rawClient.refreshTokens.count - 1]
      return (
        .token, .refresh,
        [.init(.grantType, "refresh_token"), .init(.refreshToken, token)]
      )
    }
    if choice == 5, chance.isOne(in: 3), let token = rawClient.refreshTokens.last {
      return (.revoke, .revoke, [.init(.token, token)])
    }
    if choice < 7, let code = rawClient.authorizationCodes.last {
      let fields: [Form.Field] = [
        .init(.grantType, "authorization_code"), .init(.code, code),
        .init(.codeVerifier, Self.verifier),
      ]
      return (.token, .redeem, fields)
    }
    if choice < 9, !rawClient.authSessions.isEmpty {
      return verify(session(for: rawClient), typedCode(of: rawClient.person))
    }
    if choice == 9, let session = rawClient.authSessions.last { return resend(session) }
    return begin(rawClient, password: password(of: rawClient.person))
  }

  private func requestReset(_ rawClient: SimulatedRawClient) -> Move? {
    let choice = chance.below(10)
    if choice < 5, !rawClient.resetSessions.isEmpty {
      let session = chance.pick(rawClient.resetSessions.suffix(3))
      let code = typedCode(of: rawClient.person, for: .passwordReset)
      let password = chance.isOne(in: 10) ? "short" : "moss on stone \(chance.below(1000))"
      return reset(session, code, password)
    }
    if choice < 7 || rawClient.resetSessions.isEmpty { return forget(rawClient.person.username) }
    return hurry(rawClient)
  }

  private func begin(
    _ rawClient: SimulatedRawClient, username: String? = nil, password: String
  ) -> Move {
    var fields: [Form.Field] = [
      .init(.responseType, "code"), .init(.scope, "openid offline_access"),
      .init(.codeChallenge, Self.challenge), .init(.codeChallengeMethod, "S256"),
    ]
    if rawClient.person.account.role == .rider {
      fields.append(.init(.phoneNumber, spelled(rawClient.person.account.number)))
    } else {
      fields.append(.init(.username, spelled(username ?? rawClient.person.username)))
      fields.append(.init(.password, password))
    }
    return (.challenge, .begin, fields)
  }

  private func verify(_ session: String, _ code: String) -> Move {
    (.challenge, .verify, [.init(.authSession, session), .init(.otp, code)])
  }

  private func resend(_ session: String) -> Move {
    (.challenge, .resend, [.init(.authSession, session), .init(.resend, "true")])
  }

  private func forget(_ username: String) -> Move {
    (.forgotPassword, .forgot, [.init(.username, spelled(username))])
  }

  private func reset(_ session: String, _ code: String, _ password: String) -> Move {
    (
      .resetPassword, .reset,
      [.init(.resetSession, session), .init(.otp, code), .init(.password, password)]
    )
  }

  private func register(_ person: SimulatedPeople.Person) -> Move {
    (
      .accounts, .register,
      [
        .init(.phoneNumber, person.account.number.e164), .init(.name, person.account.name),
      ]
    )
  }

  // MARK: Unusual texts

  /// Sometimes another spelling of the same address (L-09).
  private func spelled(_ username: String) -> String {
    switch chance.below(8) {
    case 0: username.uppercased()
    case 1: "  " + username + " "
    default: username
    }
  }

  private func spelled(_ phone: PhoneNumber) -> String {
    guard chance.isOne(in: 4) else { return phone.e164 }
    return phone.e164.prefix(3) + " " + phone.e164.dropFirst(3).prefix(5) + "-"
      + phone.e164.dropFirst(8)
  }

  /// A guess, sometimes a typical test code (L-14) or an invalid code (L-13).
  private func guessedCode() -> String {
    switch chance.below(10) {
    case 0: chance.pick(["000000", "123456", "111111", "999999"])
    case 1: chance.pick(["", "１２３４５６", "12345", "1234567", "\u{0}123456", "🔑", "[]"])
    default: wrongCode()
    }
  }

  /// Its own sign-in, or one that another sender began with another device (L-11).
  private func session(for rawClient: SimulatedRawClient) -> String {
    let others = rawClients.filter { $0.number != rawClient.number }.flatMap { $0.authSessions }
    if chance.isOne(in: 6), !others.isEmpty { return chance.pick(others) }
    return chance.pick(rawClient.authSessions)
  }
}
