/// A question about the security log, which `GET /admin/events` answers with the events of several
/// codes.
///
/// An event can be of several kinds.
public enum EventKind: String, CaseIterable, Sendable {
  /// Wrong passwords, wrong and expired codes, and refused answers of identity providers.
  ///
  /// The overview counts the same events as failed sign-ins.
  case failures
  /// Every step of a sign-in, also a refused one.
  case signIns = "sign_ins"
  /// Lockouts that began or were ended, and what was refused during them.
  case locks
  case sessions
  case passwords
  /// Registrations, and decisions about an account.
  case accounts
  /// Changes of policies, and of the log and its keys.
  case settings
  /// Transfers of products, and requests for service.
  case products
}
