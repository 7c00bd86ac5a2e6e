internal import JSONText
internal import SignInFlow
internal import SignInModel
internal import SignInService
internal import SignInWire

// The unreliable network between the devices and the server.
extension SessionWorld {
  func transmit(_ call: Call, as id: RequestID, from tab: SessionTab) {
    tab.awaited.insert(id)
    let isLost = !areFaultsOver && chance.isOne(in: 15)
    if tab.device.isOffline || isLost {
      return plan(.answer(tab.number, run: tab.run, id, .unreachable, to: nil), in: 5...500)
    }
    plan(.request(tab.number, run: tab.run, id, call), in: 5...200)
  }

  func arrived(_ call: Call, as id: RequestID, from tab: SessionTab, run: Int) {
    let request = wireRequest(call, from: tab.device.key, isFromApp: true)
    if isMisdirected(request) {
      let answer = Answer.received(
        status: call.path == Endpoint.revoke.path ? 200 : 204, body: .null,
        serverSeconds: clock.now().seconds)
      return plan(.answer(tab.number, run: run, id, answer, to: nil), in: 5...300)
    }
    noteRequest(request, from: tab.device)
    let (reference, number, sentAt) = (WorldReference(world: self), tab.number, clock.now())
    let operation = operation(of: request)
    let sent = SentRequest(
      request: request, operation: operation, id: id, tab: number, run: run, sentAt: sentAt)
    server.serve(request, as: operation) { reference.world.answered(sent, $0) }
    // A proxy sends some refreshes twice, with the same proof.
    guard case .refresh = request.kind, !areFaultsOver, chance.isOne(in: 20) else { return }
    note("refresh sent twice", tab.number)
    serve(request) { _ in }
  }

  /// A request of a tab that the server handles.
  private struct SentRequest: Sendable {
    let request: WireRequest
    let operation: SimulatedOperation
    let id: RequestID
    let tab: Int
    let run: Int
    let sentAt: Instant
  }

  private func answered(_ sent: SentRequest, _ answer: WireAnswer) {
    let tab = tabs[sent.tab]
    let answer = judged(answer, sent.operation)
    let timeout = sent.request.call.timeoutSeconds
    let isLost = !areFaultsOver && chance.isOne(in: 12)
    if tab.device.isOffline || isLost || sent.operation.life.isOver
      || clock.now() > sent.sentAt.adding(seconds: timeout)
    {
      note("answer lost", tab.number)
      return plan(.answer(tab.number, run: sent.run, sent.id, .timedOut, to: nil), in: 500...30_000)
    }
    let received = Answer.received(
      status: answer.status, body: answer.body, serverSeconds: answer.serverSeconds)
    plan(
      .answer(tab.number, run: sent.run, sent.id, received, to: sent.request), in: 5...300)
  }

  /// Serves a request whose answer is not lost.
  func serve(
    _ request: WireRequest,
    then received: @escaping @Sendable (WireAnswer) -> Void
  ) {
    let reference = WorldReference(world: self)
    let operation = operation(of: request)
    server.serve(request, as: operation) { answer in
      received(reference.world.judged(answer, operation))
    }
  }

  func wireRequest(_ call: Call, from key: DeviceKey, isFromApp: Bool) -> WireRequest {
    var request = WireRequest(
      call: call, key: key, proofID: Base64URL.encode(randomness.bytes(9)),
      peer: "192.0.2.\(key.number + 1)", isFromApp: isFromApp)
    request.signer = signer(of: request)
    return request
  }

  private func operation(of request: WireRequest) -> SimulatedOperation {
    SimulatedOperation(of: request, in: server.life, at: clock.now(), after: laws.serial)
  }

  /// Compares an answer of the server with the laws.
  private func judged(_ answer: WireAnswer, _ operation: SimulatedOperation) -> WireAnswer {
    guard !operation.life.isOver else { return answer }
    var answer = answer
    answer.body = damagedBody(of: answer, operation)
    laws.answered(answer, operation, server.store.tables)
    return answer
  }

  private func noteRequest(_ request: WireRequest, from device: SessionDevice) {
    laws.sent(request)
    switch request.kind {
    case .refresh(let token): note("refresh", device.number, String(token.prefix(14)))
    case .revoke(let token):
      note("revokes", device.number, String(token.prefix(14)))
      if let id = LawBook.session(of: token) { toldToEnd.insert(id) }
    case .endSession(let id):
      note("ends", device.number, String(id.text.prefix(14)))
      toldToEnd.insert(id)
    default: break
    }
  }

  func noteReceived(_ answer: Answer, to request: WireRequest?) {
    guard let request, case .received(let status, let body, let seconds) = answer,
      let seconds
    else { return }
    if let refusal = Refusal(json: body) {
      note("refused for \(refusal.reason ?? refusal.code.rawValue)", request.key.number)
    }
    let answer = WireAnswer(status: status, body: body, serverSeconds: seconds)
    laws.received(request, answer, server.store.tables)
  }
}
