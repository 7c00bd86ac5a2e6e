public import SignInModel

/// The filter of a list of products.
public struct ProductQuery: Equatable, Sendable {
  /// The most code points of a text.
  ///
  /// A serial number and a name have at most as many.
  public static let textLimit = TextLine.lengthLimit

  /// The serial numbers that match the text, in the form of `SearchPrefix.number`.
  ///
  /// It is nil if the text is blank or has only spaces and hyphens.
  public let serialNumber: SearchPrefix?
  /// The names that match the text, in the form of `SearchPrefix.name`.
  ///
  /// It is nil if the text is blank. Then every product matches.
  public let name: SearchPrefix?
  /// Matches the products of this account only.
  public var account: AccountID?

  /// Takes the start of a serial number or of a name as the user typed it.
  public init(_ text: String = "", account: AccountID? = nil) {
    serialNumber = SearchPrefix(number: text)
    name = SearchPrefix(name: text)
    self.account = account
  }
}

/// The filter of a list of service requests.
public struct ServiceRequestQuery: Equatable, Sendable {
  /// The most code points of a text.
  public static let textLimit = TextLine.lengthLimit

  /// The numbers of requests that match the text, in the form of `SearchPrefix.number`.
  ///
  /// It is nil if the text has only spaces and hyphens. Then every request matches.
  public let number: SearchPrefix?
  /// Matches the requests of this account only.
  public var account: AccountID?

  /// Takes the start of a number as the user typed it.
  public init(_ text: String = "", account: AccountID? = nil) {
    number = SearchPrefix(number: text)
    self.account = account
  }
}

/// The start of the texts that a search finds.
///
/// An index of the store has those texts in one range, in the order of their bytes.
public struct SearchPrefix: Equatable, Sendable {
  /// The start of the range.
  public let text: String

  /// The end of the range: U+10FFFF comes after every character and is none itself.
  public var end: String { text + "\u{10FFFF}" }

  /// The start of a number; nil if the text has only spaces and hyphens.
  init?(number typed: String) {
    text = Self.number(typed)
    if text.isEmpty { return nil }
  }

  /// The start of a name; nil if the text is blank.
  ///
  /// Spaces at the start and at the end of the text have no effect.
  init?(name typed: String) {
    let bytes = Array(typed.utf8)
    guard let first = bytes.firstIndex(where: { $0 != Self.space }),
      let last = bytes.lastIndex(where: { $0 != Self.space })
    else { return nil }
    text = Self.name(String(decoding: bytes[first...last], as: UTF8.self))
  }

  /// A number in the form in which numbers are compared: ASCII letters in lower case, without
  /// spaces and hyphens.
  ///
  /// The statements of the store compute the same.
  public static func number(_ number: String) -> String {
    let hyphen = UInt8(ascii: "-")
    let bytes = number.utf8.filter { $0 != space && $0 != hyphen }
    return lowered(bytes)
  }

  /// A name in the form in which names are compared: ASCII letters in lower case.
  ///
  /// The statements of the store compute the same.
  public static func name(_ name: String) -> String { lowered(Array(name.utf8)) }

  private static let space = UInt8(ascii: " ")

  private static func lowered(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }, as: UTF8.self)
  }
}
