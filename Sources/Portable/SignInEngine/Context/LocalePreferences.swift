/// The person's preferences: the language of the texts, and the country for formats.
public struct LocalePreferences: Equatable, Sendable {
  /// The maximum number of tags, which is more than any device lists.
  static let tagLimit = 32

  /// The language that the person chose in the app.
  ///
  /// It has priority over the list of the device.
  public private(set) var chosen: Language?

  private let listed: [String]

  /// Creates the preferences.
  ///
  /// `listed` are the BCP 47 tags of the device, in order of preference.
  public init(listed: [String] = [], chosen: Language? = nil) {
    self.listed = Array(listed.prefix(Self.tagLimit))
    self.chosen = chosen
  }

  /// The first listed language that the app has texts in (RFC 4647, section 3.4).
  public var language: Language {
    if let chosen { return chosen }
    for tag in listed { if let language = Language(tag: tag) { return language } }
    return .english
  }

  /// The country that decides formats such as the clock, two letters in upper case.
  ///
  /// It is the country of the first tag that names one, in any language. For example, a person in
  /// Norway who reads English still uses the Norwegian clock format. It is `nil` if neither a tag
  /// nor the language names a country.
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
  /// It contains only the language in use, because a full list of languages could identify a
  /// person.
  public var uiLocales: String {
    guard let region else { return language.rawValue }
    return language.rawValue + "-" + region + " " + language.rawValue
  }

  mutating func choose(_ language: Language) { chosen = language }
}
