/// What an account is for.
///
/// The role decides the home and the scopes.
public enum AccountRole: String, CaseIterable, Sendable {
  case technician
  case rider
  case owner
  case mentor
  case administrator
}
