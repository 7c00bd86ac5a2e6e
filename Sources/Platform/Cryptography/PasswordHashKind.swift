/// The algorithm and the cost of a password hash.
///
/// Comparing an imported hash may take more or less time than comparing a new one. So that the time
/// shows nothing about an account, every comparison does the work of every stored kind.
public enum PasswordHashKind: Hashable, Sendable {
  /// Argon2id with the parameters of new hashes.
  case current
  /// Argon2id with other parameters.
  case argon2id(kibibytes: Int, passes: Int)
  case bcrypt(cost: Int)

  /// The allowed memory of an imported Argon2id hash, in KiB.
  ///
  /// Each comparison needs that much for a moment.
  public static let kibibytes = 8...65_536
  public static let passes = 1...10
  /// The maximum number of stored kinds beside the current one.
  ///
  /// Each comparison does the work of all of them.
  public static let storedLimit = 3

  /// The kind of a hash that may be imported, or `nil` for any other text.
  ///
  /// Argon2id needs one lane, 16 bytes of salt and at least 16 bytes of digest. Argon2id and bcrypt
  /// must be within their limits.
  public init?(of encoded: String) {
    if let hash = BcryptHash(encoded) {
      self = .bcrypt(cost: hash.cost)
    } else if let (kibibytes, passes) = PasswordHash.parameters(of: encoded) {
      guard Self.kibibytes.contains(kibibytes), Self.passes.contains(passes) else { return nil }
      let isCurrent =
        kibibytes == PasswordHash.memoryBytes >> 10 && passes == Int(PasswordHash.passes)
      self = isCurrent ? .current : .argon2id(kibibytes: kibibytes, passes: passes)
    } else {
      return nil
    }
  }

  /// A short text: empty for the current kind, `b10`, or `a65536.3`.
  public var word: String {
    switch self {
    case .current: ""
    case .argon2id(let kibibytes, let passes): "a\(kibibytes).\(passes)"
    case .bcrypt(let cost): "b\(cost)"
    }
  }

  /// Reads the text that `word` returns.
  public init?(word: String) {
    let rest = word.dropFirst()
    switch word.first {
    case nil: self = .current
    case "b":
      guard let cost = Self.number(rest), BcryptHash.costs.contains(cost) else { return nil }
      self = .bcrypt(cost: cost)
    case "a":
      let parts = rest.split(separator: ".")
      guard parts.count == 2, let kibibytes = Self.number(parts[0]),
        let passes = Self.number(parts[1]),
        Self.kibibytes.contains(kibibytes), Self.passes.contains(passes)
      else { return nil }
      self = .argon2id(kibibytes: kibibytes, passes: passes)
    default: return nil
    }
  }

  private static let digitLimit = 5

  /// A whole number of at most `digitLimit` digits.
  private static func number(_ text: Substring) -> Int? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard (1...digitLimit).contains(text.utf8.count), text.utf8.allSatisfy(digits.contains) else {
      return nil
    }
    return text.utf8.reduce(0) { $0 * 10 + Int($1 - digits.lowerBound) }
  }
}
