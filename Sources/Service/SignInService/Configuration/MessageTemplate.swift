import SignInModel
import SignInRules

/// What a text message says, with places for the code, for the minutes it lives, and for the host
/// that a phone compares before it fills the code in.
///
/// Registered senders, as India demands them, must send exactly what was registered; so nothing is
/// added to a text of an operator's own. Since 2026 each variable of a registered text has a type
/// there, which the text names as in `{code:numeric}`.
struct MessageTemplate: Equatable, Sendable {
  /// In code points.
  ///
  /// With the longer alphabet (UCS-2) two messages hold 134 UTF-16 units and three hold 201.
  static let lengthLimit = 200

  /// What is filled in.
  enum Variable: String, CaseIterable {
    case code
    case minutes
    case host

    /// The types whose values it always has: a code and minutes are digits, a host is part of an
    /// address.
    var fittingKinds: [Kind] {
      switch self {
      case .code, .minutes: [.numeric, .alphanumeric]
      case .host: [.url]
      }
    }
  }

  /// The type a variable was registered with, such as `{#numeric#}`.
  enum Kind: String, CaseIterable {
    case numeric
    case alphanumeric
    case url
  }

  /// A place such as `{code}` or `{code:numeric}`.
  struct Place: Equatable {
    let variable: Variable
    let kind: Kind?

    init?(_ part: Substring) {
      guard part.hasPrefix("{"), part.hasSuffix("}") else { return nil }
      let words = part.dropFirst().dropLast()
        .split(separator: ":", omittingEmptySubsequences: false)
      guard words.count <= 2, let variable = words.first.flatMap({ Variable(rawValue: String($0)) })
      else { return nil }
      self.variable = variable
      guard words.count == 2 else {
        kind = nil
        return
      }
      guard let kind = Kind(rawValue: String(words[1])) else { return nil }
      self.kind = kind
    }

    var isFitting: Bool { kind.map(variable.fittingKinds.contains) ?? true }
  }

  /// How texts for one language are called, such as `sign_in_hi`.
  static let languageKeys = CodeChallenge.Purpose.allCases.flatMap { purpose in
    MessageLanguage.allCases.map { "\(purpose.rawValue)_\($0.rawValue)" }
  }

  let text: String

  /// What is wrong with a text, as the rest of a sentence, or nil.
  static func problem(_ text: String) -> String? {
    let length = text.unicodeScalars.count
    guard (1...lengthLimit).contains(length) else { return "is empty or too long" }
    let isPlain = text.unicodeScalars.allSatisfy {
      $0 == "\n" || ($0.value >= 0x20 && $0.value != 0x7F)
    }
    guard isPlain else { return "has a control character" }
    let parts = parts(of: text)
    for part in parts where part.hasPrefix("{") && Place(part) == nil {
      return "has a brace that is none of the places it may have"
    }
    let places = parts.compactMap(Place.init)
    // A phone finds the code again behind the host.
    guard places.contains(where: { $0.variable == .code }) else {
      return "has no place for the code"
    }
    if let problem = kindProblem(places) { return problem }
    let longest = MessageTemplate(text: text).filled(
      code: "00000000", lifeSeconds: AppClient.Limits.codeLifeSeconds.upperBound,
      host: "login.example.com"
    )
    let count = TextSegments(of: longest).count
    return count <= MessageText.segmentLimit
      ? nil : "would be sent, and paid for, as \(count) messages"
  }

  private static func kindProblem(_ places: [Place]) -> String? {
    if let wrong = places.first(where: { !$0.isFitting }) {
      return "has a type that the value of {\(wrong.variable.rawValue)} does not fit"
    }
    let typed = places.count { $0.kind != nil }
    return typed == 0 || typed == places.count
      ? nil : "has places with a type and places without one"
  }

  /// Whether the text says how its variables were registered.
  var isTyped: Bool { Self.parts(of: text).compactMap(Place.init).allSatisfy { $0.kind != nil } }

  func filled(code: String, lifeSeconds: Int64, host: String) -> String {
    Self.parts(of: text).map { part in
      switch Place(part)?.variable {
      case .code: code[...]
      case .minutes: String(lifeSeconds / 60)[...]
      case .host: host[...]
      case nil: part
      }
    }.joined()
  }

  /// The text cut before each opening and behind each closing brace.
  private static func parts(of text: String) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    for index in text.utf8.indices {
      let byte = text.utf8[index]
      guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") else { continue }
      let end = byte == UInt8(ascii: "{") ? index : text.utf8.index(after: index)
      if start < end { parts.append(text[start..<end]) }
      start = end
    }
    if start < text.endIndex { parts.append(text[start...]) }
    return parts
  }
}
