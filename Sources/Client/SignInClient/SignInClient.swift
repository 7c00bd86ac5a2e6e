public import JSONText
public import SignInFlow
import SignInModel
import SignInWire

/// Signs a person in to one app, and keeps the session, on Linux and on Apple platforms.
///
/// All decisions are those of `AppFlow`, the machine behind the web apps; this actor performs them.
///
///     let client = try SignInClient(for: .technician, at: server, storage: storage, …)
///     await client.open()
///     switch try await client.signIn(with: .password(email: email, password)) {
///     case .codeAwaited(let challenge): show(challenge)
///     case .signedIn(let terms): enter(terms)
///     }
///
/// Every call ends: a server that is silent is an error after half a minute.
public actor SignInClient {
  /// What the person is to be shown, each time it changes; the first value comes from `open`.
  ///
  /// One reader at a time.
  public nonisolated let phases: AsyncStream<Phase>

  private let outside: Outside
  private let continuation: AsyncStream<Phase>.Continuation
  private var flow = AppFlow()
  private var phase = Phase.waiting
  private var isKept = true

  private var queue: [Event] = []
  private var isWorking = false
  private var farewellsUnderWay = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var ticking: Task<Void, Never>?

  private var lastTicket: Int64 = 0
  private var answers: [Int64: Answer] = [:]

  /// `server` is where the server is reached, without a slash at the end: its `issuer`.
  ///
  /// - Throws: Why passwords and tokens are not sent to this address, which must begin with
  ///   `https://` unless its host is the device itself (P-04).
  public init(
    for app: AppName, at server: String, storage: any SecureStorage,
    cryptography: any DeviceCryptography, transport: any Transport = URLSessionTransport(),
    clock: any DeviceClock = SystemClock(), lock: any DeviceLock = NoDeviceLock()
  ) throws(ServerAddressFault) {
    let server = try ServerAddress(server)
    (phases, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    outside = Outside(
      app: app, server: server, storage: storage, cryptography: cryptography,
      transport: transport, clock: clock, lock: lock
    )
  }

  deinit { continuation.finish() }

  // MARK: Asking

  /// Opens what storage keeps; a person who was signed in still is.
  ///
  /// - Returns: Anything but `.waiting`. After `.storageUnreadable` it may be called again.
  @discardableResult public func open() async -> Phase {
    switch flow.stage {
    case .starting:
      let page = Base64URL.encode(outside.cryptography.randomBytes(9))
      await feed(.started(utcOffsetSeconds: 0, app: outside.app, page: page))
      await feed(.device(.lockPossible(await outside.lock.isPossible())))
    case .storageUnreadable, .confirming: await feed(.buttonPressed(.tryAgain))
    case .readingStorage, .signedOut, .signedIn, .riderSignedOut, .locked: break
    }
    return await until { $0 == .waiting ? nil : $0 }
  }

  /// Begins a sign-in; one that was under way is left.
  ///
  /// - Throws: Why not, and until when.
  public func signIn(with credentials: Credentials) async throws(SignInError) -> Progress {
    switch (credentials, await open()) {
    case (_, .active), (_, .endingSoon), (_, .waiting), (_, .storageUnreadable), (_, .appLocked):
      throw .notPossibleNow
    case (_, .signedOut), (_, .lockedOut), (_, .codeAwaited): break
    }
    for button in [ButtonName.back, .changeNumber, .useAnotherAccount] {
      await feed(.buttonPressed(button))
    }
    switch credentials {
    case .password(let email, let password):
      await feed(.fieldEdited(.email, email))
      await feed(.fieldEdited(.password, password.revealed))
      await feed(.buttonPressed(.login))
    case .phone(let number):
      await feed(.fieldEdited(.phone, number))
      await feed(.buttonPressed(.sendCode))
    }
    return try await progress()
  }

  /// Answers the challenge with the code that came by text message.
  public func answer(_ code: String) async throws(SignInError) -> Progress {
    await feed(.fieldEdited(.code, code))
    return try await press(.verify)
  }

  /// Asks for another code; the challenge tells from when on that is possible.
  public func resend() async throws(SignInError) -> Progress { try await press(.resend) }

  /// Signs out: what is kept here goes first, so that it succeeds with no network too.
  ///
  /// Returns once the server was told, or could not be; then it is told when the app is opened.
  public func signOut() async {
    await feed(.buttonPressed(.signOut))
    let _: Phase = await until { $0.terms == nil ? $0 : nil }
    while farewellsUnderWay > 0 { await turn() }
  }

  /// The person is there: a session that was `.endingSoon` goes on (WCAG 2.2.1).
  public func staySignedIn() async { await feed(.buttonPressed(.staySignedIn)) }

  // MARK: The lock

  /// Asks the device's owner to open an app that is locked.
  ///
  /// - Returns: `.active`; or `.signedOut`, when the lock can never be opened again because another
  ///   finger or face was enrolled (L-30), or the session has ended meanwhile.
  /// - Throws: `.lockCancelled` and `.lockBusy`, after which it may be called again.
  @discardableResult public func unlock() async throws(SignInError) -> Phase {
    guard case .appLocked(.unlockNeeded) = phase else { throw .notPossibleNow }
    await feed(.buttonPressed(.unlock))
    while true {
      if !isWorking {
        guard case .locked(let lock) = flow.stage else { return phase }
        if !lock.isUnlocking {
          throw lock.notice == .session(.unlockCancelled) ? .lockCancelled : .lockBusy
        }
      }
      await turn()
    }
  }

  /// Leaves a locked app for the login; what is stored stays until somebody has signed in, and the
  /// session it held is then ended at the server.
  public func useAnotherWay() async throws(SignInError) {
    guard case .appLocked(.unlockNeeded) = phase else { throw .notPossibleNow }
    await feed(.buttonPressed(.useAnotherWay))
  }

  /// Locks the session with the device's own means from now on, or no longer.
  ///
  /// - Returns: Whether it is locked now; an organization may ask for a lock, which then stays.
  @discardableResult public func setLock(_ isWanted: Bool) async throws(SignInError) -> Bool {
    guard phase.terms != nil else { throw .notPossibleNow }
    await feed(.buttonPressed(isWanted ? .setLock : .removeLock))
    while isWorking { await turn() }
    if case .signedIn(let signedIn) = flow.stage { return signedIn.hasLock }
    return false
  }

  /// Tells what happened to the app: that it is in sight or not, and that the person is there.
  ///
  /// An organization may want the person's proof after some time out of sight (S-06).
  public func tell(_ event: DeviceEvent) async { await feed(.device(event)) }

  /// Reads or changes something in the person's name; the token is renewed where it must be.
  ///
  /// - Returns: Whatever the server answered, refusals included.
  public func ask(_ errand: Errand) async throws(SignInError) -> (status: Int64, body: JSON) {
    guard let before = phase.terms else { throw .notPossibleNow }
    lastTicket += 1
    let ticket = lastTicket
    await feed(.home(.errandAsked(errand, ticket: ticket)))
    while answers[ticket] == nil {
      if case .appLocked = phase { throw .notPossibleNow }
      guard phase.terms?.id == before.id else { throw .sessionEnded }
      await turn()
    }
    switch answers.removeValue(forKey: ticket) {
    case .received(let status, let body, _): return (status, body)
    case .timedOut: throw .noAnswerInTime
    case .noNetwork: throw .noConnection
    case .unreachable, nil: throw .serviceUnreachable
    }
  }

  // MARK: The machine

  /// Takes an event and performs what the machine wants done about it, in order.
  private func feed(_ event: Event) async {
    queue.append(event)
    guard !isWorking else { return }
    isWorking = true
    while !queue.isEmpty {
      let effects = flow.handle(
        queue.removeFirst(), at: outside.clock.now(), steady: outside.clock.steadyMilliseconds()
      )
      for effect in effects { await perform(effect) }
      tellPhase()
    }
    isWorking = false
    let awake = waiting
    waiting = []
    for continuation in awake { continuation.resume() }
  }

  private func perform(_ effect: Effect) async {
    switch effect {
    case .call(let id, let call):
      let isFarewell = call.path == Endpoint.revoke
      if isFarewell { farewellsUnderWay += 1 }
      Task { await answered(id, await outside.send(call), isFarewell: isFarewell) }
    case .makeVerifier:
      let verifier = Base64URL.encode(outside.cryptography.randomBytes(32))
      let challenge = Base64URL.encode(outside.cryptography.sha256(Array(verifier.utf8)))
      queue.append(.verifierMade(verifier: Secret(verifier), challenge: challenge))
    case .readSession:
      queue.append(.storageRead(await outside.readSession(), seen: await outside.readSeen()))
    case .saveSession(let text):
      let begun = await outside.begin(text)
      tellKept(begun.keeping)
      if begun.keeping == .kept { queue.append(.device(.storedOver(begun.replaced))) }
    case .leaveTombstone(let text):
      queue.append(.device(.storedOver(await outside.leave(text))))
    case .removeLock(let text): tellKept(await outside.removeLock(text))
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
    case .startTicking: ticking = ticking ?? Task { await tick() }
    case .stopTicking:
      ticking?.cancel()
      ticking = nil
    // An app that draws its own screens keeps what it shows by itself.
    case .readPlace: queue.append(.home(.placeRead(nil)))
    case .keepPlace, .forgetPlace, .keepLanguage: break
    case .shelf(.read): queue.append(.home(.shelf(.read(.absent))))
    case .shelf(.write): queue.append(.home(.shelf(.written(.refused))))
    case .shelf(.erase): break
    // Its answer comes late, and is of no more use then.
    case .cancelCall: break
    case .announce: break
    case .handOver(let ticket, let answer): answers[ticket] = answer
    }
  }

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

  private func tellKept(_ keeping: Outside.Keeping) {
    let wasKept = isKept
    isKept = keeping == .kept
    guard wasKept, !isKept else { return }
    queue.append(.sessionSaveRefused)
  }

  private func answered(_ id: RequestID, _ answer: Answer, isFarewell: Bool) async {
    if isFarewell { farewellsUnderWay -= 1 }
    await feed(.answered(id, answer))
  }

  private func tick() async {
    while !Task.isCancelled {
      await outside.clock.pause(seconds: 1)
      if !Task.isCancelled { await feed(.ticked) }
    }
  }

  private func tellPhase() {
    let now = Phase(flow, isKept: isKept)
    guard now != phase else { return }
    phase = now
    continuation.yield(now)
  }

  // MARK: Waiting

  /// Returns after the machine has taken its next event.
  private func turn() async { await withCheckedContinuation { waiting.append($0) } }

  private func until<Value>(_ look: (Phase) -> Value?) async -> Value {
    while true {
      if !isWorking, let value = look(phase) { return value }
      await turn()
    }
  }

  private func press(_ button: ButtonName) async throws(SignInError) -> Progress {
    guard case .codeAwaited = phase else { throw .notPossibleNow }
    await feed(.buttonPressed(button))
    return try await progress(after: button)
  }

  /// What has become of the sign-in once the machine waits for the person again.
  private func progress(after button: ButtonName? = nil) async throws(SignInError) -> Progress {
    while true {
      if !isWorking, let standing = Standing(flow, after: button) {
        switch standing {
        case .progress(let progress): return progress
        case .refused(let error): throw error
        }
      }
      await turn()
    }
  }
}
