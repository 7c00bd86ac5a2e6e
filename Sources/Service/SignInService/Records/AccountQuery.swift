public import SignInModel

/// Which accounts a list shows.
public struct AccountQuery: Equatable, Sendable {
  public static let textByteLimit = 128

  /// Part of a name or an e-mail address, in lower-case ASCII; empty finds every account.
  public let text: String
  /// Part of a phone number: digits, perhaps after a `+`; nil when the text is none.
  public let phoneText: String?
  public let status: Account.Status?
  public let role: Account.Role?
  /// Accounts that belong to one of these; nil finds those of every organization and of none.
  public var organizations: [OrganizationID]?

  /// Takes `text` as it was typed: ASCII letters are found in either case, and a phone number with
  /// the spaces, hyphens, dots and brackets people type.
  public init(
    _ text: String = "", status: Account.Status? = nil, role: Account.Role? = nil
  ) {
    self.text = Self.lowered(text)
    phoneText = Self.phoneText(in: text)
    self.status = status
    self.role = role
  }

  public func finds(_ account: Account) -> Bool {
    if let status, account.status != status { return false }
    if let role, account.role != role { return false }
    if let organizations, !account.organizations.contains(where: organizations.contains) {
      return false
    }
    if text.isEmpty || Self.lowered(account.name).utf8.contains(text.utf8) { return true }
    if account.email?.text.utf8.contains(text.utf8) == true { return true }
    return phoneText.map { account.phone.e164.utf8.contains($0.utf8) } ?? false
  }

  /// ASCII only, as the store's own search does it.
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
