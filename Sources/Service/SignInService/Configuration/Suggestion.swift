/// Guesses which word a person meant.
enum Suggestion {
  /// The nearest of `words`, when it is near enough to be meant: a third of its letters may differ.
  static func nearest(to word: String, among words: [String]) -> String? {
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
    let left = Array(left.lowercased())
    let right = Array(right.lowercased())
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
}
