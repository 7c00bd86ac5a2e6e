import SignInModel

/// The identifier of an account that may not exist, as a person entered it.
enum UnknownIdentifier: Equatable, Sendable {
  case email(EmailAddress)
  /// A text that is no e-mail address.
  case text(String)
  /// A phone number, and the roles of the app.
  ///
  /// An account is one person in one role. So an unknown number represents one unknown account for
  /// each set of roles.
  case phone(PhoneNumber, roles: [AccountRole])
  /// The number of a registration.
  ///
  /// Its wrong codes are counted apart from those of sign-ins. Otherwise the lockout of an unknown
  /// number, but not that of an account, would also stop its registration, which would reveal the
  /// account.
  case registration(PhoneNumber, roles: [AccountRole])
  /// An address or a number that a signed-in person wants to have.
  ///
  /// Its wrong codes are counted apart from those of accounts, so that no sign-in removes them.
  case contactChange(Recipient)

  /// Reads a text that was entered as an e-mail address.
  init(typed text: String) {
    do throws(Malformed) { self = .email(try EmailAddress(parsing: text)) } catch {
      self = .text(text)
    }
  }

  /// Nil if the identifier is no e-mail address.
  var email: EmailAddress? {
    switch self {
    case .email(let address): address
    case .text, .phone, .registration, .contactChange: nil
    }
  }

  /// The text that is stored under a keyed digest.
  var text: String {
    switch self {
    case .email(let address): address.text
    case .text(let text): text
    case .phone(let number, let roles): Self.written(number, roles)
    case .registration(let number, let roles): "registration " + Self.written(number, roles)
    case .contactChange(let value): "contact change " + value.text
    }
  }

  private static func written(_ number: PhoneNumber, _ roles: [AccountRole]) -> String {
    "\(number.e164) " + roles.map(\.rawValue).sorted().joined(separator: " ")
  }
}
