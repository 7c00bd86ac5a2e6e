import SignInEngine
import SignInFlow
import SignInModel
import SignInWire
import Testing

@testable import SignInScreens

@Suite struct SentenceTests {
  @Test("T-02 T-04 T-05 T-06 T-07 T-10 the exact sentences of the requirements")
  func exactSentences() {
    let sentences: [(Sentence, String)] = [
      (.invalidCredentials, "Invalid email or password"),
      (
        .accountDeactivated,
        "Your account has been deactivated. Please contact your administrator."
      ),
      (.codeRefused, "Invalid or expired OTP. Please try again."),
      (
        .noConnection,
        "No internet connection. Please check your connection and try again."
      ),
      (.forgotPassword, "Forgot Password?"),
      (.resend, "Resend OTP"),
      (.login, "Login"),
      (.verify, "Verify"),
    ]
    for (sentence, text) in sentences { #expect(sentence.text(in: .english) == text) }
  }

  @Test("T-15 every sentence has a text in every language and its own key")
  func complete() {
    var keys: Set<String> = []
    for sentence in AnySentence.all {
      #expect(keys.insert(sentence.key).inserted)
      for language in Language.allCases { #expect(!sentence.text(in: language).isEmpty) }
    }
  }

  @Test("O-02 the words of a badge are those that the search finds, in each language")
  func searchedWords() {
    for language in Language.allCases {
      for (status, sentence) in [
        (WarrantyStatus.expiring, Sentence.warrantyExpiring), (.expired, .warrantyExpired),
      ] {
        #expect(sentence.text(in: language).lowercased() == status.searchedWords(in: language))
      }
    }
  }

  @Test("T-15 filling in replaces a placeholder and nothing else")
  func filling() {
    let text = Sentence.codeSent.text(
      in: .english, [(name: "destination", value: "***-***-{digits}")]
    )
    #expect(text == "An OTP has been sent to ***-***-{digits}")
  }

  @Test("T-15 each line of a packed text is one sentence")
  func packedLines() {
    let lines = TextLines("पहला\n\nlast")
    #expect((0..<3).map { lines[$0] } == ["पहला", "", "last"])
    #expect(TextLines("only")[0] == "only")
  }

  @Test("T-15 the placeholders are the same in every language", arguments: Language.allCases)
  func placeholders(_ language: Language) {
    for sentence in AnySentence.all {
      let names = Self.names(in: sentence.text(in: language))
      #expect(names == Self.names(in: sentence.text(in: .english)), "\(sentence.key) \(language)")
    }
  }

  @Test(
    "T-15 placeholders of days and times are the same in every language",
    arguments: Language.allCases)
  func calendarPlaceholders(_ language: Language) {
    for word in CalendarText.allCases {
      let names = ["weekday", "day", "month", "year", "date", "time"]
      let marks = names.map { (name: $0, value: "⟨\($0)⟩") }
      let used = names.filter { word.text(in: language, marks).contains("⟨\($0)⟩") }
      #expect(
        used == names.filter { word.text(in: .english, marks).contains("⟨\($0)⟩") }, "\(word)")
    }
  }

  /// Words that are the same in two languages by accident, or because they are names.
  private static let untranslated: [Language: Set<String>] = [
    .hindi: ["product"],
    .norwegian: [
      "product", "phone.country.bangladesh", "phone.country.india", "phone.country.nepal",
      "phone.country.singapore", "phone.country.sri_lanka", "account.status", "app",
      "message.state", "role.administrator",
    ],
  ]

  @Test("T-15 every sentence is translated from English", arguments: [Language.hindi, .norwegian])
  func translated(_ language: Language) {
    for sentence in AnySentence.all
    where Self.untranslated[language]?.contains(sentence.key) != true {
      let english = sentence.text(in: .english)
      let isOnlyFilledIn = english.replacing(/\{\w+\}/, with: "").allSatisfy { !$0.isLetter }
      #expect(
        isOnlyFilledIn || sentence.text(in: language) != english, "\(sentence.key) \(language)")
    }
  }

  @Test("T-15 Hindi is written in Devanagari, with few words in other scripts")
  func script() {
    let foreign: Set = [
      "CSV", "Fieldpass", "OTP", "naam@company.com", "English", "Norsk", "UTC",
    ]
    for sentence in AnySentence.all {
      let text = sentence.text(in: .hindi).replacing(/\{\w+\}/, with: "")
      for word in text.matches(of: /[A-Za-z][A-Za-z@.]*/).map({ String($0.output) }) {
        #expect(foreign.contains(word), "\(sentence.key): \(word)")
      }
    }
  }

  @Test("T-15 no sentence has an exclamation mark or extra spaces", arguments: Language.allCases)
  func calm(_ language: Language) {
    for sentence in AnySentence.all {
      let text = sentence.text(in: language)
      #expect(!text.contains("!"), "\(sentence.key) \(language)")
      #expect(!text.contains("  ") && text.first != " " && text.last != " ", "\(sentence.key)")
    }
  }

  @Test("T-15 a sentence with a full stop has one in every language", arguments: Language.allCases)
  func endings(_ language: Language) {
    let end: Character = language == .hindi ? "।" : "."
    for sentence in AnySentence.all {
      let isSentence = sentence.text(in: .english).last == "."
      #expect(
        (sentence.text(in: language).last == end) == isSentence, "\(sentence.key) \(language)")
    }
  }

  private static func names(in text: String) -> [String] {
    text.matches(of: /\{(\w+)\}/).map { String($0.output.1) }.sorted()
  }
}

/// A sentence of any catalogue.
private struct AnySentence {
  let key: String
  let texts: [Language: String]

  func text(in language: Language) -> String { texts[language] ?? "" }

  static let all =
    sentences(Sentence.self) + sentences(ConsoleSentence.self) + sentences(DeliverySentence.self)
    + sentences(EventSentence.self) + sentences(FilterSentence.self)
    + sentences(HistorySentence.self) + sentences(OverviewSentence.self)
    + sentences(ProductSentence.self) + sentences(ProviderSentence.self)
    + PolicyKey.allCases.map { key in
      AnySentence(key: "policy.value.\(key.rawValue)", text: key.name)
    }

  private static func sentences<Catalogue: TranslatedSentence & CaseIterable>(
    _ catalogue: Catalogue.Type
  ) -> [AnySentence] where Catalogue: RawRepresentable<String> {
    // The keys of events are their codes.
    let prefix = catalogue == EventSentence.self ? "event." : ""
    return catalogue.allCases.map { AnySentence(key: prefix + $0.rawValue, text: $0.text) }
  }

  private init(key: String, text: (Language) -> String) {
    self.key = key
    texts = Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0, text($0)) })
  }
}
