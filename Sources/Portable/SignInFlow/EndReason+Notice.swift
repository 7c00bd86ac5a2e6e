public import SignInWire

extension EndReason {
  /// The notice for this reason.
  ///
  /// Each reason that apps learn has its own sentence (S-08).
  public var notice: Notice {
    switch self {
    case .signedOut, .replaced: .session(.signedOutElsewhere)
    case .revoked, .sessionLimit: .session(.revoked)
    case .expired: .sessionEnded
    case .accountDeactivated: .accountDeactivated
    case .reuseDetected: .session(.unsafe)
    case .passwordChanged: .session(.passwordChangedElsewhere)
    }
  }
}
