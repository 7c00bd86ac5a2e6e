import Foundation

/// The rules of the language: plain English in comments, titles, sentences and documents.
extension HouseRule {
  /// Words and phrases that a newcomer has to guess at, in lower case.
  ///
  /// Each is matched as a whole word. Write the term of `docs/glossary.md` instead.
  static let bannedPhrases: [String] = [
    "nobody", "nobody's", "somebody", "somebody's", "everybody", "everybody's", "whoever",
    "whomever", "whatever", "whichever", "stranger", "strangers", "anew", "lest", "meanwhile",
    "thereby", "thereof", "whence", "thence", "wherein", "whereof", "hitherto", "henceforth",
    "forthwith", "farewell", "farewells", "errand", "errands", "switchboard", "clerk",
    "for want of", "for ever", "of late", "in vain", "let in", "let go", "has gone",
    "none of ours", "what came of it", "as it were", "goes home", "sent home", "in the name of",
    "is told so", "are told so", "forgiven", "forgives", "tombstone", "as yet",
    "no more than that", "such as it is", "by and by", "wish", "wishes", "untold", "comes to",
    "stands for", "in force", "owes", "mends", "mended", "therein", "albeit", "save for", "thus",
    "upon", "unto", "takes for", "taken for", "is over",
  ]

  /// Nouns of the language and of programming, which the glossary does not explain.
  static let generalNouns: Set<String> = Set(
    """
    acceptance act action activity address administrator algorithm alphabet announcement approval
    assets attribute backlog backup badge banner bar body breaker budget button call caller
    candidate card cell chain channel chart check choice claim clock column comparison condition
    configuration confirmation connection consequence content context contract copy cost count
    counter country creation credential day delivery demo departure description detail digest
    direction disclosure draft editor email encryption end ending endpoint entry error extent
    factory failure
    feed field figure file filter flow folder form full grant group gzip handle handler hash
    hashing header history holder id identifier import input instant item job journal json key
    keyring kind language layout lease length level library line link list location mail malformed
    mark member menu method mistake mode moment monitor name need number outcome output owner page
    part
    person phase phrase picker picture piece plan platform politeness pool position post preferences
    prefix price principal product profile progress prompt protection provider proxy purpose
     query question queue random randomness readiness reader reading reason receiver recipient
     record
    redemption registration removal report requirement response result router row rule scheme screen
    secret section segment settings sender sending sentence server setup severity share sheet signal
    simulation source stage start status step store style subject summary symbol table tally
    target task text thread tone tool transaction transition transport type unit unlock update
    url verdict view violation wait waiter watch word worker writer writing
    """
    .split { $0 == " " || $0 == "\n" }.map(String.init))

  /// Every word of the terms in the glossary.
  static func glossary(_ text: String) -> Set<String> {
    let terms = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.compactMap {
      $0.split(separator: "|").first
    }
    return Set(terms.joined(separator: " ").lowercased().split { !$0.isLetter }.map(String.init))
  }

  /// Finds banned phrases in the prose of a file: comments and titles of tests.
  static func language(_ file: SourceFile) -> [Finding] {
    let lowered = file.text.lowercased()
    let candidates = bannedPhrases.filter { SourceFile.holds(lowered, $0) }
    guard !candidates.isEmpty else { return [] }
    return prose(of: file).flatMap { number, text in
      phrases(candidates, in: text).map {
        Finding(line: number, advice: "write plain English instead of “\($0)”")
      }
    }
  }

  /// The candidates that a text has as whole words.
  static func phrases(_ candidates: [String], in text: String) -> [String] {
    let lowered = text.lowercased().replacing("’", with: "'")
    return candidates.filter { phrase in
      lowered.ranges(of: phrase).contains { range in
        let before =
          range.lowerBound == lowered.startIndex
          ? nil : lowered[lowered.index(before: range.lowerBound)]
        let after = range.upperBound == lowered.endIndex ? nil : lowered[range.upperBound]
        return !isWord(before) && !isWord(after)
      }
    }
  }

  private static func isWord(_ character: Character?) -> Bool {
    guard let character else { return false }
    return character.isLetter || character.isNumber || "_@-".contains(character)
  }

  /// The lines of a file that people read as prose, with their numbers.
  private static func prose(of file: SourceFile) -> [(Int, String)] {
    file.lines.enumerated().compactMap { index, line in
      let text = line.trimmingPrefix { $0 == " " }
      let isProse: Bool
      switch file.path.split(separator: ".").last {
      case "swift":
        isProse =
          text.hasPrefix("//") || text.contains("@Test(\"") || text.contains("@Suite(\"")
          || isSentence(file, Substring(text))
      case "js", "mjs": isProse = text.hasPrefix("//") || text.hasPrefix("*")
      case "css": isProse = text.hasPrefix("/*") || text.hasPrefix("*")
      case "py": isProse = text.hasPrefix("#") || text.contains("\"\"\"") || text.hasPrefix("def ")
      case "md", "html": isProse = true
      default: isProse = text.hasPrefix("#")
      }
      return isProse ? (index + 1, String(text)) : nil
    }
  }

  /// A line with a sentence of a screen, a message, or a description of the interface.
  private static func isSentence(_ file: SourceFile, _ line: Substring) -> Bool {
    guard file.isSource, line.contains(/"[^"]* [^"]*"/), !file.path.hasPrefix("Sources/Testing/")
    else {
      return false
    }
    return !file.path.contains("FrequentPasswords")
  }

  /// Finds public types with a last noun that is neither in the glossary nor a general noun.
  static func nouns(_ file: SourceFile, glossary: Set<String>) -> [Finding] {
    guard file.isSource, file.isSwift else { return [] }
    return declaredTypes(file).compactMap { line, name in
      let declaration = file.codeLines[line - 1]
      guard declaration.contains("public ") else { return nil }
      let words = name.matches(of: /[A-Z0-9]+(?![a-z])|[A-Z]?[a-z]+/).map { String($0.output) }
      // A name in capitals is that of a standard, such as PKCE.
      guard let last = words.last, last != last.uppercased() else { return nil }
      let noun = last.lowercased()
      guard !isKnown(noun, glossary) else { return nil }
      return Finding(
        line: line, advice: "name \(name) with a noun of docs/glossary.md, or add \(noun) to it")
    }
  }

  private static func isKnown(_ noun: String, _ glossary: Set<String>) -> Bool {
    func isThere(_ word: String) -> Bool { glossary.contains(word) || generalNouns.contains(word) }
    if isThere(noun) { return true }
    if noun.hasSuffix("ies"), isThere(noun.dropLast(3) + "y") { return true }
    if noun.hasSuffix("es"), isThere(String(noun.dropLast(2))) { return true }
    return noun.hasSuffix("s") && isThere(String(noun.dropLast()))
  }
}
