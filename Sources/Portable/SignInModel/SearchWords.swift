/// The words of a search, as a person typed them.
///
/// A text matches if it contains each word, in any order. The search without its spaces, hyphens
/// and other separators matches too, so that `sn 12-34` finds the number `SN1234`.
public struct SearchWords: Equatable, Sendable {
  /// Folded, without repetitions.
  public let words: [[UInt8]]
  /// Folded, without spaces, hyphens and other separators.
  public let joined: [UInt8]

  public init(_ typed: String) {
    let folded = FoldedText.fold(typed)
    var words: [[UInt8]] = []
    for word in folded.split(separator: 0x20) where !words.contains(Array(word)) {
      words.append(Array(word))
    }
    self.words = words
    joined = Self.join(folded)
  }

  public var isEmpty: Bool { words.isEmpty }

  /// Whether they match the searched text of a record (`FoldedText.searched`).
  public func match(_ folded: [UInt8]) -> Bool {
    let range = folded.startIndex..<folded.endIndex
    var hasAll = true
    for word in words where hasAll { hasAll = folded.contains(word[...], in: range) }
    return hasAll || !joined.isEmpty && folded.contains(joined[...], in: range)
  }

  /// The folded text without spaces, hyphens, dots, slashes and underscores.
  public static func join(_ folded: [UInt8]) -> [UInt8] {
    var joined: [UInt8] = []
    for byte in folded {
      switch byte {
      case 0x20, 0x2D, 0x2E, 0x2F, 0x5F: continue
      default: joined.append(byte)
      }
    }
    return joined
  }
}

extension FoldedText {
  /// The text of a record in which words are searched.
  ///
  /// The number is in it once more, without its separators.
  public static func searched(_ fields: [String], number: String = "") -> [UInt8] {
    var text: [UInt8] = []
    for field in fields {
      fold(Array(field.utf8)[...], into: &text)
      text.append(0x20)
    }
    return text + SearchWords.join(fold(number))
  }
}

extension [UInt8] {
  /// Whether the bytes of `word`, which is not empty, follow each other in the range.
  public func contains(_ word: ArraySlice<UInt8>, in range: Range<Int>) -> Bool {
    guard let first = word.first else { return false }
    var at = range.lowerBound
    while at <= range.upperBound - word.count {
      if self[at] == first, self[at..<(at + word.count)].elementsEqual(word) { return true }
      at += 1
    }
    return false
  }
}
