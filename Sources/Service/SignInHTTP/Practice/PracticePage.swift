import HTTPServer
import SignInService

/// The page of a practice provider, on which a person chooses who to be.
///
/// The choices are links and no form, because browsers apply the content security policy of a form
/// to every redirect after it, also to the address of an app.
enum PracticePage {
  private struct Words {
    let title: String
    let warning: String
    let instruction: String
    let linked: String
    let new: String
    let cancel: String
  }

  /// The page with a link for each choice, and one to the address `cancellation`.
  static func answer(
    _ provider: PracticeProvider, choices: [(person: PracticeProvider.Person, address: String)],
    cancellation: String, languages: [String]
  ) -> HTTPResponse {
    let language = MessageLanguage(preferredTags: languages)
    let words = words(in: language, provider.label)
    let items = choices.map { person, address in
      """
      <li><a class="choice" href="\(BrowserPage.escaped(address))">\(person.name)\
      <small>\(person.account == nil ? words.new : words.linked)</small></a></li>
      """
    }
    return BrowserPage.response(
      BrowserPage.document(
        title: words.title, language: language,
        body: """
          <p class="warning" role="note">\(words.warning)</p>
          <p id="instruction">\(words.instruction)</p>
          <ul aria-labelledby="instruction">\(items.joined())</ul>
          <p><a class="cancel" href="\(BrowserPage.escaped(cancellation))">\(words.cancel)</a></p>
          """))
  }

  private static func words(in language: MessageLanguage, _ label: String) -> Words {
    switch language {
    case .english:
      Words(
        title: "Practice provider",
        warning: "This is practice. No real identity is checked, and \(label) is not contacted.",
        instruction: "Choose a practice person to sign in as:",
        linked: "Has a demo account", new: "Gets a new account at the first sign-in",
        cancel: "Cancel")
    case .hindi:
      Words(
        title: "अभ्यास प्रदाता",
        warning: "यह अभ्यास है। किसी असली पहचान की जाँच नहीं होती, और \(label) से संपर्क नहीं किया जाता।",
        instruction: "साइन इन करने के लिए अभ्यास का एक व्यक्ति चुनें:",
        linked: "इनका डेमो खाता है", new: "पहले साइन इन पर इनका नया खाता बनेगा",
        cancel: "रद्द करें")
    case .norwegian:
      Words(
        title: "Øvingsleverandør",
        warning: "Dette er en øvelse. Ingen ekte identitet blir kontrollert, og \(label) blir ikke"
          + " kontaktet.",
        instruction: "Velg en øvingsperson å logge inn som:",
        linked: "Har en demokonto", new: "Får en ny konto ved første innlogging",
        cancel: "Avbryt")
    }
  }
}
