/// The commonest passwords of leaked lists that are long enough to be chosen.
///
/// Each is among the first three thousand passwords of at least eight characters in one of two
/// lists that are ordered by how often a password was found: that of zxcvbn 4.5 (MIT licence,
/// Copyright 2012-2016 Dan Wheeler and Dropbox) and that of Django 5.2 (BSD licence, Copyright
/// Django Software Foundation, made by Royce Williams). Those that `NewPassword` refuses by its
/// other rules are left out. They are in lower case.
enum FrequentPasswords {
  /// Whether this text, in lower case, is one of them.
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
