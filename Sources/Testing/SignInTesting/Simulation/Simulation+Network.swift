internal import JSONText
internal import SignInFlow
internal import SignInModel
internal import SignInRules
internal import SignInService

/// The receiver of an answer.
enum Caller {
  case tab(Int, attempt: Int, RequestID)
  case rawClient(Int, move: Int)
}

// The network may lose, duplicate, delay and reorder messages.
extension Simulation {
  func send(_ request: WireRequest, from caller: Caller) {
    note("sent", request.key.number, Int64(request.call.path.utf8.count), request.call.path)
    laws.sent(request)
    if case .tab = caller {
      let timeout = request.call.timeoutSeconds * 1000
      plan(.timeout(caller), in: timeout...timeout)
    }
    if isLossy, chance.isOne(in: 12) { return lose(caller) }
    guard isLossy, chance.isOne(in: 15) else {
      return plan(.request(request, caller), in: delay())
    }
    // Either copy may arrive first. Both end with the connection of the first one.
    for _ in 1...2 { plan(.copy(request, caller, server.life), in: delay()) }
  }

  /// Some losses are noticed at once, others only after a time-out.
  private func lose(_ caller: Caller) {
    if chance.isOne(in: 2) { plan(.answer(nil, nil, caller), in: 5...500) }
  }

  private func delay() -> ClosedRange<Int64> {
    guard isLossy, chance.isOne(in: 10) else { return 5...400 }
    return chance.isOne(in: 4) ? 10_000...400_000 : 400...15_000
  }

  func arrived(_ request: WireRequest, from caller: Caller) {
    guard server.isUp else { return lose(caller) }
    let operation = SimulatedOperation(
      of: request, in: server.life, at: clock.now(), after: laws.serial)
    openRequests += 1
    let reference = SimulationReference(world: self)
    server.serve(request, as: operation) {
      reference.world.answered(request, $0, operation, caller)
    }
  }

  private func answered(
    _ request: WireRequest, _ answer: WireAnswer, _ operation: SimulatedOperation,
    _ caller: Caller
  ) {
    openRequests -= 1
    guard !operation.life.isOver else { return lose(caller) }
    note("answered", request.key.number, answer.status, answer.body["error"]?.text ?? "")
    var answer = answer
    answer.body = damageAnswer(answer.body, operation)
    laws.answered(answer, operation, server.store.tables)
    if isLossy, chance.isOne(in: 12) { return lose(caller) }
    plan(.answer(request, answer, caller), in: delay())
    if isLossy, chance.isOne(in: 20) { plan(.answer(request, answer, caller), in: delay()) }
  }

  func received(_ request: WireRequest?, _ answer: WireAnswer?, by caller: Caller) {
    switch caller {
    case .rawClient(let number, let move):
      if let request, let answer { laws.received(request, answer, server.store.tables) }
      rawClients[number].received(answer, to: move)
    case .tab(let number, let attempt, let id):
      let tab = tabs[number]
      guard tab.isAnswered(attempt) else { return }
      if let request, let answer { laws.received(request, answer, server.store.tables) }
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
      happen(event, in: tab)
    }
  }

  func timedOut(_ caller: Caller) {
    guard case .tab(let number, let attempt, let id) = caller else { return }
    let tab = tabs[number]
    guard tab.isAnswered(attempt) else { return }
    happen(.answered(id, .timedOut), in: tab)
  }

  // MARK: Text messages

  /// The provider accepts a message; `isRepeatable` if it would recognise a repetition.
  func accept(of message: TextMessage, isRepeatable: Bool) {
    note("took charge of a message", 0, Int64(message.id.utf8.count), message.to.text)
    var message = message
    if defect == .otherCodeOnRetry, laws.texts[message.id] != nil {
      message = TextMessage(
        id: message.id, to: message.to, kind: message.kind,
        text: Secret("000000 is another code."), createdAt: message.createdAt,
        expiresAt: message.expiresAt
      )
    }
    laws.handedOver(message, isRepeatable: isRepeatable)
    planReports(of: message.id)
    // A notice needs no reaction.
    guard message.kind == .code, let phone = message.to.phone else { return }
    let code = ReceivedCode(
      text: String(message.text.revealed.prefix(6)),
      purpose: laws.codes[message.id]?.place.purpose ?? .signIn
    )
    if isLossy, chance.isOne(in: 12) { return }
    plan(.texted(phone, code), in: chance.isOne(in: 8) ? 30_000...200_000 : 500...8000)
    if isLossy, chance.isOne(in: 12) { plan(.texted(phone, code), in: 1000...60_000) }
  }

  /// The provider sends receipts for some messages.
  ///
  /// Some are wrong, and some come twice.
  private func planReports(of id: String) {
    guard !chance.isOne(in: 3) else { return }
    let outcome: OutboxMessage.Receipt =
      chance.isOne(in: 8) ? chance.pick([.delayed, .undelivered]) : .delivered
    let report = DeliveryReport(
      reference: SimulatedMessenger.reference(of: id), outcome: outcome)
    for _ in 0...(chance.isOne(in: 6) ? 1 : 0) { plan(.report(report), in: 1...20_000) }
  }

  /// A provider repeats a report until a server takes it.
  func reported(_ report: DeliveryReport) {
    guard server.isUp else { return plan(.report(report), in: 5000...60_000) }
    server.reports.add(report, of: SimulatedMessenger.onlyName)
  }

  func received(
    by person: SimulatedPeople.Person, for purpose: CodeChallenge.Purpose = .signIn
  ) -> [String] {
    (inboxes[person.account.number] ?? []).filter { $0.purpose == purpose }.map { $0.text }
  }
}
