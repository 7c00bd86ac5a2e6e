/// A scope that a route of this server needs, or that changes what a token answer holds
/// (RFC 6749, section 3.3).
public enum Scope: String, CaseIterable, Sendable {
  case openID = "openid"
  case offlineAccess = "offline_access"
  /// The person's own sessions and password.
  case account
  case jobs
  case dashboard
  case activities
  case products
  /// Counts for administrators only.
  case admin
}
