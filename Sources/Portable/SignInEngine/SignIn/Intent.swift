public import SignInModel

/// What the embedding app wants, without fields and buttons.
public enum Intent: Equatable, Sendable {
  /// `AppFlow.takeReplies` returns the result with this ticket.
  ///
  /// It is `nil` if the app needs no result.
  case signIn(SignInIntent, ticket: Int64?)
  case session(SessionIntent)
}

/// What the app wants while no person is signed in.
public enum SignInIntent: Equatable, Sendable {
  case enterPassword(EmailAddress, Secret)
  case sendCode(to: PhoneNumber)
  /// Signs in at the provider with this name.
  case openProvider(String)
  /// Signs in at the provider to which the domain of the address belongs.
  case findProvider(of: EmailAddress)
  /// Continues with the query of the address to which the browser came back.
  case returnFromProvider(Secret)
  case submitCode(Secret)
  case resendCode
  case requestPasswordReset(of: EmailAddress)
  case setPassword(Secret, code: Secret)
  case register(PersonName, PhoneNumber)
  case cancel

  /// Whether it cancels a sign-in that is in progress.
  var startsAgain: Bool {
    switch self {
    case .enterPassword, .sendCode, .openProvider, .findProvider, .requestPasswordReset,
      .register, .cancel:
      true
    case .returnFromProvider, .submitCode, .resendCode, .setPassword: false
    }
  }
}

/// What the app wants while there is a session, or storage cannot be read.
public enum SessionIntent: Equatable, Sendable {
  /// Reads storage again, or asks the server again for a confirmation.
  case tryAgain
  case unlock
  /// Shows the sign-in instead of the locked session.
  case signInInstead
  case setLock
  case removeLock
  case staySignedIn
  case switchOrganization(OrganizationID)
  case signOut
}

/// The result of a `SignInIntent`.
public enum IntentResult: Equatable, Sendable {
  public enum Reason: Equatable, Sendable {
    case notice(Notice)
    case codeRefused(attemptsLeft: Int64)
    case codeExpired
    /// A newer code is on its way.
    case codeSuperseded
    case codeIncomplete(digits: Int64)
    case locked(until: Instant)
    case passwordRefused(PasswordFault)
    /// The server accepts no numbers of this country.
    case countryRefused
    /// No provider belongs to the domain of the address.
    case passwordNeeded
    case notPossible
    /// A later intent started another sign-in.
    case cancelled
  }

  /// The stage shows what comes next.
  case succeeded
  /// The new password takes effect at this moment, or now.
  case passwordSet(from: Instant?)
  case registered(RegistrationStatus)
  case refused(Reason)
}

/// What follows after a registration.
public enum RegistrationStatus: Equatable, Sendable {
  /// The person enters the code that was sent to the number.
  case codeSent
  case waitsForApproval
  /// The person can sign in.
  case approved
}
