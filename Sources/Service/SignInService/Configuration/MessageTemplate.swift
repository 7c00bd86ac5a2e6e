import SignInModel
import SignInRules

/// What a text message says, with places for the code, for the minutes it lives, and for the host
/// that a phone compares before it fills the code in.
///
/// Registered senders, as India demands them, must send exactly what was registered; so nothing is
/// added to a text of an operator's own.
struct MessageTemplate: Equatable, Sendable {
  /// Two messages of the longer alphabet (UCS-2) are 134 characters, three of them 201.
  static let lengthLimit = 200
  static let codePlace = "{code}"
  static let places = [codePlace, "{minutes}", "{host}"]

  /// How texts for one language are called, such as `sign_in_hi`.
  static let languageKeys = CodeChallenge.Purpose.allCases.flatMap { purpose in
    MessageLanguage.allCases.map { "\(purpose.rawValue)_\($0.rawValue)" }
  }

  let text: String

  /// What is wrong with a text, as the rest of a sentence, or nil.
  static func problem(_ text: String) -> String? {
    guard (1...lengthLimit).contains(text.count) else { return "is empty or too long" }
    let isPlain = text.unicodeScalars.allSatisfy {
      $0 == "\n" || ($0.value >= 0x20 && $0.value != 0x7F)
    }
    guard isPlain else { return "has a control character" }
    let parts = parts(of: text)
    for part in parts where part.hasPrefix("{") && !places.contains(String(part)) {
      return "has a brace that is none of the places it may have"
    }
    // A phone finds the code where it stands again behind the host.
    guard parts.contains(codePlace[...]) else { return "has no place for the code" }
    let longest = MessageTemplate(text: text).filled(
      code: "00000000", lifeSeconds: AppClient.Limits.codeLifeSeconds.upperBound,
      host: "login.example.com"
    )
    let count = TextSegments(of: longest).count
    return count <= MessageText.segmentLimit
      ? nil : "would be sent, and paid for, as \(count) messages"
  }

  func filled(code: String, lifeSeconds: Int64, host: String) -> String {
    Self.parts(of: text).map { part in
      switch part {
      case "{code}": code[...]
      case "{minutes}": String(lifeSeconds / 60)[...]
      case "{host}": host[...]
      default: part
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
