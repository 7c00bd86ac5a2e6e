public import SignInModel

/// The filter of a list of accounts.
public struct AccountQuery: Equatable, Sendable {
  public static let textByteLimit = 128

  /// Part of a name or of an e-mail address, in lower-case ASCII.
  ///
  /// An empty text matches every account.
  public let text: String
  /// Part of a phone number: digits, optionally after a `+`.
  ///
  /// It is nil if the text is not such a number.
  public let phoneText: String?
  public let status: AccountStatus?
  public let role: AccountRole?
  /// Matches only accounts with a lockout, on all devices or on one, that ends after this time.
  public var lockedAt: Instant?
  /// Matches accounts of any of these organizations.
  ///
  /// If it is nil, it matches every account, also one without organizations.
  public var organizations: [OrganizationID]?

  /// Takes `text` as the user typed it.
  ///
  /// ASCII letters match in either case. Addresses and phone numbers are read as everywhere.
  public init(
    _ text: String = "", status: AccountStatus? = nil, role: AccountRole? = nil
  ) {
    self.text = Self.emailText(in: text) ?? Self.lowered(text)
    phoneText = Self.phoneText(in: text)
    self.status = status
    self.role = role
  }

  /// Changes ASCII letters only, as the search of the store does.
  private static func lowered(_ text: String) -> String {
    let bytes = text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The canonical form of a complete address.
  private static func emailText(in text: String) -> String? {
    do throws(Malformed) { return try EmailAddress(parsing: text).text } catch { return nil }
  }

  /// The digits of a complete number, or of a part of one.
  ///
  /// A complete number without its calling code can begin with a zero that is not stored.
  private static func phoneText(in text: String) -> String? {
    do throws(Malformed) { return try PhoneNumber(parsing: text).e164 } catch {
      guard let written = WrittenNumber(text), !written.digits.isEmpty else { return nil }
      var digits = written.digits[...]
      if !written.isWhole, PhoneNumber.digitLimits.contains(digits.count),
        digits.first == UInt8(ascii: "0")
      {
        digits.removeFirst()
      }
      return (written.isWhole ? "+" : "") + String(decoding: digits, as: UTF8.self)
    }
  }
}
