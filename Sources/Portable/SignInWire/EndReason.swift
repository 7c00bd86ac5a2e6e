/// Why a session ended, as the security log and an export name it.
public enum EndReason: String, Sendable, CaseIterable {
  case signedOut = "signed_out"
  case revoked
  case expired
  case accountDeactivated = "account_deactivated"
  case reuseDetected = "reuse_detected"
  case passwordChanged = "password_changed"
  /// The account began more sessions than it may have.
  case sessionLimit = "session_limit"
  /// The same device signed in to the same app again.
  case replaced
  /// The configuration or the account leaves the session no right: its app, role, organization,
  /// identity provider or scopes were removed.
  case noRights = "no_rights"

  /// The `reason` of `invalid_grant` and of `session_ended`.
  ///
  /// Apps learn the nearest word instead of `sessionLimit`, `noRights` and `replaced`.
  public var told: EndReason {
    switch self {
    case .sessionLimit, .noRights: .revoked
    case .replaced: .signedOut
    case .signedOut, .revoked, .expired, .accountDeactivated, .reuseDetected, .passwordChanged:
      self
    }
  }
}
