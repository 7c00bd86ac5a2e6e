/// What holds for sessions in every world, however storage lies and whoever is killed when.
public enum SessionLaw: String, CaseIterable, Sendable {
  case signedOutWithCause =
    "Nobody is signed out but by their wish, the server, true expiry or a new install."
  case reasonIsTrue = "What a person is told about the end of their session is what happened."
  case ownerOnly = "What a lock keeps is shown to nobody before its owner's proof."
  case awayIsLocked = "Out of sight for the time-out, or opened again after it: nothing is shown."
  case signedOutStaysOut = "A session that was given up here is never opened again."
  case organizationsApart = "Nothing of one organization is shown in another."
  case noFalseTheft = "An app, however unlucky, is never taken for a thief."
  case serverLearns = "A session that was given up here ends at the server, sooner or later."
  case calmReturns = "When the storm is over, whoever has a session goes on with it."

  public var sentence: String { rawValue }
}

/// What is wrong on purpose with a device or the server, to show that a law finds it.
public enum SessionDefect: String, CaseIterable, Sendable {
  /// Storage that cannot tell says that there is nothing.
  case cannotTellIsAbsent
  /// Storage forgets what it acknowledged when the device stops.
  case forgottenWrites
  /// The parent of an unused successor is taken for a stolen token.
  case impatientRotation
  /// A sealed session is opened by itself.
  case openLock
  /// The server is not told of a sign-out.
  case silentSignOut
  /// The session behind a lock is forgotten when somebody signs in otherwise.
  case forgottenBehindLock
  /// The server always says that a session has expired.
  case wrongReason
  /// Storage that failed once fails for ever.
  case stuckStorage
  /// The clocks of a device stand still while time jumps.
  case stoppedClocks
  /// Storage brings back what a farewell replaced.
  case oldCopies
  /// The server answers for the other organization.
  case foreignAnswers

  public var law: SessionLaw {
    switch self {
    case .cannotTellIsAbsent: .signedOutWithCause
    case .forgottenWrites, .impatientRotation: .noFalseTheft
    case .openLock: .ownerOnly
    case .silentSignOut, .forgottenBehindLock: .serverLearns
    case .wrongReason: .reasonIsTrue
    case .stuckStorage: .calmReturns
    case .stoppedClocks: .awayIsLocked
    case .oldCopies: .signedOutStaysOut
    case .foreignAnswers: .organizationsApart
    }
  }
}
