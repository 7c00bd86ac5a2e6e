public import JSONText
import SignInModel

/// A text in the languages that the configuration has, or in the one language of a session.
public struct LocalizedText: Equatable, Sendable {
  public struct Entry: Equatable, Sendable {
    /// A tag such as `nb`; empty if the text has only one language, which is not named.
    public let language: String
    public let text: String

    public init(_ language: String, _ text: String) {
      self.language = language
      self.text = text
    }
  }

  /// The language for people who read none of the others.
  public static let fallback = "en"

  /// In the order of the configuration.
  public let entries: [Entry]

  public init(_ entries: [Entry]) { self.entries = entries }

  /// A text whose language is not named.
  public init(_ text: String) { entries = [Entry("", text)] }

  public var hasFallback: Bool {
    entries.contains { $0.language == Self.fallback || $0.language.isEmpty }
  }

  /// The text in the language of the tag, in the same language of another country, or in English.
  public func text(in tag: String) -> String {
    let primary = tag.utf8.prefix { $0 != UInt8(ascii: "-") }
    let found =
      entries.first { $0.language.hasSameBytes(as: tag) }
      ?? entries.first { $0.language.utf8.elementsEqual(primary) }
      ?? entries.first { $0.language == Self.fallback } ?? entries.first
    return found?.text ?? ""
  }
}

extension LocalizedText {
  public var json: JSON {
    if entries.count == 1, let only = entries.first, only.language.isEmpty {
      return .string(only.text)
    }
    return .members(entries.map { JSONMember($0.language, $0.text) })
  }

  /// Whether the text has the form of a language tag: `nb`, `pt-BR`.
  static func isLanguage(_ tag: String) -> Bool {
    var parts = 0
    for part in tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false) {
      parts += 1
      guard (parts == 1 ? 2...3 : 1...8).contains(part.count) else { return false }
      for byte in part {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): continue
        case UInt8(ascii: "A")...UInt8(ascii: "Z") where parts > 1: continue
        case UInt8(ascii: "0")...UInt8(ascii: "9") where parts > 1: continue
        default: return false
        }
      }
    }
    return parts <= 4
  }
}
