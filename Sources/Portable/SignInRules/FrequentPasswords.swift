/// The most frequent passwords of leaked lists that are long enough to be accepted otherwise.
///
/// Each one is among the first three thousand passwords with at least eight characters in one of
/// two lists. Both lists are ordered by how often a password was found: the list of zxcvbn 4.5 (MIT
/// licence, Copyright 2012-2016 Dan Wheeler and Dropbox) and the list of Django 5.2 (BSD licence,
/// Copyright Django Software Foundation, made by Royce Williams). Passwords that `NewPassword`
/// refuses by its other rules are omitted. All are in lower case.
enum FrequentPasswords {
  /// Whether the list contains this text, which must be in lower case.
  static func contains(_ text: String) -> Bool { all.contains(text) }

  static let all: Set<String> = {
    var all: Set<String> = []
    for list in [digitsToJ, kToZ] {
      for word in list.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        all.insert(String(word))
      }
    }
    return all
  }()
}
