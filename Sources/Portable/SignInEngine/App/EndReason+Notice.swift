public import SignInWire

extension Notice {
  /// Whether the same person will sign in again after a session with this end.
  ///
  /// After a sign-out or a suspicion, another person may have the device.
  var keepsUsername: Bool {
    [
      .sessionEnded, .session(.idleTooLong), .session(.awayTooLong),
      .session(.passwordChangedElsewhere),
    ].contains(self)
  }
}

extension EndReason {
  /// The notice for this reason.
  ///
  /// Each reason that apps learn has its own sentence (S-08).
  public var notice: Notice {
    switch self {
    case .signedOut, .replaced: .session(.signedOutElsewhere)
    case .revoked, .sessionLimit, .noRights: .session(.revoked)
    case .expired: .sessionEnded
    case .accountDeactivated: .accountDeactivated
    case .reuseDetected: .session(.unsafe)
    case .passwordChanged: .session(.passwordChangedElsewhere)
    }
  }
}
