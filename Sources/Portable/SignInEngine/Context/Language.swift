/// The languages of the app; every text exists in each of them.
///
/// The raw value is a BCP 47 tag.
public enum Language: String, Sendable, CaseIterable {
  case english = "en"
  case hindi = "hi"
  case norwegian = "nb"

  /// The language's own name, so that people find it without knowing another language.
  public var ownName: String {
    switch self {
    case .english: "English"
    case .hindi: "हिन्दी"
    case .norwegian: "Norsk"
    }
  }

  /// The language of a BCP 47 tag; `nil` if there are no texts in it.
  ///
  /// People who read Nynorsk, or only say that they read Norwegian, also read Bokmål.
  public init?(tag: String) {
    switch LanguageTag(tag).primary {
    case "en": self = .english
    case "hi": self = .hindi
    case "nb", "no", "nn": self = .norwegian
    default: return nil
    }
  }
}

/// The two parts of a BCP 47 tag that are used here: `hi` and `IN` of `hi-Deva-IN`.
struct LanguageTag: Equatable, Sendable {
  /// In lower case.
  let primary: String
  /// A country, two letters in upper case.
  let region: String?

  init(_ tag: String) {
    var primary = ""
    var region: String?
    let subtags = Array(tag.utf8).split(
      separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    for (index, subtag) in subtags.enumerated() {
      if index == 0 {
        primary = Self.text(subtag.map { $0 | 0x20 })
        continue
      }
      // Subtags after a single letter have another meaning (RFC 5646, section 2.2.6).
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

  @inline(never) private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
