/// A scope that a route of this server needs, or that changes the content of a token answer (RFC
/// 6749, section 3.3).
public enum Scope: String, CaseIterable, Sendable {
  case openID = "openid"
  case offlineAccess = "offline_access"
  /// The sessions and the password of the account.
  case account
  case jobs
  case dashboard
  case activities
  case products
  /// Only for administrators.
  case admin
}
