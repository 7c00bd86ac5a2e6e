import HTTPServer
import SignInService
import SignInWire

extension BrowserPage {
  /// What the page of a link in a message to an old address says.
  enum Undo {
    /// Whether to take the change back, with the secret of the link.
    ///
    /// A page asks first, because programs that check mail open its links.
    case question(String)
    case done
    case ended
  }

  static func undo(_ undo: Undo, languages: [String]) -> HTTPResponse {
    let language = MessageLanguage(preferredTags: languages)
    switch undo {
    case .question(let secret):
      let (title, text, button) = question(language)
      let form = """
        <p>\(text)</p><form method="post" action="\(Endpoint.undoContactChange.path)">\
        <input type="hidden" name="\(WireField.undo.rawValue)" value="\(attribute(secret))">\
        <button>\(button)</button></form>
        """
      return response(document(title: title, language: language, body: form))
    case .done:
      let (title, text) = done(language)
      return response(document(title: title, language: language, body: "<p>\(text)</p>"))
    case .ended:
      let (title, text) = ended(language)
      return response(document(title: title, language: language, body: "<p>\(text)</p>"))
    }
  }

  private static func attribute(_ text: String) -> String {
    escaped(text).replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private static func question(_ language: MessageLanguage) -> (String, String, String) {
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

  private static func done(_ language: MessageLanguage) -> (String, String) {
    switch language {
    case .english:
      ("The change was taken back", "Sign in again, and set a new password if you have one.")
    case .hindi:
      ("बदलाव वापस ले लिया गया", "फिर से साइन इन करें, और अगर पासवर्ड है तो नया पासवर्ड सेट करें।")
    case .norwegian:
      ("Endringen er angret", "Logg inn igjen, og velg et nytt passord hvis du har et.")
    }
  }

  private static func ended(_ language: MessageLanguage) -> (String, String) {
    switch language {
    case .english:
      (
        "This link no longer works",
        "The change was taken back already, or the seven days are over. Contact your administrator"
          + " if you need help."
      )
    case .hindi:
      (
        "यह लिंक अब काम नहीं करता",
        "बदलाव पहले ही वापस लिया जा चुका है, या सात दिन बीत चुके हैं। मदद के लिए अपने एडमिनिस्ट्रेटर से"
          + " संपर्क करें।"
      )
    case .norwegian:
      (
        "Denne lenken virker ikke lenger",
        "Endringen er allerede angret, eller de sju dagene er over. Kontakt administratoren hvis du"
          + " trenger hjelp."
      )
    }
  }
}
