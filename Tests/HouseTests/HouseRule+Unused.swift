/// The rule for declarations that nothing uses.
extension HouseRule {
  /// Declarations that are used from outside of `Sources`, each with its user.
  static let usedElsewhere: Set = [
    // The shell of the web apps calls the exports.
    "coreAttach", "coreHandle", "coreInput", "coreOutput",
    // Foundation calls the delegate.
    "urlSession",
    // The fuzzer and the load generator feed it.
    "ProviderBytes",
    // `Scripts/pack-sentences` writes the uses.
    "TextLines",
    // Records of collections, which the server and the apps do not store yet.
    "formFields", "lastDaysWithOtherStatus", "mayWait", "offer", "searchedText", "valuesCreated",
    "valuesCreatedByPerson", "valuesWritten",
    // Tests wait for these numbers.
    "callCount", "sleeperCount", "waitingCount",
  ]

  /// The words before the keyword of a declaration.
  private static let modifiers: Set<Substring> = [
    "public", "package", "private", "fileprivate", "static", "mutating", "nonisolated", "final",
    "indirect", "override", "convenience", "lazy", "weak", "consuming", "borrowing", "async",
  ]
  private static let keywords: Set<Substring> = [
    "func", "var", "let", "struct", "enum", "class", "actor", "protocol", "typealias", "case",
  ]

  /// Finds declarations of the product whose name occurs only once in the product.
  ///
  /// A file is found by its declarations. The public declarations of the client library are its
  /// interface.
  static func unused(_ files: [SourceFile]) -> [(file: SourceFile, finding: Finding)] {
    let product = files.filter { $0.isSource && $0.layer != "Testing" }
    var counts: [UInt64: Int] = [:]
    for file in product { countWords(file.code, into: &counts) }
    return product.flatMap { file in
      zip(file.codeLines, 1...).compactMap { line, number in
        guard let (name, isPublic) = declaration(in: line), counts[digest(name.utf8)] == 1,
          !usedElsewhere.contains(String(name)), !(isPublic && file.layer == "Client")
        else { return nil }
        return (file, Finding(line: number, advice: "remove \(name), which nothing uses"))
      }
    }
  }

  private static func declaration(in line: Substring) -> (name: Substring, isPublic: Bool)? {
    var isPublic = false
    var words = line.split(separator: " ")[...]
    while let word = words.first {
      words = words.dropFirst()
      guard modifiers.contains(word) || word.hasPrefix("@") || word.hasPrefix("private(") else {
        guard keywords.contains(word), let next = words.first else { return nil }
        let name = next.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        guard let first = name.first, first.isLetter || first == "_" else { return nil }
        if word == "case", name == "let" || first.isUppercase || isPattern(line) { return nil }
        return (name, isPublic)
      }
      isPublic = isPublic || word == "public"
    }
    return nil
  }

  /// Whether a line with `case` is a pattern: it has a colon outside of brackets.
  private static func isPattern(_ line: Substring) -> Bool {
    var depth = 0
    for byte in line.utf8 {
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: ":") where depth == 0: return true
      default: break
      }
    }
    return false
  }

  private static func countWords(_ text: String, into counts: inout [UInt64: Int]) {
    var word = emptyDigest
    for byte in text.utf8 {
      if isOfWord(byte) {
        word = digest(byte, after: word)
      } else if word != emptyDigest {
        counts[word, default: 0] += 1
        word = emptyDigest
      }
    }
    if word != emptyDigest { counts[word, default: 0] += 1 }
  }

  private static let emptyDigest: UInt64 = 0xcbf2_9ce4_8422_2325

  /// FNV-1a, because counting digests is fast without optimization.
  private static func digest(_ byte: UInt8, after digest: UInt64) -> UInt64 {
    (digest ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  private static func digest(_ bytes: Substring.UTF8View) -> UInt64 {
    bytes.reduce(emptyDigest) { digest($1, after: $0) }
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: byte >= 0x80
    }
  }
}
