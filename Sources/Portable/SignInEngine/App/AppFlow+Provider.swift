import SignInModel
import SignInWire

// The steps of a sign-in at a provider that concern the whole app.
extension AppFlow {
  /// Leaves the form for a provider; `nil` lets the e-mail address decide.
  mutating func beginAtProvider(_ provider: AppEntry.Provider?, email: String) -> [FlowEffect] {
    stage = .atProvider(ProviderSignIn(at: provider, email: email, at: context.now))
    context.hints.providerLabel = provider?.label
    context.show(.heading)
    let earlier: [FlowEffect] = pendingSignIn == nil ? [] : [.engine(.erasePendingSignIn)]
    pendingSignIn = nil
    return earlier + [.report(.signingIn), .engine(.makeVerifier)]
  }

  mutating func proceed(_ signIn: ProviderSignIn<Home.Code>, _ event: Event) -> [FlowEffect] {
    if case .storage(.sessionChanged(let reading)) = event {
      revocations.watch(StoredSession(reading))
    }
    var signIn = signIn
    let effects: [FlowEffect]
    switch (signIn.step, event.pageIntent) {
    case (_, .cancel?): effects = signIn.cancel(&context)
    case (.waiting, .session(.tryAgain)?):
      effects = [.report(.signingIn)] + signIn.redeem(&context)
    default:
      if event.isTick, let wait = signIn.wait {
        effects = wait.reports(context).inApp()
      } else {
        effects = signIn.handle(event, &context)
      }
    }
    return effects + follow(signIn)
  }

  /// Continues with the step after this one, or returns to the form.
  mutating func follow(_ signIn: ProviderSignIn<Home.Code>) -> [FlowEffect] {
    var signIn = signIn
    let outcome = signIn.takeOutcome()
    pendingSignIn = signIn.pending.isStored ? signIn.pending.text : nil
    switch signIn.ending {
    case nil:
      stage = .atProvider(signIn)
      return explain(outcome)
    case .finished(let tokens):
      pendingSignIn = nil
      let menu = signIn.pending.provider.map { context.hints.information.use($0) } ?? []
      return enter(tokens) + [.engine(.erasePendingSignIn)] + menu.inApp()
    case .left(let notice):
      showForm(notice, email: signIn.email)
      return notice.map { [.report(.notice($0))] } ?? []
    case .needsPassword:
      showForm(nil, email: signIn.email)
      guard case .signedOut(var form) = stage else { return [] }
      let effects = form.needPassword(&context)
      stage = .signedOut(form)
      return effects
    }
  }

  private mutating func explain(
    _ outcome: ProviderSignIn<Home.Code>.Outcome?
  ) -> [FlowEffect] {
    switch outcome {
    case nil: return []
    case .codeSent(let destination)?:
      context.show(.code)
      return [.report(.codeSent(destination: destination))]
    case .waiting(let reason)?:
      context.show(.heading)
      return [.report(.notice(reason))]
    }
  }

  private mutating func showForm(_ notice: Notice?, email: String) {
    context.show(.heading)
    stage = signedOut(notice)
    guard case .signedOut(var form) = stage else { return }
    form.fillIn(email: email)
    stage = .signedOut(form)
  }

  /// Continues the sign-in that an earlier run of the app stored (L-27, L-47).
  ///
  /// If a session is open, this sign-in or one in another tab was completed, so the stored one has
  /// ended.
  mutating func resumeAtProvider(_ stored: Secret?) -> [FlowEffect] {
    guard let stored else { return [] }
    guard isFormAtRest else { return openSession == nil ? [] : [.engine(.erasePendingSignIn)] }
    if let (waiting, ahead) = PendingCodeSignIn.read(stored) {
      context.restoreTime(serverAheadMilliseconds: ahead)
      return resume(waiting)
    }
    guard let pending = PendingProviderSignIn(text: stored.revealed),
      context.now < pending.expiresAt
    else { return [.engine(.erasePendingSignIn)] }
    pendingSignIn = stored
    context.hints.providerLabel = pending.label
    guard !context.run.opened.hasProviderResult else { return [] }
    let notice = Notice.atProvider(.interrupted)
    showForm(notice, email: "")
    return [.report(.notice(notice))]
  }

  /// Uses the result of the browser as soon as storage has been read.
  ///
  /// A person who is signed in, or in the middle of another sign-in, does not need it.
  mutating func completeAtProvider() -> [FlowEffect] {
    switch stage {
    case .starting, .readingStorage, .storageUnreadable: return []
    case .signedOut, .riderSignedOut, .atProvider, .signedIn, .locked, .confirming: break
    }
    guard let query = context.run.opened.takeProviderResult(), isFormAtRest else { return [] }
    let notice: Notice
    if let pending = pendingSignIn.flatMap({ PendingProviderSignIn(text: $0.revealed) }) {
      switch ProviderResult(query: query, of: pending) {
      case .code(let code):
        var signIn = ProviderSignIn<Home.Code>(completing: pending, with: code, at: context.now)
        context.show(.heading)
        let effects = signIn.redeem(&context)
        stage = .atProvider(signIn)
        return [.report(.signingIn)] + effects
      case .failed(let reason):
        pendingSignIn = nil
        showForm(reason, email: "")
        return [.engine(.erasePendingSignIn), .report(.notice(reason))]
      // The pending sign-in remains, because another site may have made this address.
      case .foreign: notice = .atProvider(.unknown)
      }
    } else {
      notice = .atProvider(.unknown)
    }
    showForm(notice, email: "")
    return [.report(.notice(notice))]
  }

  /// Whether the form is shown, or the browser that left it is open.
  private var isFormAtRest: Bool {
    switch stage {
    case .signedOut(let form): form.isAtStart
    case .riderSignedOut(let form): form.isAtStart
    case .atProvider(let signIn): signIn.isAway
    case .starting, .readingStorage, .storageUnreadable, .signedIn, .locked, .confirming: false
    }
  }
}

extension FlowContext {
  /// The provider of a pressed button, if it is available.
  func chosenProvider<Page>(_ event: AppEvent<Page>) -> AppEntry.Provider? {
    guard case .home(.itemPressed(let button, let item)) = event,
      case .signInAtProvider(let name)? = Page.intent(pressing: button, of: item)
    else { return nil }
    for provider in providerMenu.providers where provider.name.hasSameBytes(as: name) {
      return provider.isAvailable ? provider : nil
    }
    return nil
  }
}
