/// Who approves a person who registers in an app.
///
/// A later case is stricter.
public enum RegistrationApproval: String, CaseIterable, Sendable {
  /// A proved number is enough.
  case number
  /// A proved number on the list of the app is enough.
  ///
  /// An administrator approves all others.
  case list
  /// An administrator.
  ///
  /// The person does not prove the number, so no code is sent.
  case administrator
  /// An administrator, after the person has proved the number.
  case administratorAfterCode = "administrator_after_code"

  /// Whether a code is sent to the number before there is an account.
  public var needsCode: Bool { self != .administrator }
}
