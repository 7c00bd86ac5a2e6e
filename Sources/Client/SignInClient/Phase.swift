public import SignInFlow
public import SignInModel
public import SignInWire

/// Where a person stands with the app.
public enum Phase: Equatable, Sendable {
  /// Storage has not answered yet: show neither a login screen nor anything personal.
  case waiting
  /// Storage cannot tell whether somebody is signed in; `open` asks it again.
  case storageUnreadable
  /// `why` is set when a session or a sign-in came to an end.
  case signedOut(why: Notice?)
  case codeAwaited(Challenge)
  /// Too many wrong answers.
  case lockedOut(until: Instant)
  /// Somebody is signed in, of whom nothing may be shown before it is sure that it is them, or that
  /// the session stands.
  case appLocked(LockReason)
  /// Signed in. What is not kept is gone when the process ends: tell the person (L-34).
  case active(TokenAnswer.SessionTerms, isKept: Bool)
  /// Signed in, and nobody has done anything for so long that the session ends at this moment,
  /// unless `staySignedIn` is called before (WCAG 2.2.1).
  case endingSoon(TokenAnswer.SessionTerms, at: Instant)

  /// Of the session, while somebody is signed in.
  public var terms: TokenAnswer.SessionTerms? {
    switch self {
    case .active(let terms, _), .endingSoon(let terms, _): terms
    case .waiting, .storageUnreadable, .signedOut, .codeAwaited, .lockedOut, .appLocked: nil
    }
  }
}

/// A code that was sent, and everything a screen shows of it (L-28).
public struct Challenge: Equatable, Sendable {
  /// Masked, such as `***-***-1234`.
  public let destination: String
  public let digits: Int64
  public let expiresAt: Instant
  /// From then on `resend` sends another one.
  public let resendAt: Instant
  public let triesLeft: Int64

  public init(
    destination: String, digits: Int64, expiresAt: Instant, resendAt: Instant, triesLeft: Int64
  ) {
    self.destination = destination
    self.digits = digits
    self.expiresAt = expiresAt
    self.resendAt = resendAt
    self.triesLeft = triesLeft
  }
}

/// How far a sign-in has come.
public enum Progress: Equatable, Sendable {
  /// A code was sent: `answer` or `resend` goes on.
  case codeAwaited(Challenge)
  case signedIn(TokenAnswer.SessionTerms)
}

/// What a person proves first.
public enum Credentials: Equatable, Sendable {
  case password(email: String, Secret)
  /// With its calling code, such as `+919812345678`.
  case phone(String)
}

/// Every way a sign-in, or a call in a session, can fail.
///
/// What is not said here the person is better not told.
public enum SignInError: Error, Equatable, Sendable {
  case invalidCredentials
  case emailMalformed
  case numberMalformed
  case notRegistered
  case accountDeactivated
  case locked(until: Instant)
  case wrongCode(triesLeft: Int64)
  case codeExpired
  /// The code has another number of digits.
  case codeIncomplete(digits: Int64)
  case resendTooSoon(until: Instant)
  case rateLimited(until: Instant)
  case deliveryFailed(until: Instant)
  /// The device has no network.
  case noConnection
  /// The device has a network, and the server cannot be reached.
  case serviceUnreachable
  case noAnswerInTime
  case serviceBusy
  /// The server answered with a fault, or with something that cannot be read.
  case serverFault
  /// The sign-in took too long, or was refused for good: begin again.
  case signInExpired
  /// This account signs in at its own provider, in a browser.
  case signsInElsewhere
  /// The session came to an end while its answer was awaited; `phases` says why.
  case sessionEnded
  /// The owner, or the system in their place, closed the prompt: nothing is lost.
  case lockCancelled
  /// Another prompt is open, or the sensor is in use: nothing is lost.
  case lockBusy
  /// Nobody waits for this now, as for a code before one was sent.
  case notPossibleNow
}

extension Challenge {
  init(_ entry: CodeEntry) {
    self.init(
      destination: entry.prompt.destination, digits: entry.prompt.digits,
      expiresAt: entry.prompt.expiresAt, resendAt: entry.prompt.resendAt,
      triesLeft: entry.prompt.attemptsLeft
    )
  }
}

extension Phase {
  init(_ flow: AppFlow, isKept: Bool) {
    switch flow.stage {
    case .starting, .readingStorage: self = .waiting
    case .storageUnreadable: self = .storageUnreadable
    case .locked: self = .appLocked(.unlockNeeded)
    case .confirming: self = .appLocked(.confirmationNeeded)
    case .signedIn(let signedIn):
      let terms = signedIn.keeping.record.terms
      if case .idleWarning(let until)? = signedIn.sheet {
        self = .endingSoon(terms, at: until)
      } else {
        self = .active(terms, isKept: isKept)
      }
    case .signedOut(let signIn):
      switch signIn.step {
      case .enteringCode(let code): self = .codeAwaited(Challenge(code.entry))
      case .locked(let until, _): self = .lockedOut(until: until)
      case .enteringCredentials, .submittingCredentials, .resettingPassword,
        .acceptingInvitation, .finished:
        self = .signedOut(why: signIn.notice)
      }
    case .riderSignedOut(let signIn):
      switch signIn.step {
      case .enteringCode(let code): self = .codeAwaited(Challenge(code.entry))
      case .locked(let until): self = .lockedOut(until: until)
      case .enteringNumber, .sendingCode, .signingUp, .finished:
        self = .signedOut(why: signIn.notice)
      }
    }
  }
}
