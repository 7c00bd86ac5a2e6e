/// The name by which a person or another system refers to an account.
public enum AccountReference: Hashable, Sendable {
  case id(AccountID)
  case email(EmailAddress)
  /// One account of each role can have the same number.
  case phone(PhoneNumber)

  public init(parsing text: String) throws(Malformed) {
    if EmailAddress.isMeant(by: text) {
      self = .email(try EmailAddress(parsing: text))
    } else if let written = WrittenNumber(text), written.isWhole {
      self = .phone(try PhoneNumber(parsing: text))
    } else {
      self = .id(try AccountID(parsing: text))
    }
  }
}
