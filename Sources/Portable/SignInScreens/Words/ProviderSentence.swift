import SignInEngine

/// The sentences about a sign-in at an identity provider, with keys that never change.
///
/// `{provider}` is replaced by the provider's name, or by `yourOrganization`.
public enum ProviderSentence: String, Sendable, CaseIterable, TranslatedSentence {
  case or = "provider.or"
  case signIn = "provider.sign_in"
  case lastUsed = "provider.last_used"
  case notNow = "provider.not_now"
  case yourOrganization = "provider.your_organization"
  case passwordEmpty = "provider.password_empty"
  case openingPage = "provider.opening_page"
  case inBrowser = "provider.in_browser"
  case completing = "provider.completing"
  case cancelled = "provider.cancelled"
  case interrupted = "provider.interrupted"
  case unavailable = "provider.unavailable"
  case misconfigured = "provider.misconfigured"
  case untrusted = "provider.untrusted"
  case notRegistered = "provider.not_registered"
  case accountExists = "provider.account_exists"
  case wrongRole = "provider.wrong_role"
  case phoneMissing = "provider.phone_missing"
  case unknown = "provider.unknown"
  case notStored = "provider.not_stored"

  var english: String {
    switch self {
    case .or: "or"
    case .signIn: "Sign in with {provider}"
    case .lastUsed: "Last used"
    case .notNow: "Not available now"
    case .yourOrganization: "your organization"
    case .passwordEmpty: "Leave this empty if you sign in with your organization."
    case .openingPage: "Opening the sign-in page…"
    case .inBrowser: "Continue on the page that opened in your browser."
    case .completing: "Completing the sign-in…"
    case .cancelled: "The sign-in with {provider} was cancelled."
    case .interrupted: "The sign-in with {provider} is not complete. Start it again."
    case .unavailable: "Sign-in with {provider} is not available now. Try again later."
    case .misconfigured:
      "Sign-in with {provider} is not set up correctly. Contact your administrator."
    case .untrusted:
      "You are not signed in, because the answer of {provider} failed a security check."
    case .notRegistered: "You have no account for this app yet. Contact your administrator."
    case .accountExists:
      "An account with your email address or phone number exists. Ask your administrator to link"
        + " {provider}."
    case .wrongRole: "Your account cannot be used in this app."
    case .phoneMissing:
      "You need a code by text message, and your account has no phone number. Contact your"
        + " administrator."
    case .unknown:
      "This sign-in took too long, or it began on another device. Start it again."
    case .notStored:
      "This device cannot store data for this app, so you cannot sign in with {provider}."
    }
  }

  var hindi: String {
    switch self {
    case .or: "या"
    case .signIn: "{provider} से साइन इन करें"
    case .lastUsed: "पिछली बार इस्तेमाल हुआ"
    case .notNow: "अभी उपलब्ध नहीं"
    case .yourOrganization: "अपने संगठन"
    case .passwordEmpty: "अगर आप अपने संगठन से साइन इन करते हैं, तो इसे खाली छोड़ें।"
    case .openingPage: "साइन इन पेज खुल रहा है…"
    case .inBrowser: "आपके ब्राउज़र में खुले पेज पर आगे बढ़ें।"
    case .completing: "साइन इन पूरा किया जा रहा है…"
    case .cancelled: "{provider} से साइन इन रद्द कर दिया गया।"
    case .interrupted: "{provider} से साइन इन पूरा नहीं हुआ। फिर से शुरू करें।"
    case .unavailable: "{provider} से साइन इन अभी उपलब्ध नहीं है। बाद में फिर से कोशिश करें।"
    case .misconfigured:
      "{provider} से साइन इन ठीक से सेट नहीं किया गया है। अपने एडमिनिस्ट्रेटर से संपर्क करें।"
    case .untrusted: "आप साइन इन नहीं हुए, क्योंकि {provider} का जवाब सुरक्षा जाँच में सही नहीं निकला।"
    case .notRegistered: "इस ऐप के लिए आपका खाता अभी नहीं है। अपने एडमिनिस्ट्रेटर से संपर्क करें।"
    case .accountExists:
      "आपके ईमेल पते या फ़ोन नंबर वाला खाता पहले से है। अपने एडमिनिस्ट्रेटर से {provider} को जोड़ने के लिए कहें।"
    case .wrongRole: "आपका खाता इस ऐप में इस्तेमाल नहीं किया जा सकता।"
    case .phoneMissing:
      "आपको टेक्स्ट मैसेज से कोड चाहिए, लेकिन आपके खाते में फ़ोन नंबर नहीं है। अपने एडमिनिस्ट्रेटर से संपर्क करें।"
    case .unknown: "इस साइन इन में बहुत समय लगा, या यह किसी दूसरे डिवाइस पर शुरू हुआ था। फिर से शुरू करें।"
    case .notStored:
      "यह डिवाइस इस ऐप का डेटा नहीं रख सकता, इसलिए आप {provider} से साइन इन नहीं कर सकते।"
    }
  }

  var norwegian: String {
    switch self {
    case .or: "eller"
    case .signIn: "Logg inn med {provider}"
    case .lastUsed: "Sist brukt"
    case .notNow: "Ikke tilgjengelig nå"
    case .yourOrganization: "organisasjonen din"
    case .passwordEmpty: "La dette stå tomt hvis du logger inn med organisasjonen din."
    case .openingPage: "Åpner innloggingssiden…"
    case .inBrowser: "Fortsett på siden som åpnet seg i nettleseren."
    case .completing: "Fullfører innloggingen…"
    case .cancelled: "Innloggingen med {provider} ble avbrutt."
    case .interrupted: "Innloggingen med {provider} er ikke fullført. Begynn på nytt."
    case .unavailable: "Innlogging med {provider} er ikke tilgjengelig nå. Prøv igjen senere."
    case .misconfigured:
      "Innlogging med {provider} er ikke satt opp riktig. Kontakt administratoren."
    case .untrusted:
      "Du er ikke logget inn, fordi svaret fra {provider} ikke besto en sikkerhetskontroll."
    case .notRegistered: "Du har ingen konto for denne appen ennå. Kontakt administratoren."
    case .accountExists:
      "Det finnes en konto med e-postadressen eller telefonnummeret ditt. Be administratoren om å"
        + " koble til {provider}."
    case .wrongRole: "Kontoen din kan ikke brukes i denne appen."
    case .phoneMissing:
      "Du trenger en kode på SMS, og kontoen din har ikke noe telefonnummer. Kontakt"
        + " administratoren."
    case .unknown:
      "Innloggingen tok for lang tid, eller den begynte på en annen enhet. Begynn på nytt."
    case .notStored:
      "Denne enheten kan ikke lagre data for appen, så du kan ikke logge inn med {provider}."
    }
  }
}

extension Localizer {
  func sayProvider(_ sentence: ProviderSentence) -> String {
    sentence.text(in: format.locale.language)
  }

  /// `label` is the provider's name; `nil` if the e-mail address decided.
  func sayProvider(_ sentence: ProviderSentence, _ label: String?) -> String {
    Template.fill(
      sayProvider(sentence), [(name: "provider", value: label ?? sayProvider(.yourOrganization))])
  }

  func providerNotice(_ notice: ProviderNotice) -> String {
    let sentence: ProviderSentence =
      switch notice {
      case .cancelled: .cancelled
      case .interrupted: .interrupted
      case .unavailable: .unavailable
      case .misconfigured: .misconfigured
      case .untrusted: .untrusted
      case .notRegistered: .notRegistered
      case .accountExists: .accountExists
      case .wrongRole: .wrongRole
      case .phoneMissing: .phoneMissing
      case .unknown: .unknown
      case .notStored: .notStored
      }
    return sayProvider(sentence, providerLabel)
  }

  func severity(of notice: ProviderNotice) -> Severity {
    switch notice {
    case .cancelled: .info
    case .interrupted, .unavailable, .unknown, .notStored: .warning
    case .misconfigured, .untrusted, .notRegistered, .accountExists, .wrongRole, .phoneMissing:
      .error
    }
  }
}
