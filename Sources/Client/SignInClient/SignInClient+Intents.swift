import SignInEngine
import SignInModel

// Sends intents to the state machine and waits for their results.

extension SignInClient {
  /// Opens the client and makes sure that a sign-in of this kind can start.
  func prepareSignIn(_ kind: AppName.SignInKind) async throws(SignInError) {
    guard app.signInKind == kind else { throw .notPossibleNow }
    let state = await open()
    switch state {
    case .signedIn, .endingSoon, .loading, .storageUnavailable, .appLocked, .confirming:
      throw Task.isCancelled ? .cancelled : state.obstacle
    case .signedOut, .lockedOut, .codeRequired, .browserRequired: break
    }
  }

  /// Starts a sign-in, and cancels it if the task of the caller is cancelled.
  ///
  /// Another call may have started a sign-in since. So only the one with this ticket is cancelled.
  func begin(_ intent: SignInIntent) async throws(SignInError) -> State {
    let ticket = nextNumber()
    do throws(SignInError) { return try await perform(intent, ticket: ticket) } catch {
      if error == .cancelled { post(.intent(.signIn(.cancel, ticket: ticket))) }
      throw error
    }
  }

  /// Continues the sign-in that waits for a code.
  func proceed(with intent: SignInIntent) async throws(SignInError) -> State {
    guard case .codeRequired = state else { throw .notPossibleNow }
    return try await perform(intent)
  }

  func perform(_ intent: SignInIntent, ticket: Int64? = nil) async throws(SignInError) -> State {
    _ = try await result(of: intent, ticket: ticket)
    return state
  }

  /// Returns the result as soon as the state machine is idle.
  func result(
    of intent: SignInIntent, ticket: Int64? = nil
  ) async throws(SignInError) -> IntentResult {
    let ticket = ticket ?? nextNumber()
    awaited.insert(ticket)
    defer {
      awaited.remove(ticket)
      replies[ticket] = nil
    }
    await feed(.intent(.signIn(intent, ticket: ticket)))
    let result = try await wait { () throws(SignInError) -> IntentResult? in
      if case .result(let result)? = replies[ticket]?.content { result } else { nil }
    }
    if case .refused(let reason) = result { throw SignInError(reason) }
    return result
  }
}

extension SignInError {
  init(_ reason: IntentResult.Reason) {
    switch reason {
    case .notice(let notice): self.init(notice)
    case .codeRefused(let attemptsLeft):
      self = .wrongCode(attemptsLeft: Int(clamping: attemptsLeft))
    case .codeExpired: self = .codeExpired
    case .codeSuperseded: self = .codeSuperseded
    case .codeIncomplete(let digits): self = .codeIncomplete(digits: Int(clamping: digits))
    case .locked(let until): self = .lockedOut(until: .init(until))
    case .passwordRefused(let fault): self.init(fault)
    case .countryRefused: self = .refused(code: Self.countryNotSupported)
    case .passwordNeeded: self = .provider(.noneForEmail)
    case .notPossible: self = .notPossibleNow
    case .cancelled: self = .cancelled
    }
  }
}
