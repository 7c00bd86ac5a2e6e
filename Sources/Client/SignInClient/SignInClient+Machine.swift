import Foundation
import JSONText
import SignInEngine
import SignInModel
import SignInWire

// Sends events to the state machine, runs its effects, and resumes the calls that wait.

extension SignInClient {
  /// The events of an app without pages of this package.
  typealias Event = AppEvent<NoPage>

  /// Sends an event.
  ///
  /// If the state machine was idle, the call waits until it has run all effects. Otherwise it
  /// returns at once.
  ///
  /// The state machine runs in its own task. If the task of the caller is cancelled, the caller
  /// stops waiting. It must not interrupt a write or the lock around a renewal.
  func feed(_ event: Event) async {
    guard post(event) else { return }
    while isWorking, !Task.isCancelled { await turn() }
  }

  /// Sends an event, and waits until the state machine has run all effects of all events.
  func feedUntilIdle(_ event: Event) async {
    post(event)
    while isWorking, !Task.isCancelled { await turn() }
  }

  /// - Returns: Whether the state machine was idle before.
  @discardableResult func post(_ event: Event) -> Bool {
    queue.append(event)
    guard !isWorking else { return false }
    isWorking = true
    Task { await work() }
    return true
  }

  private func work() async {
    while !queue.isEmpty {
      let event = queue.removeFirst()
      let clocks = await environment.clock.read()
      let effects = decide(&flow, event, clocks.now, clocks.steadyMilliseconds)
      for effect in effects { await perform(effect) }
      // The engine replies with an answer in the event of this answer.
      let response = takeResponse(for: event)
      for reply in flow.takeReplies() where awaited.contains(reply.ticket) {
        replies[reply.ticket] = Reply(content: reply.content, response: response)
      }
      publish()
    }
    isWorking = false
    wakeAll()
  }

  private func perform(_ effect: Effect) async {
    switch effect {
    case .call(let id, let call): send(id, call)
    case .makeVerifier:
      await readLockouts()
      let verifier = Base64URL.encode(environment.cryptography.randomBytes(32))
      let challenge = Base64URL.encode(environment.cryptography.sha256(Array(verifier.utf8)))
      queue.append(.signIn(.verifierMade(verifier: Secret(verifier), challenge: challenge)))
    case .readSession:
      await readLockouts()
      queue.append(
        .storage(
          .read(
            await environment.readSession(), seen: await environment.readSeen(),
            pending: await environment.readPendingSignIn())))
    case .saveSession(let text):
      let begun = await environment.begin(text)
      learn(begun.persistence)
      if begun.persistence == .stored {
        queue.append(.storage(.storedSessionReplaced(begun.replaced)))
      }
    case .savePendingRevocation(let text):
      queue.append(.storage(.storedSessionReplaced(await environment.leave(text))))
    case .removeLock(let text): await removeLock(from: text)
    case .replaceSession(let before, let after):
      if let reading = await environment.replace(before, with: after) {
        queue.append(.storage(.sessionChanged(reading)))
      }
    case .saveLastSeen(let text): await environment.saveLastSeen(text)
    case .setLock(let session, let card): await closeLock(over: session, card: card)
    case .unlock: await unlockSession()
    case .lock: await environment.clearUnlockedKey()
    case .saveAccountSummary(let card): await environment.saveAccountSummary(card)
    case .eraseSession: await environment.erase()
    case .eraseSessionIfUnchanged(let text): await environment.eraseIfUnchanged(text)
    case .claimRenewal: queue.append(.storage(.renewalClaimed(await claimRenewal())))
    case .releaseRenewal: await environment.storage.releaseRenewal()
    case .startTicking: startTicking()
    case .stopTicking:
      ticking?.cancel()
      ticking = nil
    // An app that draws its own screens stores its page and its data itself.
    case .readScreenState: queue.append(.home(.screenStateRead(nil)))
    case .offlineCopy(.read): queue.append(.home(.offlineCopy(.read(.absent))))
    case .offlineCopy(.write): queue.append(.home(.offlineCopy(.written(.refused))))
    case .savePendingSignIn(let text):
      queue.append(.storage(.pendingSignInSaved(await environment.savePendingSignIn(text))))
    case .erasePendingSignIn: await environment.erasePendingSignIn()
    case .saveLockouts(let text): await environment.saveLockouts(text)
    case .openSignOutPage(let address): signOutPage = URL(string: address)
    // The answer to a cancelled request arrives later and is then ignored. The state has the
    // address for the browser, and the embedding app opens it.
    case .openBrowser, .saveScreenState, .eraseScreenState, .saveLanguage, .saveProviderMenu,
      .saveUsername, .offlineCopy(.erase), .offlineCopy(.keepPhotos), .cancelCall, .report:
      break
    }
  }

  /// Another process of the app may have learned a lockout.
  private func readLockouts() async {
    if let event = await environment.readLockouts() { queue.append(.storage(event)) }
  }

  private func send(_ id: RequestID, _ call: Call) {
    let isRevocation = call.path == Endpoint.revoke.path
    if isRevocation { activeRevocations += 1 }
    Task { [weak self, environment] in
      let received = await environment.send(call)
      await self?.answered(id, received, call, isRevocation: isRevocation)
    }
  }

  private func answered(
    _ id: RequestID, _ received: ReceivedAnswer, _ call: Call, isRevocation: Bool
  ) async {
    if isRevocation { activeRevocations -= 1 }
    if let log { log(Self.line(call, received.answer)) }
    responses[id] = received.response
    await feed(.answered(id, received.answer))
  }

  private func takeResponse(for event: Event) -> Response? {
    guard case .answered(let id, _) = event else { return nil }
    return responses.removeValue(forKey: id)
  }

  /// Sends a request that does not belong to the state machine, and waits for its answer.
  func answer(to call: Call) async throws(SignInError) -> Answer {
    let ticket = nextNumber()
    awaited.insert(ticket)
    defer {
      awaited.remove(ticket)
      replies[ticket] = nil
    }
    Task { [weak self, environment] in
      let received = await environment.send(call)
      await self?.answered(ticket, received.answer, call)
    }
    while true {
      if case .answer(let answer)? = replies[ticket]?.content { return answer }
      if Task.isCancelled { throw .cancelled }
      await turn()
    }
  }

  private func answered(_ ticket: Int64, _ answer: Answer, _ call: Call) {
    if let log { log(Self.line(call, answer)) }
    guard awaited.contains(ticket) else { return }
    replies[ticket] = Reply(content: .answer(answer), response: nil)
    wakeAll()
  }

  /// A line of the log.
  ///
  /// It has no query, and only error codes that the protocol defines.
  static func line(_ call: Call, _ answer: Answer) -> String {
    let path = call.path.prefix { $0 != "?" }
    let outcome =
      switch answer {
      case .noNetwork: "no network"
      case .unreachable: "server unreachable"
      case .timedOut: "no answer in time"
      case .onDevice: "on the device"
      case .received(let status, let body, _):
        Refusal(json: body).map { "\(status) \($0.code.rawValue)" } ?? "\(status)"
      }
    return "\(call.method.rawValue) \(path): \(outcome)"
  }

  // MARK: Storage and lock

  /// The stored session, if this process may renew it now.
  ///
  /// Without the claim the engine gets `.temporarilyUnreadable`, so it tries again later, and the
  /// requests that need a new token wait. A caller would repeat a refused request, and both would
  /// be sent. No other process has a session that is only in memory.
  private func claimRenewal() async -> StorageReading {
    let isClaimed = await environment.storage.claimRenewal()
    let isMemoryOnly = await environment.isMemoryOnly
    guard isClaimed || isMemoryOnly else { return .temporarilyUnreadable }
    return await environment.readSession()
  }

  private func closeLock(over session: Secret, card: Secret) async {
    do throws(LockFault) {
      try await environment.setLock(session, card: card)
      queue.append(.session(.lockSet))
    } catch { queue.append(.session(.lockFailed(error.failure))) }
  }

  private func removeLock(from session: Secret) async {
    let removed = await environment.removeLock(session)
    guard let other = removed.other else { return learn(removed.persistence) }
    queue.append(.storage(.sessionChanged(other)))
  }

  private func unlockSession() async {
    do throws(LockFault) { queue.append(.session(.unlocked(try await environment.unlock()))) } catch
    {
      queue.append(.session(.unlockFailed(error.failure)))
    }
  }

  private func learn(_ persistence: ClientEnvironment.Persistence) {
    let wasStored = isKept
    isKept = persistence == .stored
    guard wasStored, !isKept else { return }
    queue.append(.storage(.saveFailed))
  }

  // MARK: Time

  private func startTicking() {
    guard ticking == nil else { return }
    ticking = Task { [weak self, clock = environment.clock] in
      while !Task.isCancelled {
        await clock.pause(seconds: 1)
        if Task.isCancelled { return }
        guard let self else { return }
        await self.feed(.ticked)
      }
    }
  }

  // MARK: States

  func nextNumber() -> Int64 {
    lastNumber += 1
    return lastNumber
  }

  func add(_ reader: AsyncStream<State>.Continuation) {
    let number = nextNumber()
    readers[number] = reader
    reader.onTermination = { [weak self] _ in
      Task { [weak self] in await self?.removeReader(number) }
    }
    show(state, to: number, reader)
  }

  private func removeReader(_ number: Int64) { readers[number] = nil }

  private func show(_ state: State, to number: Int64, _ reader: AsyncStream<State>.Continuation) {
    if case .terminated = reader.yield(state) { readers[number] = nil }
  }

  private func publish() {
    let now = State(flow, isKept: isKept, server: environment.server)
    guard now != state else { return }
    state = now
    log?("state: \(now.name)")
    for (number, reader) in readers { show(now, to: number, reader) }
  }

  // MARK: Waiting

  /// Returns when the state machine is idle or an answer arrived, or at once if the task is
  /// cancelled.
  func turn() async {
    let number = nextNumber()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { continuation.resume() } else { waiting[number] = continuation }
      }
    } onCancel: {
      Task { await self.wake(number) }
    }
  }

  private func wake(_ number: Int64) { waiting.removeValue(forKey: number)?.resume() }

  private func wakeAll() {
    let awake = waiting.values
    waiting = [:]
    for continuation in awake { continuation.resume() }
  }

  /// Waits until the state machine is idle and `body` returns a value.
  func wait<Value>(
    _ body: () throws(SignInError) -> Value?
  ) async throws(SignInError) -> Value {
    while true {
      if !isWorking, let value = try body() { return value }
      if Task.isCancelled { throw .cancelled }
      await turn()
    }
  }
}
