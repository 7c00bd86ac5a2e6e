/// The person in front of the screen: which language they read, and by which customs.
public struct Reader: Equatable, Sendable {
  /// More than anybody lists.
  static let tagLimit = 32

  /// What the person chose here; it counts more than what their device says.
  public private(set) var chosen: Language?

  private let listed: [String]

  /// `listed` are the BCP 47 tags of the device, the most wanted first.
  public init(listed: [String] = [], chosen: Language? = nil) {
    self.listed = Array(listed.prefix(Self.tagLimit))
    self.chosen = chosen
  }

  /// The first of the listed languages that there are sentences in (RFC 4647, section 3.4).
  public var language: Language {
    if let chosen { return chosen }
    for tag in listed { if let language = Language(tag: tag) { return language } }
    return .english
  }

  /// The country whose customs count, two letters in upper case.
  ///
  /// It is that of the first tag which names one, whatever its language: who lives in Norway and
  /// reads English still reads clocks as in Norway. Nil when nothing speaks of a country.
  public var region: String? {
    for tag in listed { if let region = LanguageTag(tag).region { return region } }
    switch language {
    case .english: return nil
    case .hindi: return "IN"
    case .norwegian: return "NO"
    }
  }

  /// The value of `ui_locales` (OpenID Connect Core 1.0, section 3.1.2.1).
  ///
  /// Only what is shown: a whole list of languages would tell people apart.
  public var uiLocales: String {
    guard let region else { return language.rawValue }
    return language.rawValue + "-" + region + " " + language.rawValue
  }

  mutating func choose(_ language: Language) { chosen = language }
}
