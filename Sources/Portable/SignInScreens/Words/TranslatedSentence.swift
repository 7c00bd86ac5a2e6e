import SignInEngine

/// A sentence in every language.
protocol TranslatedSentence {
  var english: String { get }
  var hindi: String { get }
  var norwegian: String { get }
}

extension TranslatedSentence {
  @inline(never) func text(in language: Language) -> String {
    switch language {
    case .english: english
    case .hindi: hindi
    case .norwegian: norwegian
    }
  }
}
