public import Foundation
import SignInEngine
import SignInModel
import SignInWire

/// Signs a person in to one app, stores the session, and authorizes requests.
///
///     let client = try SignInClient(configuration, platform: .linux(app: "orders-app"))
///     await client.open()
///     switch try await client.signIn(email: email, password: password) {
///     case .codeRequired(let challenge): show(challenge)
///     case .signedIn(let session): enter(session)
///     default: break
///     }
///
/// The client waits half a minute for each answer of the server. A call can need several requests
/// one after another, for example a renewal before the request, and both again after a refusal. Two
/// waits have no limit: `unlock()` waits for the device's owner, and a call that needs a new token
/// waits while another process of the app renews it. If the task of a call is cancelled, the call
/// ends at once: it throws `SignInError.cancelled`, or returns if it throws no errors.
public actor SignInClient {
  let app: AppProfile
  let environment: ClientEnvironment
  let log: (@Sendable (String) -> Void)?

  var flow = AppFlow<NoHome>()
  /// The decisions about an event.
  ///
  /// The tests of the shell contract replace them by a script.
  var decide: @Sendable (inout AppFlow<NoHome>, Event, Instant, Int64) -> [Effect] = {
    (flow, event, now, steady) in
    flow.handle(event, at: now, steady: steady).compactMap { $0.ofEngine }
  }
  /// What the app should show now.
  public internal(set) var state = State.loading
  var isKept = true

  var queue: [Event] = []
  var isWorking = false
  var activeRevocations = 0
  /// Where the person signs out of the provider, after the latest sign-out.
  var signOutPage: URL?
  var ticking: Task<Void, Never>?

  var lastNumber: Int64 = 0
  var waiting: [Int64: CheckedContinuation<Void, Never>] = [:]
  var readers: [Int64: AsyncStream<State>.Continuation] = [:]
  /// The calls that wait for an answer, by their ticket.
  var awaited: Set<Int64> = []
  var replies: [Int64: Reply] = [:]
  /// The answers whose events wait in the queue, as they were received.
  var responses: [RequestID: Response] = [:]

  /// - Parameters:
  ///   - configuration: The app and its server.
  ///   - platform: The secure storage, the network and the clock of this device.
  ///   - log: Called with one line for each request and each change of the state. No line contains
  ///     a password, a code, a token, a name, an e-mail address or a phone number.
  /// - Throws: `SignInError.addressNotAllowed` if the server's address is not `https` and is not on
  ///   this device.
  public init(
    _ configuration: Configuration, platform: Platform,
    log: (@Sendable (String) -> Void)? = nil
  ) throws(SignInError) {
    app = configuration.profile
    environment = ClientEnvironment(
      clientID: configuration.clientID, server: try configuration.address, platform: platform)
    self.log = log
  }

  deinit {
    ticking?.cancel()
    for reader in readers.values { reader.finish() }
  }

  /// The current state, then each change.
  ///
  /// Several tasks can read it at the same time.
  ///
  /// A slow reader can miss intermediate states, but it always gets the newest one.
  public nonisolated var states: AsyncStream<State> {
    AsyncStream(bufferingPolicy: .bufferingNewest(Self.bufferedStates)) { continuation in
      Task { [weak self] in
        if let self { await self.add(continuation) } else { continuation.finish() }
      }
    }
  }

  private static let bufferedStates = 16

  // MARK: Opening

  /// Reads the stored session.
  ///
  /// A person who was signed in stays signed in.
  ///
  /// - Returns: Any state but `.loading`. After `.storageUnavailable` and `.confirming` you can
  ///   call it again. If the task is cancelled, the current state is returned.
  @discardableResult public func open() async -> State {
    switch flow.stage {
    case .starting:
      let page = Base64URL.encode(environment.cryptography.randomBytes(9))
      await feed(
        .started(
          utcOffsetSeconds: 0, app: app, page: page,
          locale: LocalePreferences(listed: Locale.preferredLanguages)))
      await feed(.session(.lockSupportChecked(await environment.lock.isPossible())))
    case .storageUnreadable, .confirming: await feed(.intent(.session(.tryAgain)))
    case .readingStorage, .signedOut, .signedIn, .riderSignedOut, .atProvider, .locked: break
    }
    while isWorking || state == .loading, !Task.isCancelled { await turn() }
    return state
  }

  // MARK: Signing in

  /// Starts a sign-in with e-mail and password.
  ///
  /// A sign-in that is in progress is cancelled.
  ///
  /// - Returns: Usually `.codeRequired`.
  @discardableResult public func signIn(
    email: String, password: String
  ) async throws(SignInError) -> State {
    try await prepareSignIn(.passwordAndCode)
    guard let address = EmailAddress(typed: email) else { throw .emailMalformed }
    guard !password.isEmpty else { throw .invalidCredentials }
    return try await begin(.enterPassword(address, Secret(password)))
  }

  /// Starts a sign-in with a phone number.
  ///
  /// A sign-in that is in progress is cancelled.
  ///
  /// - Parameter phone: The number with its calling code, such as `+919812345678`.
  /// - Returns: Usually `.codeRequired`.
  /// - Throws: The reason why no code was sent, with the time of the next try if there is one.
  @discardableResult public func signIn(phone: String) async throws(SignInError) -> State {
    try await prepareSignIn(.phoneCode)
    guard let phone = PhoneNumber(typed: phone) else { throw .phoneMalformed }
    return try await begin(.sendCode(to: phone))
  }

  /// Submits the code from the text message.
  ///
  /// - Returns: Usually `.signedIn`.
  @discardableResult public func submitCode(_ code: String) async throws(SignInError) -> State {
    try await proceed(with: .submitCode(Secret(code)))
  }

  /// Requests another code for the sign-in, the password reset or the registration that waits for
  /// one.
  ///
  /// `Challenge.resendAt` is the earliest time.
  ///
  /// - Returns: The challenge of the new code. A code that was sent before is not valid any more.
  /// - Throws: `.resendTooSoon(until:)` before that time.
  @discardableResult public func resendCode() async throws(SignInError) -> Challenge {
    guard challenge != nil else { throw .notPossibleNow }
    _ = try await result(of: .resendCode)
    guard let challenge else { throw .notPossibleNow }
    return challenge
  }

  /// The open challenge of a sign-in, a password reset or a registration.
  private var challenge: Challenge? {
    if case .codeRequired(let challenge) = state { return challenge }
    return (resetVerification ?? registrationVerification).map { Challenge($0) }
  }

  /// Cancels a sign-in, a password reset or a registration in progress.
  ///
  /// The state is `.signedOut` then. A code that was not submitted and an open browser cannot
  /// complete the sign-in any more, even after a restart of the app. A call that waits for its
  /// result throws `.cancelled`. If the server had already completed the sign-in, that session ends
  /// by its own time-out.
  ///
  /// Call `open()` first. If a person is signed in, or if the app is locked, nothing happens.
  public func cancelSignIn() async {
    await feedUntilIdle(.intent(.signIn(.cancel, ticket: nil)))
  }

  /// Signs out.
  ///
  /// The data on this device is erased first, so this also succeeds without a network. The method
  /// returns after the server confirmed the end of the session or could not be reached. In the
  /// second case the client informs the server when the app is opened again.
  ///
  /// - Returns: The address at which the person signs out of the identity provider too, if the
  ///   server has one. Open it in a browser.
  @discardableResult public func signOut() async -> URL? {
    signOutPage = nil
    await feed(.intent(.session(.signOut)))
    while isWorking || state.session != nil || activeRevocations > 0, !Task.isCancelled {
      await turn()
    }
    return signOutPage
  }

  /// Call this if the person wants to stay signed in.
  ///
  /// It continues a session in `.endingSoon`.
  public func staySignedIn() async { await feed(.intent(.session(.staySignedIn))) }

  // MARK: The app lock

  /// Asks the device's owner to unlock the app.
  ///
  /// The call waits until the owner has answered the prompt of the system. If the task is
  /// cancelled, the prompt stays open, and the app is unlocked if the owner is verified.
  ///
  /// - Returns: Usually `.signedIn`. It is `.confirming` if the server must confirm the session
  ///   first, `.storageUnavailable` if a later version of the app stored it, and `.signedOut` if
  ///   the lock can never be opened again or the session ended.
  /// - Throws: `.unlockCancelled` if the prompt was closed, and `.unlockBusy` if the device could
  ///   not show it or storage cannot be read now. The app stays locked, and you can call it again.
  ///   `.notPossibleNow` in any other state than `.appLocked`.
  @discardableResult public func unlock() async throws(SignInError) -> State {
    guard state == .appLocked else { throw .notPossibleNow }
    await feed(.intent(.session(.unlock)))
    return try await wait { () throws(SignInError) in
      guard case .locked(let lock) = flow.stage else { return state }
      if lock.isUnlocking { return nil }
      throw lock.notice == .session(.unlockCancelled) ? .unlockCancelled : .unlockBusy
    }
  }

  /// Shows the sign-in instead of the locked app.
  ///
  /// The stored session stays until a person has signed in. The client then ends that session at
  /// the server.
  ///
  /// - Throws: `.notPossibleNow` in any other state than `.appLocked`.
  public func signInInsteadOfUnlocking() async throws(SignInError) {
    guard state == .appLocked else { throw .notPossibleNow }
    await feedUntilIdle(.intent(.session(.signInInstead)))
  }

  /// Turns the app lock on or off.
  ///
  /// - Returns: Whether the lock is on now. If the organization requires a lock, it stays on.
  @discardableResult public func setAppLock(_ isWanted: Bool) async throws(SignInError) -> Bool {
    guard state.session != nil else { throw state.obstacle }
    await feed(.intent(.session(isWanted ? .setLock : .removeLock)))
    return try await wait { () throws(SignInError) in
      if case .signedIn(let signedIn) = flow.stage { signedIn.hasLock } else { false }
    }
  }

  // MARK: Lifecycle of the app

  /// Call this when the app is not visible any more.
  ///
  /// An organization can require that the app locks after some time in the background.
  public func didEnterBackground() async { await feed(.device(.hidden)) }

  /// Call this when the app is about to be visible.
  ///
  /// `state` shows whether it is locked or expired. If the owner of the device is asked to unlock
  /// the app, the call waits for the answer.
  public func willEnterForeground() async { await feedUntilIdle(.device(.shown)) }

  /// Call this when the person touches the screen or types.
  ///
  /// The idle timeout starts again.
  public func userWasActive() async { await feed(.device(.used)) }

  /// Call this when the device has a network again.
  ///
  /// The client then sends waiting requests.
  public func networkDidReturn() async { await feed(.device(.networkReturned)) }
}
