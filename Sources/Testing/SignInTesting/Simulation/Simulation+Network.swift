internal import JSONText
internal import SignInFlow
internal import SignInModel
internal import SignInRules
internal import SignInService

/// Who waits for an answer.
enum Caller {
  case window(Int, attempt: Int, RequestID)
  case stranger(Int, move: Int)
}

// The network: what is sent may be lost, doubled, late, or overtaken by what was sent after it.
extension Simulation {
  static let timeoutMilliseconds: Int64 = 30_000

  func send(_ request: WireRequest, from caller: Caller) {
    note("sent", request.key.number, Int64(request.path.utf8.count), request.path)
    laws.sent(request)
    if case .window = caller { plan(.timeout(caller), in: 30_000...30_000) }
    if isLossy, chance.isOne(in: 12) { return lose(caller) }
    guard isLossy, chance.isOne(in: 15) else {
      return plan(.request(request, caller), in: delay())
    }
    // Either may come first; neither outlives the connection that the first one came through.
    for _ in 1...2 { plan(.copy(request, caller, server.life), in: delay()) }
  }

  /// Some losses are noticed at once, others only by waiting.
  private func lose(_ caller: Caller) {
    if chance.isOne(in: 2) { plan(.answer(nil, nil, caller), in: 5...500) }
  }

  private func delay() -> ClosedRange<Int64> {
    guard isLossy, chance.isOne(in: 10) else { return 5...400 }
    return chance.isOne(in: 4) ? 10_000...400_000 : 400...15_000
  }

  func arrived(_ request: WireRequest, from caller: Caller) {
    guard server.isUp else { return lose(caller) }
    let errand = server.errand(for: request, at: clock.now())
    underWay += 1
    let reference = SimulationReference(world: self)
    Task(executorPreference: executor) {
      await Errand.$current.withValue(errand) {
        let (status, body) = await reference.world.server.answer(request)
        reference.world.answered(request, status, body, errand, caller)
      }
    }
  }

  private func answered(
    _ request: WireRequest, _ status: Int64, _ body: JSON, _ errand: Errand, _ caller: Caller
  ) {
    underWay -= 1
    guard !errand.life.isOver else { return lose(caller) }
    note("answered", request.key.number, status, body["error"]?.text ?? "")
    let body = spoilAnswer(body, errand)
    laws.answered(body, errand, server.store.tables)
    let answer = WireAnswer(status: status, body: body, serverSeconds: clock.now().seconds)
    if isLossy, chance.isOne(in: 12) { return lose(caller) }
    plan(.answer(request, answer, caller), in: delay())
    if isLossy, chance.isOne(in: 20) { plan(.answer(request, answer, caller), in: delay()) }
  }

  func received(_ request: WireRequest?, _ answer: WireAnswer?, by caller: Caller) {
    switch caller {
    case .stranger(let number, let move):
      if let request, let answer { laws.told(request, answer, server.store.tables) }
      strangers[number].received(answer, to: move)
    case .window(let number, let attempt, let id):
      let window = windows[number]
      guard window.isAnswered(attempt) else { return }
      if let request, let answer { laws.told(request, answer, server.store.tables) }
      let event: Event
      if let answer {
        event = .answered(
          id,
          .received(
            status: answer.status, body: answer.body, serverSeconds: answer.serverSeconds
          ))
      } else {
        event = .answered(id, .unreachable)
      }
      happen(event, in: window)
    }
  }

  func timedOut(_ caller: Caller) {
    guard case .window(let number, let attempt, let id) = caller else { return }
    let window = windows[number]
    guard window.isAnswered(attempt) else { return }
    happen(.answered(id, .timedOut), in: window)
  }

  // MARK: Text messages

  func takeCharge(of message: TextMessage) {
    note("took charge of a message", 0, Int64(message.id.utf8.count), message.to.text)
    var message = message
    if defect == .secondText, laws.texts[message.id] != nil {
      message = TextMessage(
        id: message.id, to: message.to, kind: message.kind,
        text: Secret("000000 is another code."), createdAt: message.createdAt,
        expiresAt: message.expiresAt
      )
    }
    laws.handedOver(message, server.store.tables)
    // A notice asks for nothing.
    guard message.kind == .code, let phone = message.to.phone else { return }
    let code = ReceivedCode(
      text: String(message.text.revealed.prefix(6)),
      purpose: laws.codes[message.id]?.place.purpose ?? .signIn
    )
    if isLossy, chance.isOne(in: 12) { return }
    plan(.texted(phone, code), in: chance.isOne(in: 8) ? 30_000...200_000 : 500...8000)
    if isLossy, chance.isOne(in: 12) { plan(.texted(phone, code), in: 1000...60_000) }
  }

  func received(
    by person: SimulatedPeople.Person, for purpose: CodeChallenge.Purpose = .signIn
  ) -> [String] {
    (inboxes[person.account.phone] ?? []).filter { $0.purpose == purpose }.map { $0.text }
  }
}
