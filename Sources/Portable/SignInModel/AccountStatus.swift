/// Whether the person of an account can sign in.
public enum AccountStatus: String, CaseIterable, Sendable {
  case active
  case deactivated
  /// The account waits for an administrator's approval.
  case pending
  case rejected
}
