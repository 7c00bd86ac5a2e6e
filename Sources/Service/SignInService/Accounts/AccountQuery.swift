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
  /// ASCII letters match in either case. A phone number can contain spaces, hyphens, dots and
  /// brackets.
  public init(
    _ text: String = "", status: AccountStatus? = nil, role: AccountRole? = nil
  ) {
    self.text = Self.lowered(text)
    phoneText = Self.phoneText(in: text)
    self.status = status
    self.role = role
  }

  /// Changes ASCII letters only, as the search of the store does.
  private static func lowered(_ text: String) -> String {
    let bytes = text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func phoneText(in text: String) -> String? {
    let between: Set<UInt8> = [
      0x20, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"),
    ]
    let bytes = text.utf8.filter { !between.contains($0) }
    let digits = bytes.first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes[...]
    guard !digits.isEmpty, digits.allSatisfy(Host.isDigit) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
