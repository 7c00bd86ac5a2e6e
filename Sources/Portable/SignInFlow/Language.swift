/// The languages every sentence exists in; the text is a BCP 47 tag.
public enum Language: String, Sendable, CaseIterable {
  case english = "en"
  case hindi = "hi"
  case norwegian = "nb"

  /// What the language calls itself: to find their own, nobody has to read another.
  public var ownName: String {
    switch self {
    case .english: "English"
    case .hindi: "हिन्दी"
    case .norwegian: "Norsk"
    }
  }

  /// The language of a BCP 47 tag, or nil when there are no sentences in it.
  ///
  /// Norwegians who read Nynorsk, or say only that they read Norwegian, read Bokmål too.
  public init?(tag: String) {
    switch LanguageTag(tag).primary {
    case "en": self = .english
    case "hi": self = .hindi
    case "nb", "no", "nn": self = .norwegian
    default: return nil
    }
  }
}

/// The two parts of a BCP 47 tag that matter here: `hi` and `IN` of `hi-Deva-IN`.
struct LanguageTag: Equatable, Sendable {
  /// In lower case.
  let primary: String
  /// A country, two letters in upper case.
  let region: String?

  init(_ tag: String) {
    var primary = ""
    var region: String?
    let subtags = tag.utf8.split(
      separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    for (index, subtag) in subtags.enumerated() {
      if index == 0 {
        primary = Self.text(subtag.map { $0 | 0x20 })
        continue
      }
      // What follows a single letter speaks of other things (RFC 5646, section 2.2.6).
      if subtag.count == 1 { break }
      if subtag.count == 2, region == nil, subtag.allSatisfy(Self.isLetter) {
        region = Self.text(subtag.map { $0 & 0xDF })
      }
    }
    self.primary = primary
    self.region = region
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
