public import SignInModel

/// The filter of a list of accounts.
public struct AccountQuery: Equatable, Sendable {
  public static let textByteLimit = 128

  /// Words of a name or of an e-mail address, in any order.
  ///
  /// Without words, every account matches.
  public let words: SearchWords
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
  /// Letters match in either case and without their accents. Addresses and phone numbers are read
  /// as everywhere.
  public init(
    _ text: String = "", status: AccountStatus? = nil, role: AccountRole? = nil
  ) {
    words = SearchWords(Self.emailText(in: text) ?? text)
    phoneText = Self.phoneText(in: text)
    self.status = status
    self.role = role
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
      guard let written = WrittenNumber(text), !written.searchedDigits.isEmpty else { return nil }
      var digits = written.searchedDigits[...]
      if !written.isWhole, PhoneNumber.digitLimits.contains(digits.count),
        digits.first == UInt8(ascii: "0")
      {
        digits.removeFirst()
      }
      return (written.isWhole ? "+" : "") + String(decoding: digits, as: UTF8.self)
    }
  }
}

extension Account {
  /// The text in which words are searched.
  ///
  /// A store writes it beside the account.
  public var searchText: [UInt8] { FoldedText.searched([name, email?.text ?? ""]) }
}
