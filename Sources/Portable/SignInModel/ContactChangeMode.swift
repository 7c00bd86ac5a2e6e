/// Who changes the e-mail address and the phone number of an account.
///
/// A later case is stricter.
public enum ContactChangeMode: String, CaseIterable, Sendable {
  /// The person, who proves the new one first.
  case person
  /// An administrator only.
  case administrator
}
