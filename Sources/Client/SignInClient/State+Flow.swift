import Foundation
import SignInEngine
import SignInModel
import SignInWire

extension SignInClient.State {
  init(_ flow: AppFlow<NoHome>, isKept: Bool, server: ServerAddress) {
    switch flow.stage {
    case .starting, .readingStorage: self = .loading
    case .storageUnreadable: self = .storageUnavailable
    case .locked: self = .appLocked
    case .confirming: self = .confirming
    case .signedIn(let signedIn):
      let session = SignInClient.Session(signedIn, isKept: isKept)
      if case .idleWarning(let until)? = signedIn.sheet {
        self = .endingSoon(session, at: Date(until))
      } else {
        self = .signedIn(session)
      }
    case .signedOut(let signIn), .riderSignedOut(let signIn): self.init(signIn)
    case .atProvider(let signIn):
      switch signIn.step {
      case .enteringCode(let code): self = .codeRequired(SignInClient.Challenge(code))
      case .inBrowser(let address):
        self = URL(string: server.text + address).map { .browserRequired($0) } ?? .signedOut(nil)
      case .preparing, .requesting, .saving, .redeeming, .waiting: self = .signedOut(nil)
      }
    }
  }

  private init(_ signIn: IntentSignIn) {
    if let verification = signIn.verification {
      self = .codeRequired(SignInClient.Challenge(verification))
    } else if let until = signIn.lockedUntil {
      self = .lockedOut(until: Date(until))
    } else {
      self = .signedOut(signIn.notice.flatMap { SignInError(endingBy: $0) })
    }
  }

  var session: SignInClient.Session? {
    switch self {
    case .signedIn(let session), .endingSoon(let session, _): session
    case .loading, .storageUnavailable, .signedOut, .codeRequired, .browserRequired, .lockedOut,
      .appLocked, .confirming:
      nil
    }
  }

  /// The error of a call that needs a session or readable storage, and is not possible in this
  /// state.
  var obstacle: SignInError {
    switch self {
    case .storageUnavailable: .storageUnavailable
    case .appLocked: .appLocked
    case .signedOut, .codeRequired, .browserRequired, .lockedOut: .notSignedIn
    case .loading, .confirming, .signedIn, .endingSoon: .notPossibleNow
    }
  }

  /// The name of the state in the log.
  var name: String {
    switch self {
    case .loading: "loading"
    case .storageUnavailable: "storage unavailable"
    case .signedOut: "signed out"
    case .codeRequired: "code required"
    case .browserRequired: "browser required"
    case .lockedOut: "locked out"
    case .appLocked: "app locked"
    case .confirming: "confirming"
    case .signedIn(let session): session.isStored ? "signed in" : "signed in, not stored"
    case .endingSoon: "ending soon"
    }
  }
}

extension SignInClient.Challenge {
  init(_ verification: CodeVerification) { self.init(verification.prompt) }

  init(_ prompt: CodePrompt) {
    self.init(
      destination: prompt.destination, digits: Int(clamping: prompt.digits),
      expiresAt: Date(prompt.expiresAt), resendAt: Date(prompt.resendAt),
      attemptsLeft: Int(clamping: prompt.attemptsLeft)
    )
  }
}

extension SignInClient.Session {
  init(_ signedIn: SignedIn<NoHome>, isKept: Bool) {
    let record = signedIn.renewingSession.record
    let terms = record.terms
    self.init(
      id: terms.id.text, accountID: record.person?.id.text,
      organization: terms.organization?.text,
      expiresAt: Date(terms.expiresAt), isStored: isKept, hasAppLock: signedIn.hasLock,
      offlineSince: signedIn.renewingSession.offlineSince.map { Date($0) }
    )
  }
}

extension Date {
  init(_ moment: Instant) {
    self.init(timeIntervalSince1970: TimeInterval(moment.milliseconds) / 1000)
  }
}
