/// Finds the known word that is most similar to a misspelt one.
public enum SpellingSuggestion {
  /// The longest word that is compared; no known word is as long.
  public static let wordByteLimit = 64

  /// The most similar of `words`; `nil` if more than a third of its letters differ.
  public static func nearest(to word: String, among words: [String]) -> String? {
    // A much longer word has no similar word, and the comparison would take long.
    guard word.utf8.count <= wordByteLimit else { return nil }
    var best: (word: String, distance: Int)?
    for candidate in words {
      let distance = distance(word, candidate)
      if distance <= max(1, candidate.utf8.count / 3), distance < best?.distance ?? .max {
        best = (candidate, distance)
      }
    }
    return best?.word
  }

  /// How many letters must be inserted, removed or replaced (Levenshtein distance).
  public static func distance(_ left: String, _ right: String) -> Int {
    let left = lowered(left)
    let right = lowered(right)
    var row = Array(0...right.count)
    for (i, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in right.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, diagonal + (letter == other ? 0 : 1))
        diagonal = above
      }
    }
    return row[right.count]
  }

  /// The bytes, with ASCII letters in lower case.
  ///
  /// All known words are ASCII.
  private static func lowered(_ text: String) -> [UInt8] {
    text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
  }
}

extension [String] {
  /// Such as `"a", "b" or "c"`.
  public var quotedList: String {
    var list = ""
    for (index, word) in enumerated() {
      if index > 0 { list += index == count - 1 ? " or " : ", " }
      list += "\"" + word + "\""
    }
    return list.isEmpty ? "nothing" : list
  }
}
