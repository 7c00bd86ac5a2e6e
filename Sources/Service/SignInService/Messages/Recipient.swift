public import SignInModel

/// The destination of a message.
public enum Recipient: Hashable, Sendable {
  case phone(PhoneNumber)
  /// Notices, and the code that proves the address itself.
  ///
  /// A code to sign in or to replace a password never goes by e-mail.
  case email(EmailAddress)

  /// The stored form, and the form that people write.
  public var text: String {
    switch self {
    case .phone(let phone): phone.e164
    case .email(let address): address.text
    }
  }

  /// A form that does not reveal the destination, such as `***-***-1234` or `t***@example.com`.
  public var masked: String {
    switch self {
    case .phone(let phone): phone.masked
    case .email(let address): address.masked
    }
  }

  public var phone: PhoneNumber? {
    switch self {
    case .phone(let phone): phone
    case .email: nil
    }
  }

  /// Reads an address or a number as people write it.
  public init(parsing text: String) throws(Malformed) {
    self =
      EmailAddress.isMeant(by: text)
      ? .email(try EmailAddress(parsing: text)) : .phone(try PhoneNumber(parsing: text))
  }

  /// Reads what `text` wrote.
  ///
  /// Only an e-mail address contains an at sign.
  public init(stored text: String) throws(Malformed) {
    self =
      text.utf8.contains(UInt8(ascii: "@"))
      ? .email(try EmailAddress(stored: text)) : .phone(try PhoneNumber(stored: text))
  }
}

extension EmailAddress {
  /// The first letter and the domain.
  public var masked: String {
    let at = text.firstIndex(of: "@") ?? text.endIndex
    return text.prefix(1) + "***" + text[at...]
  }
}
