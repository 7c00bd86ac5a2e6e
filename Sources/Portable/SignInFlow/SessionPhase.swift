public import SignInModel

/// Where a session stands, for whoever builds an app around it.
public enum SessionPhase: Equatable, Sendable {
  /// Nothing is known yet, or storage cannot tell: nobody is signed out by that.
  case waiting
  /// With why, when there is something to say.
  case signedOut(Notice?)
  case locked(LockReason)
  /// With the moment the server was last heard of, while it cannot be reached.
  case active(offlineSince: Instant?)
}

public enum LockReason: Equatable, Sendable {
  /// The app was opened, or was too long in the background: the person proves who they are.
  case unlockNeeded
  /// Only the device's clock says that the session is over; the server must confirm it.
  case confirmationNeeded
}

extension AppFlow {
  public var phase: SessionPhase {
    switch stage {
    case .starting, .readingStorage, .storageUnreadable: .waiting
    case .signedOut(let signIn): .signedOut(signIn.notice)
    case .riderSignedOut(let signIn): .signedOut(signIn.notice)
    case .locked: .locked(.unlockNeeded)
    case .confirming: .locked(.confirmationNeeded)
    case .signedIn(let signedIn): .active(offlineSince: signedIn.keeping.offlineSince)
    }
  }
}
