import SignInModel
import SignInWire

// A sign-in that waits for a code continues after the app was closed (L-27, L-47).
extension AppFlow {
  /// Adds what storage must contain to the effects of one event.
  ///
  /// A sign-in is stored before the request of the same event is sent. It is erased after the
  /// session is stored, so that an app that is closed in between finds one of them.
  mutating func keepPendingCode(around effects: [FlowEffect]) -> [FlowEffect] {
    let open: PendingCodeSignIn? =
      switch stage {
      case .signedOut(let signIn): signIn.pendingCode
      case .riderSignedOut(let signIn): signIn.pendingCode
      case .atProvider(let signIn): signIn.pendingCode
      case .starting, .readingStorage, .storageUnreadable, .signedIn, .locked, .confirming: nil
      }
    guard open != pendingCode else { return effects }
    pendingCode = open
    guard let open else { return effects + [.engine(.erasePendingSignIn)] }
    pendingSignIn = nil
    return [
      .engine(
        .savePendingSignIn(open.text(serverAheadMilliseconds: context.serverAheadMilliseconds)))
    ] + effects
  }

  /// Stores the known lockouts, if this event has changed them (T-05).
  mutating func storeLockouts() -> [FlowEffect] { context.storeLockouts().inApp() }

  /// Shows the code screen of an earlier run of the app, unless the server has forgotten it.
  mutating func resume(_ pending: PendingCodeSignIn) -> [FlowEffect] {
    guard context.now < pending.stored.code.openUntil else { return [.engine(.erasePendingSignIn)] }
    switch (pending.person, context.app.signInKind) {
    case (.email(let email), .passwordAndCode):
      stage = .signedOut(Home.PasswordSignIn(resuming: pending, email: email))
    case (.phone(let phone), .phoneCode):
      stage = .riderSignedOut(Home.PhoneSignIn(resuming: pending, phone: phone))
    case (.provider(let provider), _):
      context.hints.providerLabel = provider.label
      stage = .atProvider(ProviderSignIn(resuming: pending, of: provider))
    case (.email, .phoneCode), (.phone, .passwordAndCode): return [.engine(.erasePendingSignIn)]
    }
    pendingCode = pending
    context.show(.code)
    return [.report(.codeSent(destination: pending.stored.code.prompt.destination))]
  }
}
