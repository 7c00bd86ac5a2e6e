import SignInModel
import SignInWire

// The intents of an app that draws its own screens.
extension AppFlow {
  /// Begins an intent of a person who is not signed in.
  mutating func begin(_ intent: SignInIntent, ticket: Int64?) -> [FlowEffect] {
    guard awaitsIntent else {
      reply(.refused(.notPossible), to: ticket)
      return []
    }
    // The call that cancels may be older than the intent in progress.
    if case .cancel = intent, let ticket, ticket != self.ticket { return [] }
    if intent.startsAgain {
      reply(.refused(.cancelled), to: self.ticket)
      self.ticket = ticket
      return leaveProvider() + beginAgain(intent)
    }
    guard self.ticket == nil else {
      reply(.refused(.notPossible), to: ticket)
      return []
    }
    self.ticket = ticket
    guard case .returnFromProvider(let query) = intent else {
      return decideStage(.intent(.signIn(intent, ticket: ticket)))
    }
    context.run.opened.watch(.providerReturned(query))
    return []
  }

  private var awaitsIntent: Bool {
    switch stage {
    case .signedOut, .riderSignedOut, .atProvider: Home.takesIntents
    case .starting, .readingStorage, .storageUnreadable, .signedIn, .locked, .confirming: false
    }
  }

  private mutating func beginAgain(_ intent: SignInIntent) -> [FlowEffect] {
    let left = decideStage(.intent(.signIn(intent, ticket: ticket)))
    switch intent {
    case .openProvider(let name):
      // The app has its own list, so the label is not known here.
      let provider = AppEntry.Provider(name: name, label: name, isAvailable: true)
      return left + beginAtProvider(provider, email: "")
    case .findProvider(let address): return left + beginAtProvider(nil, email: address.text)
    case .enterPassword, .sendCode, .returnFromProvider, .submitCode, .resendCode,
      .requestPasswordReset, .setPassword, .register:
      return left
    case .cancel: return left + forgetPendingSignIn()
    }
  }

  /// Forgets a sign-in at a provider that the browser could still complete.
  private mutating func forgetPendingSignIn() -> [FlowEffect] {
    guard pendingSignIn != nil else { return [] }
    pendingSignIn = nil
    return [.engine(.erasePendingSignIn)]
  }

  private mutating func leaveProvider() -> [FlowEffect] {
    guard case .atProvider(var signIn) = stage else { return [] }
    let effects = signIn.cancel(&context)
    return effects + follow(signIn)
  }

  /// Replies to the intent in progress, as soon as it has a result.
  mutating func settleIntent() {
    guard let ticket, let result = intentResult else { return }
    self.ticket = nil
    reply(result, to: ticket)
  }

  private mutating func reply(_ result: IntentResult, to ticket: Int64?) {
    if let ticket { context.reply(.result(result), to: ticket) }
  }

  /// `nil` while the intent is in progress.
  private var intentResult: IntentResult? {
    switch stage {
    case .starting, .readingStorage: nil
    case .storageUnreadable, .locked, .confirming: .refused(.notPossible)
    case .signedIn: .succeeded
    case .signedOut(let signIn): signIn.result
    case .riderSignedOut(let signIn): signIn.result
    case .atProvider(let signIn): signIn.result
    }
  }
}
