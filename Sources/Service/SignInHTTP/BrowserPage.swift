import Cryptography
import HTTPServer
import SignInModel
import SignInService

/// A page of the server for a person in a browser, without scripts.
enum BrowserPage {
  /// Pages of one sign-in are not cached.
  static let caching = "no-store"

  /// Inline, because a server without web apps has no style sheet.
  ///
  /// The colours are those of the web apps.
  private static let style = """
    :root{color-scheme:light dark;--background:#f5f6f3;--surface:#fff;--text:#13201b;\
    --muted:#4c5953;--outline:#73807a;--primary:#0b6b54;--warning:#7a4a00;\
    --warning-tint:#fff3dc;--focus:#0b57d0}
    @media (prefers-color-scheme:dark){:root{--background:#0e1412;--surface:#171f1c;\
    --text:#e8efeb;--muted:#b4c0ba;--outline:#84918b;--primary:#63d3b1;--warning:#ffce7a;\
    --warning-tint:#33240a;--focus:#a8c8ff}}
    body{margin:0;min-height:100vh;display:grid;place-items:center;\
    font:400 1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",\
    "Liberation Sans",sans-serif;background:var(--background);color:var(--text)}
    main{box-sizing:border-box;width:100%;max-width:30rem;padding:2rem min(1.25rem,5.5vw);\
    overflow-wrap:anywhere}
    h1{font-size:1.75rem;font-weight:600;line-height:1.25;margin:0 0 .75rem}
    p,ul{margin:0 0 1.5rem}
    p:last-child{margin:0}
    .warning{padding:.75rem 1rem;border:1px solid transparent;border-radius:12px;\
    background:var(--warning-tint);color:var(--warning)}
    ul{padding:0;list-style:none}
    li+li{margin-top:.75rem}
    a{display:block;box-sizing:border-box;min-height:3rem;padding:.75rem 1rem;\
    border-radius:12px;color:var(--primary);font-weight:600;text-decoration:none}
    .choice{border:1px solid var(--outline);background:var(--surface);color:var(--text)}
    .cancel{text-align:center}
    a:hover{text-decoration:underline}
    button{box-sizing:border-box;width:100%;min-height:3rem;padding:.75rem 1rem;border:0;\
    border-radius:12px;background:var(--primary);color:var(--background);font:inherit;\
    font-weight:600}
    button:focus-visible,a:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
    small{display:block;color:var(--muted);font-size:.9375rem;font-weight:400}
    """

  /// The source of the style in the content security policy.
  static let styleSource =
    "'sha256-" + Base64.encode(SHA256Digest.of(style)) + "'"

  static func answer(_ fault: BrowserFault, languages: [String]) -> HTTPResponse {
    let language = MessageLanguage(preferredTags: languages)
    let (title, text) = words(of: fault, in: language)
    var response = response(
      document(title: title, language: language, body: "<p>\(text)</p>"), status: 400)
    response.code = "browser_" + fault.rawValue
    return response
  }

  /// The page of a refused request, for example of an address that does not exist.
  static func refusal(status: Int, languages: [String]) -> HTTPResponse {
    let language = MessageLanguage(preferredTags: languages)
    let (title, text) =
      switch status {
      case 404: unknownAddress(language)
      case 408, 429, 500...: laterWords(language)
      default: refusedWords(language)
      }
    return response(
      document(title: title, language: language, body: "<p>\(text)</p>"), status: status)
  }

  private static func unknownAddress(_ language: MessageLanguage) -> (String, String) {
    switch language {
    case .english:
      ("This page does not exist", "Check the address, or open your app again.")
    case .hindi:
      ("यह पेज मौजूद नहीं है", "पता जाँचें, या अपना ऐप फिर से खोलें।")
    case .norwegian:
      ("Denne siden finnes ikke", "Kontroller adressen, eller åpne appen på nytt.")
    }
  }

  private static func laterWords(_ language: MessageLanguage) -> (String, String) {
    switch language {
    case .english:
      (
        "This page cannot be shown right now",
        "The server is busy. Wait a moment, then load the page again."
      )
    case .hindi:
      (
        "यह पेज अभी नहीं दिखाया जा सकता",
        "सर्वर व्यस्त है। थोड़ी देर रुकें, फिर पेज दोबारा लोड करें।"
      )
    case .norwegian:
      (
        "Siden kan ikke vises akkurat nå",
        "Serveren er opptatt. Vent litt, og last inn siden på nytt."
      )
    }
  }

  private static func refusedWords(_ language: MessageLanguage) -> (String, String) {
    switch language {
    case .english:
      ("This page cannot be shown", "Check the address, or open your app again.")
    case .hindi:
      ("यह पेज नहीं दिखाया जा सकता", "पता जाँचें, या अपना ऐप फिर से खोलें।")
    case .norwegian:
      ("Siden kan ikke vises", "Kontroller adressen, eller åpne appen på nytt.")
    }
  }

  /// The page to which a provider leads after a sign-out there.
  ///
  /// `back` is the address of the app; nil if it is not known.
  static func signedOut(back: String?, languages: [String]) -> HTTPResponse {
    let language = MessageLanguage(preferredTags: languages)
    let (title, text, link) =
      switch language {
      case .english:
        ("You are signed out", "You can close this page.", "Back to the app")
      case .hindi:
        ("आप साइन आउट हो गए हैं", "आप इस पेज को बंद कर सकते हैं।", "ऐप पर वापस जाएँ")
      case .norwegian:
        ("Du er logget ut", "Du kan lukke denne siden.", "Tilbake til appen")
      }
    let way = back.map { "<a class=\"choice\" href=\"\(escaped($0))\">\(link)</a>" } ?? ""
    return response(document(title: title, language: language, body: "<p>\(text)</p>" + way))
  }

  static func response(_ document: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status,
      fields: [
        HTTPField("Content-Type", "text/html; charset=utf-8"),
        HTTPField("Cache-Control", caching),
      ], body: Array(document.utf8))
  }

  /// A whole page, with `body` as the HTML after its title.
  static func document(title: String, language: MessageLanguage, body: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="\(language.rawValue)">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(title)</title>
    <style>\(style)</style>
    </head>
    <body><main><h1>\(title)</h1>\(body)</main></body>
    </html>

    """
  }

  /// A text as the value of an attribute in quotation marks.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
  }

  private static func words(
    of fault: BrowserFault, in language: MessageLanguage
  ) -> (title: String, text: String) {
    switch (language, fault) {
    case (.english, .unknown):
      (
        "This sign-in has ended",
        "It took too long, or it is already complete. Go back to the app and sign in again."
      )
    case (.english, .otherBrowser):
      (
        "This sign-in began in another browser",
        "You are not signed in. Go back to the app on the device where you began, and sign in"
          + " again. If you did not begin a sign-in, close this page."
      )
    case (.hindi, .unknown):
      (
        "यह साइन इन समाप्त हो गया है",
        "इसमें बहुत समय लगा, या यह पूरा हो चुका है। ऐप पर वापस जाएँ और फिर से साइन इन करें।"
      )
    case (.hindi, .otherBrowser):
      (
        "यह साइन इन किसी दूसरे ब्राउज़र में शुरू हुआ था",
        "आप साइन इन नहीं हैं। जिस डिवाइस पर आपने शुरू किया था, उस पर ऐप में वापस जाएँ और फिर से साइन इन"
          + " करें। अगर आपने साइन इन शुरू नहीं किया, तो यह पेज बंद करें।"
      )
    case (.norwegian, .unknown):
      (
        "Denne innloggingen er avsluttet",
        "Den tok for lang tid, eller den er allerede fullført. Gå tilbake til appen og logg inn på"
          + " nytt."
      )
    case (.norwegian, .otherBrowser):
      (
        "Denne innloggingen begynte i en annen nettleser",
        "Du er ikke logget inn. Gå tilbake til appen på enheten der du begynte, og logg inn på"
          + " nytt. Hvis du ikke har begynt en innlogging, lukker du denne siden."
      )
    }
  }
}
