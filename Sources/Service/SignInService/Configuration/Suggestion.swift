/// Guesses which word a person meant.
enum Suggestion {
  /// Longer words were never meant to be one of ours.
  static let wordByteLimit = 64

  /// The nearest of `words`, when it is near enough to be meant: a third of its letters may differ.
  static func nearest(to word: String, among words: [String]) -> String? {
    // A word that is much longer than any of them is none of them: comparing it costs its length.
    guard word.utf8.count <= wordByteLimit else { return nil }
    var best: (word: String, distance: Int)?
    for candidate in words {
      let distance = distance(word, candidate)
      if distance <= max(1, candidate.count / 3), distance < best?.distance ?? .max {
        best = (candidate, distance)
      }
    }
    return best?.word
  }

  /// Letters to insert, remove or replace to make one word of the other (Levenshtein).
  static func distance(_ left: String, _ right: String) -> Int {
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

  /// The bytes, ASCII letters in lower case: all words we know are ASCII.
  private static func lowered(_ text: String) -> [UInt8] {
    text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
  }
}
