public import SignInModel

/// Where a message goes.
public enum Recipient: Hashable, Sendable {
  case phone(PhoneNumber)
  /// Notices alone go to e-mail addresses; codes never do.
  case email(EmailAddress)

  /// As it is stored and as people write it.
  public var text: String {
    switch self {
    case .phone(let phone): phone.e164
    case .email(let address): address.text
    }
  }

  /// Without what would tell it: `***-***-1234`, or `t***@example.com`.
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

  /// Reads what `text` wrote; only an e-mail address holds an at sign.
  public init(parsing text: String) throws(Malformed) {
    self =
      text.utf8.contains(UInt8(ascii: "@"))
      ? .email(try EmailAddress(parsing: text)) : .phone(try PhoneNumber(parsing: text))
  }
}

extension EmailAddress {
  /// The first letter and the domain.
  public var masked: String {
    let at = text.firstIndex(of: "@") ?? text.endIndex
    return text.prefix(1) + "***" + text[at...]
  }
}
