import SignInModel
public import SignInRules

/// The languages in which people are written to.
public enum MessageLanguage: String, CaseIterable, Sendable {
  case english = "en"
  case hindi = "hi"
  case norwegian = "nb"

  /// The first of `wishes` that we write, or else English: tags of RFC 5646, the dearest first.
  public init(wishes: [String]) {
    for wish in wishes {
      let primary = wish.prefix { $0 != "-" && $0 != "_" }.lowercased()
      // Norwegian is asked for as `no`, and who reads Nynorsk reads Bokmål.
      let tag = ["no", "nn"].contains(primary) ? "nb" : primary
      if let language = MessageLanguage(rawValue: tag) {
        self = language
        return
      }
    }
    self = .english
  }

  /// Tags beyond so many are not looked at, nor are longer ones.
  public static let wishLimit = 32
  public static let tagByteLimit = 35

  /// The tags of a `ui_locales` parameter, the preferred one first (OpenID Connect, 3.1.2.1).
  public static func wishes(uiLocales text: String) -> [String] {
    parts(of: ArraySlice(text.utf8), by: UInt8(ascii: " ")).compactMap(tag)
  }

  /// The tags of an `Accept-Language` field, the dearest first (RFC 9110, section 12.5.4).
  public static func wishes(acceptLanguage field: String) -> [String] {
    var wishes: [(tag: String, weight: Int64)] = []
    for part in parts(of: ArraySlice(field.utf8), by: UInt8(ascii: ",")) {
      let words = parts(of: part, by: UInt8(ascii: ";")).map { $0.filter { $0 != 0x20 } }
      guard let first = words.first, let tag = tag(first[...]) else { continue }
      let quality = words.dropFirst().first { $0.starts(with: "q=".utf8) }?.dropFirst(2)
      wishes.append((tag, quality.map(weight) ?? 1000))
    }
    // A stable order: among equals the first comes first.
    return wishes.enumerated().filter { $0.element.weight > 0 }
      .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
      .map(\.element.tag)
  }

  private static func parts(of text: ArraySlice<UInt8>, by separator: UInt8) -> [ArraySlice<UInt8>]
  {
    Array(text.split(separator: separator, maxSplits: wishLimit).prefix(wishLimit))
  }

  private static func tag(_ bytes: ArraySlice<UInt8>) -> String? {
    guard (1...tagByteLimit).contains(bytes.count), bytes.allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `0.8` as 800.
  private static func weight(_ text: ArraySlice<UInt8>) -> Int64 {
    let digits = text.filter { $0 != UInt8(ascii: ".") }.prefix(4)
    guard text.first == UInt8(ascii: "0") || text.first == UInt8(ascii: "1"),
      let number = WholeNumber.read(digits, in: 0...9999)
    else { return 0 }
    return (0..<4 - digits.count).reduce(number) { weight, _ in weight * 10 }
  }
}

/// What people are written, with the lines that let a phone fill the code in by itself.
///
/// Where the whole does not fit into the parts it may take, its second sentence is left out. An
/// operator's own text is sent exactly as it was written.
public struct MessageText: Equatable, Sendable {
  /// Parts one message may be sent as: each is paid for.
  public static let segmentLimit: Int64 = 2
  /// Android reads no longer text, in bytes: what fits into one part.
  public static let retrieverByteLimit: Int64 = 140

  public let text: String
  public let segments: TextSegments

  /// `androidAppHash` are the 11 characters by which Android finds the app, if it has one; the code
  /// is bound to the origin of `issuer`, unless that is no `https` address.
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
        // A text without the hash is worse than a short one with it.
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

  /// The host alone: a port has no place in the origin-bound line.
  private static func host(of issuer: String) -> Substring? {
    guard issuer.hasPrefix("https://") else { return nil }
    return issuer.dropFirst(8).prefix { $0 != ":" && $0 != "/" }
  }

  private static func firstSentence(of text: String) -> String {
    let scalars = text.unicodeScalars
    for index in scalars.indices where scalars[index] == "." || scalars[index] == "।" {
      let end = scalars.index(after: index)
      // A stop inside a name or a number ends no sentence.
      if end == text.endIndex || scalars[end] == " " { return String(text[..<end]) }
    }
    return text
  }

  /// An operator's own text, or else ours.
  init(
    code: OneTimeCode, purpose: CodeChallenge.Purpose, language: MessageLanguage,
    policy: AppClient, issuer: String
  ) {
    let general = purpose == .signIn ? policy.signInText : policy.passwordResetText
    let own = policy.textsByLanguage["\(purpose.rawValue)_\(language.rawValue)"] ?? general
    guard let own else {
      self.init(
        code: code.revealed, template: Self.template(language, for: purpose),
        lifeSeconds: policy.code.lifeSeconds, androidAppHash: policy.androidAppHash,
        issuer: issuer
      )
      return
    }
    self.init(
      exactly: own.filled(
        code: code.revealed, lifeSeconds: policy.code.lifeSeconds,
        host: Self.host(of: issuer).map(String.init) ?? ""
      ))
  }

  private init(exactly text: String) {
    self.text = text
    segments = TextSegments(of: text)
  }

  /// The texts we bring.
  public static func template(
    _ language: MessageLanguage, for purpose: CodeChallenge.Purpose
  ) -> String {
    switch (language, purpose) {
    case (.english, .signIn):
      "{code} is your Fieldpass code. It expires in {minutes} minutes."
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
