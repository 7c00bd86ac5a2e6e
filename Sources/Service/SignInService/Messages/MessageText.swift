import SignInModel
public import SignInRules
import SignInWire

/// The languages of messages to people.
public enum MessageLanguage: String, CaseIterable, Sendable {
  case english = "en"
  case hindi = "hi"
  case norwegian = "nb"

  /// The first supported language of `preferredTags`, or English.
  ///
  /// `preferredTags` are tags of RFC 5646, the preferred one first.
  public init(preferredTags: [String]) {
    for request in preferredTags {
      let primary = request.prefix { $0 != "-" && $0 != "_" }.lowercased()
      // Browsers also use `no` for Norwegian, and readers of Nynorsk can read Bokmål.
      let tag = ["no", "nn"].contains(primary) ? "nb" : primary
      if let language = MessageLanguage(rawValue: tag) {
        self = language
        return
      }
    }
    self = .english
  }

  /// Further tags and longer tags are ignored.
  public static let tagLimit = 32
  public static let tagByteLimit = 35

  /// The tags of a `ui_locales` parameter, the preferred one first (OpenID Connect Core, section
  /// 3.1.2.1).
  public static func preferredTags(uiLocales text: String) -> [String] {
    parts(of: ArraySlice(text.utf8), by: UInt8(ascii: " ")).compactMap(tag)
  }

  /// The tags of an `Accept-Language` field, the preferred one first (RFC 9110, section 12.5.4).
  public static func preferredTags(acceptLanguage field: String) -> [String] {
    var preferredTags: [(tag: String, weight: Int64)] = []
    for part in parts(of: ArraySlice(field.utf8), by: UInt8(ascii: ",")) {
      let words = parts(of: part, by: UInt8(ascii: ";")).map { $0.filter { $0 != 0x20 } }
      guard let first = words.first, let tag = tag(first[...]) else { continue }
      let quality = words.dropFirst().first { $0.starts(with: "q=".utf8) }?.dropFirst(2)
      preferredTags.append((tag, quality.map(weight) ?? 1000))
    }
    // Tags with the same weight stay in their order.
    return preferredTags.enumerated().filter { $0.element.weight > 0 }
      .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
      .map(\.element.tag)
  }

  private static func parts(of text: ArraySlice<UInt8>, by separator: UInt8) -> [ArraySlice<UInt8>]
  {
    Array(text.split(separator: separator, maxSplits: tagLimit).prefix(tagLimit))
  }

  private static func tag(_ bytes: ArraySlice<UInt8>) -> String? {
    guard (1...tagByteLimit).contains(bytes.count), bytes.allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The weight `0.8` as 800.
  private static func weight(_ text: ArraySlice<UInt8>) -> Int64 {
    let digits = text.filter { $0 != UInt8(ascii: ".") }.prefix(4)
    guard text.first == UInt8(ascii: "0") || text.first == UInt8(ascii: "1"),
      let number = WholeNumber.read(digits, in: 0...9999)
    else { return 0 }
    return (0..<4 - digits.count).reduce(number) { weight, _ in weight * 10 }
  }
}

/// The text of a message with a code, with the lines that let a phone fill in the code.
///
/// If the text is too long, its second sentence is left out. An operator's own text is sent
/// unchanged.
public struct MessageText: Equatable, Sendable {
  /// The largest number of parts of one message.
  ///
  /// Each part is paid for.
  public static let segmentLimit: Int64 = 2
  public let text: String
  public let segments: TextSegments

  /// Creates a text from a template.
  ///
  /// `androidAppHash` has the 11 characters by which Android finds the app; `nil` if there are
  /// none. The code is bound to the origin of `issuer` if that is an `https` URL.
  public init(
    code: String, template: String, lifeSeconds: Int64, androidAppHash: String?, issuer: String
  ) {
    let whole = MessageTemplate(text: template)
      .filled(code: code, lifeSeconds: lifeSeconds, host: "")
    var lines = ""
    if let host = Self.host(of: issuer) { lines = "@\(host) #\(code)" }
    lazy var short = Self.firstSentence(of: whole)
    var tried = TextSegments(of: "")
    var text = ""
    for isWhole in [true, false] {
      let body = isWhole ? whole : short
      for hash in androidAppHash == nil ? [nil] : [androidAppHash, nil] {
        let extra = [hash, lines.isEmpty ? nil : lines].compactMap { $0 }.joined(separator: "\n")
        text = extra.isEmpty ? body : "\(body)\n\n\(extra)"
        tried = TextSegments(of: text)
        let isRead = hash == nil || tried.count == 1
        // A short text with the hash is better than a long text without it.
        if hash == nil, androidAppHash != nil, isWhole, short != whole { continue }
        if isRead, tried.count <= Self.segmentLimit {
          self.text = text
          segments = tried
          return
        }
      }
    }
    self.text = text
    segments = tried
  }

  /// The host without its port, because an origin-bound line has no port.
  private static func host(of issuer: String) -> Substring? {
    guard issuer.hasPrefix("https://") else { return nil }
    return issuer.dropFirst(8).prefix { $0 != ":" && $0 != "/" }
  }

  private static func firstSentence(of text: String) -> String {
    let scalars = text.unicodeScalars
    for index in scalars.indices where scalars[index] == "." || scalars[index] == "।" {
      let end = scalars.index(after: index)
      // A full stop inside a name or a number does not end a sentence.
      if end == text.endIndex || scalars[end] == " " { return String(text[..<end]) }
    }
    return text
  }

  /// Creates the text from the operator's template, or from the standard one if there is none.
  init(
    code: OneTimeCode, purpose: CodeChallenge.Purpose, language: MessageLanguage,
    app: AppRegistration, issuer: String
  ) {
    guard let own = app.policy.text(for: purpose, in: language) else {
      self.init(
        code: code.revealed, template: Self.template(language, for: purpose),
        lifeSeconds: app.policy[.codeLife], androidAppHash: app.androidAppHash,
        issuer: issuer
      )
      return
    }
    self.init(
      exactly: own.filled(
        code: code.revealed, lifeSeconds: app.policy[.codeLife],
        host: Self.host(of: issuer).map(String.init) ?? ""
      ))
  }

  private init(exactly text: String) {
    self.text = text
    segments = TextSegments(of: text)
  }

  /// The standard templates.
  public static func template(
    _ language: MessageLanguage, for purpose: CodeChallenge.Purpose
  ) -> String {
    switch (language, purpose) {
    case (.english, .signIn):
      "{code} is your Fieldpass code. It expires in {minutes} minutes."
    case (.english, .contactChange):
      "{code} is your Fieldpass code to change your account. It expires in {minutes} minutes."
    case (.hindi, .contactChange):
      "{code} खाते में बदलाव का आपका Fieldpass कोड है। यह {minutes} मिनट तक मान्य है।"
    case (.norwegian, .contactChange):
      "{code} er Fieldpass-koden din for å endre kontoen. Den gjelder i {minutes} minutter."
    case (.english, .registration):
      "{code} is your Fieldpass code to sign up. It expires in {minutes} minutes."
    case (.hindi, .registration):
      "{code} साइन अप करने का आपका Fieldpass कोड है। यह {minutes} मिनट तक मान्य है।"
    case (.norwegian, .registration):
      "{code} er Fieldpass-koden din for å registrere deg. Den gjelder i {minutes} minutter."
    case (.english, .passwordReset):
      "{code} is your Fieldpass code to set a new password. It expires in {minutes} minutes."
    case (.hindi, .signIn):
      "{code} आपका Fieldpass कोड है। यह {minutes} मिनट तक मान्य है।"
    case (.hindi, .passwordReset):
      "{code} नया पासवर्ड बनाने का आपका Fieldpass कोड है। यह {minutes} मिनट तक मान्य है।"
    case (.norwegian, .signIn):
      "{code} er Fieldpass-koden din. Den gjelder i {minutes} minutter."
    case (.norwegian, .passwordReset):
      "{code} er Fieldpass-koden din for å velge et nytt passord. Den gjelder i {minutes} minutter."
    }
  }
}

extension Policy {
  /// The operator's text for this language or for all; `nil` if the standard text applies.
  ///
  /// A code to change the account always has the standard text, because an operator's text to sign
  /// in would not say what the code is for.
  fileprivate func text(
    for purpose: CodeChallenge.Purpose, in language: MessageLanguage
  ) -> MessageTemplate? {
    let general: PolicyKey
    switch purpose {
    case .signIn, .registration: general = .signInText
    case .passwordReset: general = .resetText
    case .contactChange: return nil
    }
    let own = PolicyKey(rawValue: "\(general.rawValue)_\(language.rawValue)")
    return own.flatMap { text($0) } ?? text(general)
  }
}
