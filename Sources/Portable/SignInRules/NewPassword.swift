/// Decides whether a text may become somebody's password (T-11; NIST SP 800-63B, section 5.1.1.2).
///
/// Length and rarity are all that is asked for: no composition rules, for they make passwords
/// harder to remember and no harder to guess.
public enum NewPassword {
  public enum Refusal: Equatable, Sendable {
    case tooShort
    case tooLong
    /// Among the first that are guessed, of this person or of anybody.
    case tooCommon
  }

  /// Counted in code points: eight signs of any script are enough.
  public static let leastCodePoints = 8
  /// What password hashing takes.
  public static let byteLimit = 1024
  /// So many digits and signs around a common word make it no rarer.
  public static let decorationLimit = 4
  /// One block of at most this many bytes, repeated, is soon guessed.
  public static let repeatedBlockLimit = 4
  /// Shorter parts of a name are parts of too many other words.
  public static let leastWordBytes = 3

  /// What speaks against `text`, or nil; `words` is what is known about the person and the product,
  /// such as an e-mail address and names.
  public static func refusal(of text: String, about words: [String]) -> Refusal? {
    if text.unicodeScalars.count < leastCodePoints { return .tooShort }
    if text.utf8.count > byteLimit { return .tooLong }
    let plain = lowercased(text)
    if GuessedPasswords.contains(string(plain)) || FrequentPasswords.contains(string(plain))
      || isSimple(plain)
    {
      return .tooCommon
    }
    let core = undecorated(plain)
    if core.count >= leastWordBytes, GuessedPasswords.contains(string(core)) { return .tooCommon }
    for word in words {
      for part in parts(of: word) where part == plain || part == core { return .tooCommon }
    }
    return nil
  }

  /// A text in its bytes, ASCII letters in lower case.
  private static func lowercased(_ text: String) -> [UInt8] {
    text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }
  }

  private static func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x61 && byte <= 0x7A || byte > 0x7F
  }

  /// The text without the few digits and signs at its ends.
  private static func undecorated(_ bytes: [UInt8]) -> [UInt8] {
    var core = bytes[...]
    for _ in 0..<decorationLimit {
      if let last = core.last, !isLetter(last) { core.removeLast() }
    }
    for _ in 0..<decorationLimit {
      if let first = core.first, !isLetter(first) { core.removeFirst() }
    }
    return Array(core)
  }

  /// One block again and again, or a run up or down such as `23456789`.
  private static func isSimple(_ bytes: [UInt8]) -> Bool {
    for period in 1...repeatedBlockLimit {
      let pairs = zip(bytes, bytes.dropFirst(period))
      if pairs.allSatisfy({ $0 == $1 }) { return true }
    }
    let steps = zip(bytes, bytes.dropFirst())
    return steps.allSatisfy { Int($1) - Int($0) == 1 }
      || steps.allSatisfy { Int($0) - Int($1) == 1 }
  }

  /// A name whole, without its spaces, and each of its words; of an address also what is before
  /// the `@`, and each label of what is after it.
  private static func parts(of word: String) -> [[UInt8]] {
    let bytes = lowercased(word)
    let pieces = bytes.split { !isLetter($0) && !($0 >= 0x30 && $0 <= 0x39) }.map { Array($0) }
    let local = Array(bytes.prefix { $0 != UInt8(ascii: "@") })
    let all = [bytes, local, pieces.flatMap { $0 }] + pieces
    return all.filter { $0.count >= leastWordBytes }
  }
}
