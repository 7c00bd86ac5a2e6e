public import SignInModel
import SignInWire

/// The filter of a list of products.
public struct ProductQuery: Equatable, Sendable {
  /// The most code points of a text.
  ///
  /// A serial number and a name have at most as many.
  public static let textLimit = TextLine.lengthLimit

  /// Words of a product, in any order, as the owner's app searches them.
  ///
  /// Without words, every product matches.
  public let words: SearchWords
  /// Matches the products of this account only.
  public var account: AccountID?

  /// Takes words as the user typed them.
  public init(_ text: String = "", account: AccountID? = nil) {
    words = SearchWords(text)
    self.account = account
  }
}

extension Product {
  /// The text in which words are searched.
  ///
  /// A store writes it beside the product.
  public var searchText: [UInt8] {
    FoldedText.searched(
      [
        entry.name, entry.model, entry.serialNumber, entry.category,
        entry.warrantyProvider ?? "",
      ], number: entry.serialNumber)
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

  /// A number in the form in which numbers are compared: folded, without spaces and hyphens.
  ///
  /// Numbers of requests have ASCII characters only. The statements of the store compute the same
  /// form of them.
  public static func number(_ number: String) -> String {
    String(
      decoding: FoldedText.fold(number).filter { $0 != 0x20 && $0 != 0x2D }, as: UTF8.self)
  }
}
