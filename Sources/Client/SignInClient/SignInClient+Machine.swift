import Foundation
import JSONText
import SignInFlow
import SignInModel
import SignInWire

// Feeds events to the machine, performs the effects it answers, and wakes the calls that wait.

extension SignInClient {
  /// Takes an event, and waits until the machine has performed what follows.
  ///
  /// The machine works in a task of its own: a caller that is cancelled stops waiting, and must not
  /// interrupt a write or the lock around a renewal.
  func feed(_ event: Event) async {
    guard post(event) else { return }
    while isWorking, !Task.isCancelled { await turn() }
  }

  /// - Returns: Whether the machine was at rest before.
  @discardableResult func post(_ event: Event) -> Bool {
    queue.append(event)
    guard !isWorking else { return false }
    isWorking = true
    Task { await work() }
    return true
  }

  private func work() async {
    while !queue.isEmpty {
      let effects = flow.handle(
        queue.removeFirst(), at: outside.clock.now(), steady: outside.clock.steadyMilliseconds()
      )
      for effect in effects { await perform(effect) }
      publish()
    }
    isWorking = false
    wakeAll()
  }

  private func perform(_ effect: Effect) async {
    switch effect {
    case .call(let id, let call): send(id, call)
    case .makeVerifier:
      let verifier = Base64URL.encode(outside.cryptography.randomBytes(32))
      let challenge = Base64URL.encode(outside.cryptography.sha256(Array(verifier.utf8)))
      queue.append(.verifierMade(verifier: Secret(verifier), challenge: challenge))
    case .readSession:
      queue.append(.storageRead(await outside.readSession(), seen: await outside.readSeen()))
    case .saveSession(let text):
      let begun = await outside.begin(text)
      learn(begun.keeping)
      if begun.keeping == .kept { queue.append(.device(.storedOver(begun.replaced))) }
    case .leaveTombstone(let text):
      queue.append(.device(.storedOver(await outside.leave(text))))
    case .removeLock(let text): learn(await outside.removeLock(text))
    case .replaceSession(let before, let after):
      if let reading = await outside.replace(before, with: after) {
        queue.append(.device(.sessionChanged(reading)))
      }
    case .keepSeen(let text): await outside.keepSeen(text)
    case .setLock(let session, let card): await closeLock(over: session, card: card)
    case .unlock: await openLock()
    case .lock: await outside.forgetKey()
    case .keepCard(let card): await outside.keepCard(card)
    case .eraseSession: await outside.erase()
    case .eraseIfStill(let text):
      if await outside.readSession() == .value(text.revealed) { await outside.erase() }
    case .claimRenewal:
      await outside.storage.claimRenewal()
      queue.append(.renewalClaimed(await outside.readSession()))
    case .releaseRenewal: await outside.storage.releaseRenewal()
    case .startTicking: startTicking()
    case .stopTicking:
      ticking?.cancel()
      ticking = nil
    // An app that draws its own screens keeps what it shows by itself.
    case .readPlace: queue.append(.home(.placeRead(nil)))
    case .shelf(.read): queue.append(.home(.shelf(.read(.absent))))
    case .shelf(.write): queue.append(.home(.shelf(.written(.refused))))
    // The answer of a cancelled call comes late, and is then ignored.
    case .keepPlace, .forgetPlace, .keepLanguage, .shelf(.erase), .cancelCall, .announce: break
    case .handOver(let ticket, let answer): reply(.answer(answer), to: ticket)
    case .handOverToken(let ticket, let token): reply(.token(token), to: ticket)
    }
  }

  private func reply(_ reply: Reply, to ticket: Int64) {
    if awaited.contains(ticket) { replies[ticket] = reply }
  }

  private func send(_ id: RequestID, _ call: Call) {
    let isRevocation = call.path == Endpoint.revoke
    if isRevocation { revocationsUnderWay += 1 }
    Task { [weak self, outside] in
      let answer = await outside.send(call)
      await self?.answered(id, answer, call, isRevocation: isRevocation)
    }
  }

  private func answered(
    _ id: RequestID, _ answer: Answer, _ call: Call, isRevocation: Bool
  ) async {
    if isRevocation { revocationsUnderWay -= 1 }
    if let log { log(Self.line(call, answer)) }
    await feed(.answered(id, answer))
  }

  /// The path without its query, and a code only where it is one of the protocol's.
  static func line(_ call: Call, _ answer: Answer) -> String {
    let path = call.path.prefix { $0 != "?" }
    let outcome =
      switch answer {
      case .noNetwork: "no network"
      case .unreachable: "server unreachable"
      case .timedOut: "no answer in time"
      case .received(let status, let body, _):
        (body["error"]?.text ?? body["code"]?.text).flatMap { ErrorCode(rawValue: $0) }
          .map { "\(status) \($0.rawValue)" } ?? "\(status)"
      }
    return "\(call.method.rawValue) \(path): \(outcome)"
  }

  // MARK: Storage and lock

  private func closeLock(over session: Secret, card: Secret) async {
    do throws(LockFault) {
      try await outside.setLock(session, card: card)
      queue.append(.device(.lockSet))
    } catch { queue.append(.device(.lockRefused(error.failure))) }
  }

  private func openLock() async {
    do throws(LockFault) { queue.append(.device(.unlocked(try await outside.unlock()))) } catch {
      queue.append(.device(.unlockFailed(error.failure)))
    }
  }

  private func learn(_ keeping: Outside.Keeping) {
    let wasKept = isKept
    isKept = keeping == .kept
    guard wasKept, !isKept else { return }
    queue.append(.sessionSaveRefused)
  }

  // MARK: Time

  private func startTicking() {
    guard ticking == nil else { return }
    ticking = Task { [weak self, clock = outside.clock] in
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
    let now = State(flow, isKept: isKept)
    guard now != state else { return }
    state = now
    log?("state: \(now.name)")
    for (number, reader) in readers { show(now, to: number, reader) }
  }

  // MARK: Waiting

  /// Returns after the machine has come to rest again, or at once when the task is cancelled.
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

  /// Waits until the machine is at rest and `look` finds something.
  func wait<Value>(
    _ look: () throws(SignInError) -> Value?
  ) async throws(SignInError) -> Value {
    while true {
      if !isWorking, let value = try look() { return value }
      if Task.isCancelled { throw .cancelled }
      await turn()
    }
  }

  // MARK: The way in

  /// Leaves a sign-in that is under way, for another.
  func beginSignIn(_ kind: AppName.SignInKind) async throws(SignInError) {
    guard app.signInKind == kind else { throw .notPossibleNow }
    switch await open() {
    case .signedIn, .endingSoon, .loading, .storageUnavailable, .appLocked, .confirming:
      throw Task.isCancelled ? .cancelled : .notPossibleNow
    case .signedOut, .lockedOut, .codeRequired: break
    }
    // From a reset it takes two steps back.
    for button in [ButtonName.back, .back, .changeNumber, .useAnotherAccount] {
      await feed(.buttonPressed(button))
    }
  }

  func abandonIfCancelled(
    _ act: () async throws(SignInError) -> State
  ) async throws(SignInError) -> State {
    do throws(SignInError) { return try await act() } catch {
      if error == .cancelled { post(.buttonPressed(.cancel)) }
      throw error
    }
  }

  func press(_ button: ButtonName) async throws(SignInError) -> State {
    guard case .codeRequired = state else { throw .notPossibleNow }
    await feed(.buttonPressed(button))
    return try await result(after: button)
  }

  /// What the sign-in has come to, once the machine waits for the person again.
  func result(after button: ButtonName? = nil) async throws(SignInError) -> State {
    let standing = try await wait { () throws(SignInError) in Standing(flow, after: button) }
    switch standing {
    case .progress: return state
    case .refused(let error): throw error
    }
  }
}
