internal import Cryptography
internal import JSONText
internal import SignInEngine
internal import SignInFlow
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

/// The receiver of an answer.
enum Caller {
  case tab(Int, attempt: Int)
  case rawClient(Int, move: Int)
}

// The network may lose, duplicate, delay and reorder messages.
extension Simulation {
  /// A device that slept longer than this gives up the requests from before.
  private static let sleepMilliseconds: Int64 = 30_000

  func request(_ call: Call, from key: DeviceKey, isFromApp: Bool = false) -> WireRequest {
    var request = WireRequest(
      call: call, key: key, proofID: Base64URL.encode(randomness.bytes(9)),
      peer: "192.0.2.\(hasOneAddress ? 1 : key.number + 1)", isFromApp: isFromApp)
    request.signer = signer(of: request)
    return request
  }

  func send(_ call: Call, as id: RequestID, from tab: SimulatedTab) {
    let request = request(call, from: tab.device.key, isFromApp: true)
    send(request, from: .tab(tab.number, attempt: tab.nextAttempt(of: id)))
  }

  func send(_ request: WireRequest, from caller: Caller) {
    note("sent", request.key.number, Int64(request.call.path.utf8.count), request.call.path)
    laws.sent(request)
    if case .tab(let number, _) = caller {
      if tabs[number].device.isOffline { return plan(.answer(nil, nil, caller), in: 5...500) }
      let timeout = request.call.timeoutSeconds * 1000
      plan(.timeout(caller), in: timeout...timeout)
    }
    if may(.losses), chance.isOne(in: 12) { return lose(caller) }
    guard may(.losses), chance.isOne(in: 15) else {
      return plan(.request(request, caller), in: delay())
    }
    if case .refresh = request.kind { note("refresh sent twice", request.key.number) }
    // Either copy may arrive first. Both end with the connection of the first one.
    for _ in 1...2 { plan(.copy(request, caller, server.life), in: delay()) }
  }

  /// Some losses are noticed at once, others only after a time-out.
  private func lose(_ caller: Caller) {
    if chance.isOne(in: 2) { plan(.answer(nil, nil, caller), in: 5...500) }
  }

  private func delay() -> ClosedRange<Int64> {
    guard may(.delays), chance.isOne(in: 10) else { return 5...400 }
    return chance.isOne(in: 4) ? 10_000...400_000 : 400...15_000
  }

  func arrived(_ request: WireRequest, from caller: Caller) {
    guard server.isUp else { return lose(caller) }
    if case .tab(let number, let attempt) = caller {
      guard tabs[number].isConnected(for: attempt, at: clock.now()) else { return }
      if let answer = misdirected(request) {
        return plan(.answer(nil, answer, caller), in: delay())
      }
      noteRequest(request, from: tabs[number].device)
    }
    let reference = SimulationReference(world: self)
    serve(request) { reference.world.answered(request, $0, $1, caller) }
  }

  /// Sends a request to the server, and compares its answer with the laws.
  ///
  /// A crash loses the answer.
  func serve(
    _ request: WireRequest,
    then received: @escaping @Sendable (WireAnswer, SimulatedOperation) -> Void
  ) {
    let reference = SimulationReference(world: self)
    let operation = operation(of: request)
    server.serve(request, as: operation) { answer in
      received(reference.world.judged(answer, operation), operation)
    }
  }

  func operation(of request: WireRequest) -> SimulatedOperation {
    SimulatedOperation(of: request, in: server.life, at: clock.now(), after: laws.serial)
  }

  private func judged(_ answer: WireAnswer, _ operation: SimulatedOperation) -> WireAnswer {
    guard !operation.life.isOver else { return answer }
    var answer = answer
    answer.body = damagedBody(of: answer, operation)
    laws.answered(answer, operation, server.store.tables)
    return answer
  }

  private func answered(
    _ request: WireRequest, _ answer: WireAnswer, _ operation: SimulatedOperation,
    _ caller: Caller
  ) {
    guard !operation.life.isOver else { return lose(caller) }
    note("answered", request.key.number, answer.status, answer.body["error"]?.text ?? "")
    if case .tab(let number, _) = caller, tabs[number].device.isOffline { return lose(caller) }
    if may(.losses), chance.isOne(in: 12) {
      note("answer lost", request.key.number)
      return lose(caller)
    }
    plan(.answer(request, answer, caller), in: delay())
    if may(.losses), chance.isOne(in: 20) { plan(.answer(request, answer, caller), in: delay()) }
  }

  func received(
    _ request: WireRequest?, _ answer: WireAnswer?, by caller: Caller, due: Instant
  ) {
    switch caller {
    case .rawClient(let number, let move):
      if let request, let answer { laws.received(request, answer, server.store.tables) }
      rawClients[number].received(answer, to: move)
    case .tab(let number, let attempt):
      if clock.now() > due.adding(milliseconds: Self.sleepMilliseconds) {
        return timedOut(caller)
      }
      guard let id = tabs[number].answered(attempt) else { return }
      if let request, let answer { laws.received(request, answer, server.store.tables) }
      let received = answer.map {
        Answer.received(status: $0.status, body: $0.body, serverSeconds: $0.serverSeconds)
      }
      happen(.answered(id, received ?? .unreachable), in: tabs[number])
    }
  }

  func timedOut(_ caller: Caller) {
    guard case .tab(let number, let attempt) = caller, let id = tabs[number].answered(attempt)
    else { return }
    happen(.answered(id, .timedOut), in: tabs[number])
  }
}
