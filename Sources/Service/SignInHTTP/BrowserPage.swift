import Cryptography
import HTTPServer
import SignInModel
import SignInService

/// A page for a person whose sign-in in the browser cannot continue.
enum BrowserPage {
  /// Pages of one sign-in are not cached.
  static let caching = "no-store"

  /// Inline, because a server without web apps has no style sheet.
  private static let style = """
    :root{color-scheme:light dark}
    body{margin:0;min-height:100vh;display:grid;place-items:center;font:1.0625rem/1.5 system-ui,\
    sans-serif;background:Canvas;color:CanvasText}
    main{box-sizing:border-box;max-width:30rem;padding:2rem 1.5rem}
    h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
    p{margin:0}
    """

  /// The source of the style in the content security policy.
  static let styleSource =
    "'sha256-" + Base64.encode(SHA256Digest.of(style)) + "'"

  static func answer(_ fault: BrowserFault, languages: [String]) -> HTTPResponse {
    let language = MessageLanguage(preferredTags: languages)
    let (title, text) = words(of: fault, in: language)
    let html = """
      <!DOCTYPE html>
      <html lang="\(language.rawValue)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>\(style)</style>
      </head>
      <body><main><h1>\(title)</h1><p>\(text)</p></main></body>
      </html>

      """
    return HTTPResponse(
      status: 400,
      fields: [
        HTTPField("Content-Type", "text/html; charset=utf-8"),
        HTTPField("Cache-Control", caching),
      ], body: Array(html.utf8), code: "browser_" + fault.rawValue)
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
