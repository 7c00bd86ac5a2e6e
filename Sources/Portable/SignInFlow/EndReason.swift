/// Why the server ended a session: the `reason` of `invalid_grant` and of `session_ended`.
public enum EndReason: String, Sendable, CaseIterable {
  case signedOut = "signed_out"
  case revoked
  case expired
  case accountDeactivated = "account_deactivated"
  case reuseDetected = "reuse_detected"
  case passwordChanged = "password_changed"

  /// The notice for this reason.
  ///
  /// Each reason has its own sentence (S-08).
  public var notice: Notice {
    switch self {
    case .signedOut: .session(.signedOutElsewhere)
    case .revoked: .session(.revoked)
    case .expired: .sessionEnded
    case .accountDeactivated: .accountDeactivated
    case .reuseDetected: .session(.unsafe)
    case .passwordChanged: .session(.passwordChangedElsewhere)
    }
  }
}
