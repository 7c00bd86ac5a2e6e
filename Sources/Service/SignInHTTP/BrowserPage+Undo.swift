import HTTPServer
import SignInModel
import SignInService
import SignInWire

extension BrowserPage {
  /// What the page of a link in a message about a change of the own account says.
  enum Undo {
    /// Whether to take the change back, with the secret of the link.
    ///
    /// A page asks first, because programs that check mail open its links.
    case question(Secret, RevocableChange.Kind)
    case done(RevocableChange.Kind)
    case ended
  }

  static func undo(_ undo: Undo, languages: [String]) -> HTTPResponse {
    let language = MessageLanguage(preferredTags: languages)
    switch undo {
    case .question(let secret, let kind):
      let (title, text, button) =
        kind == .erasure ? erasureQuestion(language) : changeQuestion(language)
      let form = """
        <p>\(text)</p><form method="post" action="\(Endpoint.undoContactChange.path)">\
        <input type="hidden" name="\(WireField.undo.rawValue)"\
         value="\(escaped(secret.revealed))"><button>\(button)</button></form>
        """
      return response(document(title: title, language: language, body: form))
    case .done(let kind):
      let (title, text) = kind == .erasure ? erasureDone(language) : changeDone(language)
      return response(document(title: title, language: language, body: "<p>\(text)</p>"))
    case .ended:
      let (title, text) = ended(language)
      return response(document(title: title, language: language, body: "<p>\(text)</p>"))
    }
  }

  private static func changeQuestion(_ language: MessageLanguage) -> (String, String, String) {
    switch language {
    case .english:
      (
        "Take back the change?",
        "Your account gets the old email address or phone number again, and every device is signed"
          + " out.", "Take it back"
      )
    case .hindi:
      (
        "बदलाव वापस लें?",
        "आपके खाते में पुराना ईमेल पता या फ़ोन नंबर फिर से आ जाएगा, और हर डिवाइस साइन आउट हो जाएगा।",
        "वापस लें"
      )
    case .norwegian:
      (
        "Vil du angre endringen?",
        "Kontoen din får den gamle e-postadressen eller det gamle telefonnummeret tilbake, og alle"
          + " enheter logges ut.", "Angre endringen"
      )
    }
  }

  private static func erasureQuestion(_ language: MessageLanguage) -> (String, String, String) {
    switch language {
    case .english:
      (
        "Keep your account?",
        "Your account and everything in it will be erased unless you keep it.",
        "Keep the account"
      )
    case .hindi:
      (
        "क्या आप अपना खाता रखना चाहते हैं?",
        "अगर आप इसे नहीं रखते, तो आपका खाता और उसमें मौजूद सब कुछ मिटा दिया जाएगा।", "खाता रखें"
      )
    case .norwegian:
      (
        "Vil du beholde kontoen?", "Kontoen og alt i den blir slettet hvis du ikke beholder den.",
        "Behold kontoen"
      )
    }
  }

  private static func changeDone(_ language: MessageLanguage) -> (String, String) {
    switch language {
    case .english:
      ("The change was taken back", "Sign in again, and set a new password if you have one.")
    case .hindi:
      ("बदलाव वापस ले लिया गया", "फिर से साइन इन करें, और अगर पासवर्ड है तो नया पासवर्ड सेट करें।")
    case .norwegian:
      ("Endringen er angret", "Logg inn igjen, og velg et nytt passord hvis du har et.")
    }
  }

  private static func erasureDone(_ language: MessageLanguage) -> (String, String) {
    switch language {
    case .english:
      (
        "Your account stays",
        "If you did not ask for the erasure, sign in and change your password if you have one."
      )
    case .hindi:
      (
        "आपका खाता बना रहेगा",
        "अगर खाता मिटाने का अनुरोध आपने नहीं किया था, तो साइन इन करें और अगर पासवर्ड है तो उसे बदलें।"
      )
    case .norwegian:
      (
        "Kontoen din blir beholdt",
        "Hvis du ikke ba om slettingen, logg inn og bytt passord hvis du har et."
      )
    }
  }

  private static func ended(_ language: MessageLanguage) -> (String, String) {
    switch language {
    case .english:
      (
        "This link no longer works",
        "It has expired, or an administrator has changed the account since. Contact your"
          + " administrator if you need help."
      )
    case .hindi:
      (
        "यह लिंक अब काम नहीं करता",
        "इसका समय खत्म हो गया है, या एडमिनिस्ट्रेटर ने उसके बाद खाता बदला है। मदद के लिए अपने"
          + " एडमिनिस्ट्रेटर से संपर्क करें।"
      )
    case .norwegian:
      (
        "Denne lenken virker ikke lenger",
        "Tiden er ute, eller en administrator har endret kontoen siden. Kontakt administratoren"
          + " hvis du trenger hjelp."
      )
    }
  }
}
