public import SignInModel

/// The phase of the session, for an app that embeds this core.
public enum SessionPhase: Equatable, Sendable {
  /// Nothing is known yet, or storage cannot be read.
  ///
  /// That does not sign the person out.
  case waiting
  /// The notice says why, if there is a reason to show.
  case signedOut(Notice?)
  case locked(LockReason)
  /// `offlineSince` is when the server last answered, while it cannot be reached.
  case active(offlineSince: Instant?)
}

public enum LockReason: Equatable, Sendable {
  /// The app was opened, or was in the background for too long.
  ///
  /// The person must unlock it.
  case unlockNeeded
  /// The session expired by the device's clock only.
  ///
  /// The server must confirm it.
  case confirmationNeeded
}

extension AppFlow {
  public var phase: SessionPhase {
    switch stage {
    case .starting, .readingStorage, .storageUnreadable: .waiting
    case .signedOut(let signIn): .signedOut(signIn.notice)
    case .riderSignedOut(let signIn): .signedOut(signIn.notice)
    case .atProvider: .signedOut(nil)
    case .locked: .locked(.unlockNeeded)
    case .confirming: .locked(.confirmationNeeded)
    case .signedIn(let signedIn): .active(offlineSince: signedIn.renewingSession.offlineSince)
    }
  }
}
