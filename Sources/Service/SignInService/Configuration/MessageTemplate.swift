import SignInModel
import SignInRules
import SignInWire

/// The text of a message, with places for the code, its life in minutes, and the host.
///
/// A phone compares the host before it fills in the code.
///
/// In some countries, such as India, registered senders must send exactly the registered text. So
/// the server adds nothing to an operator's text. Since 2026 each variable of a registered text in
/// India has a type. The text names it as in `{code:numeric}`.
struct MessageTemplate: Equatable, Sendable {
  /// A value that the server fills in.
  enum Variable: String, CaseIterable {
    case code
    case minutes
    case host

    /// The types that fit all values of the variable.
    ///
    /// A code and minutes are digits, and a host is a part of an address.
    var fittingKinds: [Kind] {
      switch self {
      case .code, .minutes: [.numeric, .alphanumeric]
      case .host: [.url]
      }
    }
  }

  /// The registered type of a variable, such as `{#numeric#}`.
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

  let text: String

  /// What is wrong with a text, as the rest of a sentence; `nil` if it is valid.
  static func problem(_ text: String) -> String? {
    let length = text.unicodeScalars.count
    guard (1...PolicyKey.textLengthLimit).contains(length) else { return "is empty or too long" }
    let isPlain = text.unicodeScalars.allSatisfy {
      $0 == "\n" || ($0.value >= 0x20 && $0.value != 0x7F)
    }
    guard isPlain else { return "has a control character" }
    let parts = parts(of: text)
    for part in parts where part.hasPrefix("{") && Place(part) == nil {
      return "has an unknown placeholder"
    }
    let places = parts.compactMap(Place.init)
    // A phone reads the code again from the line with the host.
    guard places.contains(where: { $0.variable == .code }) else {
      return "has no {code} placeholder"
    }
    if let problem = kindProblem(places) { return problem }
    let longest = MessageTemplate(text: text).filled(
      code: "00000000", lifeSeconds: PolicyKey.codeLife.range.upperBound,
      host: "login.example.com"
    )
    let count = TextSegments(of: longest).count
    return count <= MessageText.segmentLimit
      ? nil : "is so long that it would be sent, and paid for, as \(count) messages"
  }

  private static func kindProblem(_ places: [Place]) -> String? {
    if let wrong = places.first(where: { !$0.isFitting }) {
      return "has a type that the value of {\(wrong.variable.rawValue)} does not fit"
    }
    let typed = places.count { $0.kind != nil }
    return typed == 0 || typed == places.count
      ? nil : "mixes typed and untyped placeholders"
  }

  /// Whether the text names the registered types of its variables.
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

  /// The text, split before each opening and after each closing brace.
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
