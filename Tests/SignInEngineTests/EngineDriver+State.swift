import EngineTesting
import SignInModel
import SignInWire

@testable import SignInEngine

/// What a test reads of the engine.
extension EngineDriver {
  /// The newest request.
  var lastCall: (id: RequestID, call: Call)? {
    for effect in effects.reversed() {
      if case .call(let id, let call) = effect { return (id, call) }
    }
    return nil
  }

  var isCalling: Bool { lastCall != nil }

  var reports: [EngineReport] {
    effects.compactMap { if case .report(let report) = $0 { report } else { nil } }
  }

  /// The time of last use that the last effects store.
  var seen: String? {
    for effect in effects.reversed() {
      if case .saveLastSeen(let text) = effect { return text.revealed }
    }
    return nil
  }

  /// The sign-in that is stored now, after the given earlier one.
  func storedSignIn(after earlier: Secret? = nil) -> Secret? {
    var stored = earlier
    for effect in effects {
      if case .savePendingSignIn(let text) = effect { stored = text }
      if effect == .erasePendingSignIn { stored = nil }
    }
    return stored
  }

  var signedOut: IntentSignIn? {
    switch flow.stage {
    case .signedOut(let signIn), .riderSignedOut(let signIn): signIn
    case .starting, .readingStorage, .storageUnreadable, .signedIn, .atProvider, .locked,
      .confirming:
      nil
    }
  }

  /// The code that can be entered now; `nil` while a request is in progress.
  var code: CodeVerification? {
    signedOut?.verification.flatMap { $0.activity == .entering ? $0 : nil }
  }

  var signedIn: SignedIn<NoHome>? {
    if case .signedIn(let signedIn) = flow.stage { signedIn } else { nil }
  }

  var renewingSession: RenewingSession? { signedIn?.renewingSession }

  var lock: AppLock? {
    if case .locked(let lock) = flow.stage { lock } else { nil }
  }

  var confirming: SessionConfirmation? {
    if case .confirming(let confirming) = flow.stage { confirming } else { nil }
  }

  var providerSignIn: ProviderSignIn<CodeVerification>? {
    if case .atProvider(let signIn) = flow.stage { signIn } else { nil }
  }

  var shownPart: PagePart? { flow.context.shownPart?.part }

  /// Returns each result once, by its ticket.
  mutating func takeResults() -> [Int64: IntentResult] {
    var results: [Int64: IntentResult] = [:]
    for reply in flow.takeReplies() {
      if case .result(let result) = reply.content { results[reply.ticket] = result }
    }
    return results
  }

  /// Returns each answer to a request of the app once, by its ticket.
  mutating func takeAnswers() -> [Int64: Answer] {
    var answers: [Int64: Answer] = [:]
    for reply in flow.takeReplies() {
      if case .answer(let answer) = reply.content { answers[reply.ticket] = answer }
    }
    return answers
  }
}
