/// Decides whether a text may become a password (T-11; NIST SP 800-63B, section 5.1.1.2).
///
/// Only the length and the list of common passwords matter. There are no composition rules, because
/// they make passwords harder to remember but not harder to guess.
public enum NewPassword {
  public enum Refusal: Equatable, Sendable {
    case tooShort
    case tooLong
    /// It is a common password, or it is easy to guess from the person's data.
    case tooCommon
  }

  /// In code points, so that eight characters of any script are enough.
  public static let leastCodePoints = 8
  /// The limit of the password hash function.
  public static let byteLimit = 1024
  /// A common word with at most this many digits and signs at each end is still common.
  public static let decorationLimit = 4
  /// A repeated block of at most this many bytes is easy to guess.
  public static let repeatedBlockLimit = 4
  /// Shorter parts of a name are also parts of too many other words.
  public static let leastWordBytes = 3

  /// Why `text` is refused, or `nil` if it may become a password.
  ///
  /// `words` is what is known about the person and the product, such as an e-mail address and
  /// names.
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

  /// The bytes of a text, with ASCII letters in lower case.
  private static func lowercased(_ text: String) -> [UInt8] {
    text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }
  }

  private static func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x61 && byte <= 0x7A || byte > 0x7F
  }

  /// The text without up to `decorationLimit` digits and signs at each end.
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

  /// Whether the text is one repeated block, or a run up or down such as `23456789`.
  private static func isSimple(_ bytes: [UInt8]) -> Bool {
    for period in 1...repeatedBlockLimit {
      let pairs = zip(bytes, bytes.dropFirst(period))
      if pairs.allSatisfy({ $0 == $1 }) { return true }
    }
    let steps = zip(bytes, bytes.dropFirst())
    return steps.allSatisfy { Int($1) - Int($0) == 1 }
      || steps.allSatisfy { Int($0) - Int($1) == 1 }
  }

  /// The parts of a name or of an e-mail address that must not be the password.
  ///
  /// For a name: the whole text, the text without spaces, and each word. For an e-mail address also
  /// the part before the `@` and each label of the host.
  private static func parts(of word: String) -> [[UInt8]] {
    let bytes = lowercased(word)
    let pieces = bytes.split { !isLetter($0) && !($0 >= 0x30 && $0 <= 0x39) }.map { Array($0) }
    let local = Array(bytes.prefix { $0 != UInt8(ascii: "@") })
    let all = [bytes, local, pieces.flatMap { $0 }] + pieces
    return all.filter { $0.count >= leastWordBytes }
  }
}
