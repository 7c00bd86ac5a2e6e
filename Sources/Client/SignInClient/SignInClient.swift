import Foundation
import SignInFlow
import SignInModel
import SignInWire

/// Signs a person in to one app, keeps the session, and proves it to servers.
///
///     let client = try SignInClient(configuration, platform: .linux(app: "orders-app"))
///     await client.open()
///     switch try await client.signIn(email: email, password: password) {
///     case .codeRequired(let challenge): show(challenge)
///     case .signedIn(let session): enter(session)
///     default: break
///     }
///
/// Every call ends: a server that does not answer is an error after half a minute, and a call whose
/// task is cancelled throws `SignInError.cancelled` at once.
public actor SignInClient {
  let app: AppProfile
  let outside: Outside
  let log: (@Sendable (String) -> Void)?

  var flow = AppFlow()
  /// What the app shows now.
  public internal(set) var state = State.loading
  var isKept = true

  var queue: [Event] = []
  var isWorking = false
  var revocationsUnderWay = 0
  var ticking: Task<Void, Never>?

  var lastNumber: Int64 = 0
  var waiting: [Int64: CheckedContinuation<Void, Never>] = [:]
  var readers: [Int64: AsyncStream<State>.Continuation] = [:]
  /// Calls that wait for their answer, by ticket.
  var awaited: Set<Int64> = []
  var replies: [Int64: Reply] = [:]

  enum Reply {
    case answer(Answer)
    case token(Secret)
  }

  /// - Parameters:
  ///   - configuration: The app and its server.
  ///   - platform: Where secrets are kept, and how requests are sent.
  ///   - log: Takes one line for each request and each change of state. No line has a password, a
  ///     code, a token, a name, an address or a number in it.
  /// - Throws: `SignInError.addressNotAllowed` for a server to which passwords and tokens are not
  ///   sent: one without `https` that is not on this device.
  public init(
    _ configuration: Configuration, platform: Platform,
    log: (@Sendable (String) -> Void)? = nil
  ) throws(SignInError) {
    app = configuration.profile
    outside = Outside(
      clientID: configuration.clientID, server: try configuration.address, platform: platform)
    self.log = log
  }

  deinit {
    ticking?.cancel()
    for reader in readers.values { reader.finish() }
  }

  /// The state now, and then each change of it; for any number of readers at once.
  ///
  /// A reader that is slow misses states in the middle, never the newest.
  public nonisolated var states: AsyncStream<State> {
    AsyncStream(bufferingPolicy: .bufferingNewest(Self.bufferedStates)) { continuation in
      Task { [weak self] in
        if let self { await self.add(continuation) } else { continuation.finish() }
      }
    }
  }

  private static let bufferedStates = 16

  // MARK: Opening

  /// Reads what storage keeps; a person who was signed in still is.
  ///
  /// - Returns: Any state but `.loading`. After `.storageUnavailable` and `.confirming` it may be
  ///   called again. A cancelled task gets the state as it is.
  @discardableResult public func open() async -> State {
    switch flow.stage {
    case .starting:
      let page = Base64URL.encode(outside.cryptography.randomBytes(9))
      await feed(
        .started(
          utcOffsetSeconds: 0, app: app, page: page,
          reader: Reader(listed: Locale.preferredLanguages)))
      await feed(.device(.lockPossible(await outside.lock.isPossible())))
    case .storageUnreadable, .confirming: await feed(.buttonPressed(.tryAgain))
    case .readingStorage, .signedOut, .signedIn, .riderSignedOut, .locked: break
    }
    while isWorking || state == .loading, !Task.isCancelled { await turn() }
    return state
  }

  // MARK: Signing in

  /// Begins a sign-in with e-mail and password; one that was under way is left.
  ///
  /// - Returns: `.codeRequired` as a rule.
  @discardableResult public func signIn(
    email: String, password: String
  ) async throws(SignInError) -> State {
    try await beginSignIn(.passwordAndCode)
    return try await abandonIfCancelled { () async throws(SignInError) in
      await feed(.fieldEdited(.email, email))
      await feed(.fieldEdited(.password, password))
      await feed(.buttonPressed(.login))
      return try await result()
    }
  }

  /// Begins a sign-in with a phone number; one that was under way is left.
  ///
  /// - Parameter phone: With its calling code, such as `+919812345678`.
  /// - Returns: `.codeRequired` as a rule.
  /// - Throws: Why no code was sent, and until when.
  @discardableResult public func signIn(phone: String) async throws(SignInError) -> State {
    try await beginSignIn(.phoneCode)
    return try await abandonIfCancelled { () async throws(SignInError) in
      await feed(.fieldEdited(.phone, phone))
      await feed(.buttonPressed(.sendCode))
      return try await result()
    }
  }

  /// Answers the challenge with the code that came by text message.
  ///
  /// - Returns: `.signedIn` as a rule.
  @discardableResult public func submitCode(_ code: String) async throws(SignInError) -> State {
    await feed(.fieldEdited(.code, code))
    return try await press(.verify)
  }

  /// Asks for another code; the challenge tells from when that is possible.
  @discardableResult public func resendCode() async throws(SignInError) -> State {
    try await press(.resend)
  }

  /// Signs out: what is kept here is erased first, so that it succeeds without a network too.
  ///
  /// Returns once the server was told, or could not be; then it is told when the app is opened.
  public func signOut() async {
    await feed(.buttonPressed(.signOut))
    while isWorking || state.session != nil || revocationsUnderWay > 0, !Task.isCancelled {
      await turn()
    }
  }

  /// The person answers that they are there: a session that was `.endingSoon` continues.
  public func staySignedIn() async { await feed(.buttonPressed(.staySignedIn)) }

  // MARK: The app lock

  /// Asks the device's owner to open an app that is locked.
  ///
  /// - Returns: `.signedIn`; or `.signedOut`, when the lock can never be opened again or the
  ///   session ended in the meantime.
  @discardableResult public func unlock() async throws(SignInError) -> State {
    guard state == .appLocked else { throw .notPossibleNow }
    await feed(.buttonPressed(.unlock))
    return try await wait { () throws(SignInError) in
      guard case .locked(let lock) = flow.stage else { return state }
      if lock.isUnlocking { return nil }
      throw lock.notice == .session(.unlockCancelled) ? .unlockCancelled : .unlockBusy
    }
  }

  /// Leaves a locked app for the sign-in.
  ///
  /// What is stored stays until a person has signed in; the session it held is then ended at the
  /// server.
  public func signInInsteadOfUnlocking() async throws(SignInError) {
    guard state == .appLocked else { throw .notPossibleNow }
    await feed(.buttonPressed(.useAnotherWay))
  }

  /// Locks the session with the device's own means from now on, or no longer.
  ///
  /// - Returns: Whether it is locked now; an organization may demand a lock, which then stays.
  @discardableResult public func setLock(_ isWanted: Bool) async throws(SignInError) -> Bool {
    guard state.session != nil else { throw .notPossibleNow }
    await feed(.buttonPressed(isWanted ? .setLock : .removeLock))
    return try await wait { () throws(SignInError) in
      if case .signedIn(let signedIn) = flow.stage { signedIn.hasLock } else { false }
    }
  }

  // MARK: The life of the app

  /// The app can no longer be seen.
  ///
  /// An organization may want the owner's proof after some time.
  public func didEnterBackground() async { await feed(.device(.hidden)) }

  /// The app will be seen again: locks and expired sessions show in `state`.
  public func willEnterForeground() async { await feed(.device(.shown)) }

  /// The person touched the screen or typed: idle time begins again.
  public func userWasActive() async { await feed(.device(.used)) }

  /// The device has a network again: what waits for it is sent.
  public func networkDidReturn() async { await feed(.networkReturned) }
}
