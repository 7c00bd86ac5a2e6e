import SignInEngine
import SignInWire

/// The sentences of the filters of the logs in the console, and of decisions with a reason, with
/// keys that never change.
enum FilterSentence: String, Sendable, CaseIterable, TranslatedSentence {
  case account = "filter.account"
  case accountNotWhole = "filter.account.part"
  case destination = "filter.to"
  case destinationNotWhole = "filter.to.part"
  case kind = "filter.kind"
  case everyKind = "filter.kind.every"
  case everyApp = "filter.app.every"
  case from = "filter.from"
  case until = "filter.until"
  case none = "filter.none"
  case noneAdvice = "filter.none.advice"
  case failures = "filter.kind.failures"
  case signIns = "filter.kind.sign_ins"
  case locks = "filter.kind.locks"
  case sessions = "filter.kind.sessions"
  case passwords = "filter.kind.passwords"
  case accounts = "filter.kind.accounts"
  case settings = "filter.kind.settings"
  case products = "filter.kind.products"
  case code = "filter.kind.code"
  case notice = "filter.kind.notice"
  case export = "list.export"
  case exporting = "list.export.busy"
  case exported = "list.export.done"
  case reason = "account.deactivate.reason"
  case reasonHelp = "account.deactivate.reason.help"
  case reasonTooLong = "account.deactivate.reason.long"

  var english: String {
    switch self {
    case .account: "Email or account ID"
    case .accountNotWhole: "Enter the whole email or number."
    case .destination: "Whole number or email"
    case .destinationNotWhole: "Enter the whole number or email."
    case .kind: "Kind"
    case .everyKind: "All kinds"
    case .everyApp: "All apps"
    case .from: "From (UTC)"
    case .until: "To (UTC)"
    case .none: "No matching entries"
    case .noneAdvice: "Change the filters."
    case .failures: "Failed sign-ins"
    case .signIns: "Sign-ins"
    case .locks: "Lockouts"
    case .sessions: "Sessions"
    case .passwords: "Passwords"
    case .accounts: "Accounts"
    case .settings: "Policies"
    case .products: "Products"
    case .code: "Code"
    case .notice: "Notice"
    case .export: "Download CSV"
    case .exporting: "Downloading…"
    case .exported: "Saved as a file, with at most the {limit} newest entries."
    case .reason: "Reason"
    case .reasonHelp:
      "The security log shows it to administrators. It is also in a copy of the person's data."
    case .reasonTooLong: "Use at most {limit} characters."
    }
  }

  var hindi: String {
    switch self {
    case .account: "ईमेल या खाता आईडी"
    case .accountNotWhole: "पूरा ईमेल या नंबर डालें।"
    case .destination: "पूरा नंबर या ईमेल"
    case .destinationNotWhole: "पूरा नंबर या ईमेल डालें।"
    case .kind: "प्रकार"
    case .everyKind: "सभी प्रकार"
    case .everyApp: "सभी ऐप"
    case .from: "कब से (UTC)"
    case .until: "कब तक (UTC)"
    case .none: "कोई मेल खाती प्रविष्टि नहीं"
    case .noneAdvice: "फ़िल्टर बदलें।"
    case .failures: "विफल साइन-इन"
    case .signIns: "साइन-इन"
    case .locks: "लॉक"
    case .sessions: "सेशन"
    case .passwords: "पासवर्ड"
    case .accounts: "खाते"
    case .settings: "नीतियाँ"
    case .products: "प्रोडक्ट"
    case .code: "कोड"
    case .notice: "सूचना"
    case .export: "CSV डाउनलोड करें"
    case .exporting: "डाउनलोड हो रहा है…"
    case .exported: "फ़ाइल सहेजी गई, ज़्यादा से ज़्यादा {limit} नई प्रविष्टियों के साथ।"
    case .reason: "कारण"
    case .reasonHelp:
      "सुरक्षा लॉग इसे एडमिन को दिखाता है। व्यक्ति के डेटा की कॉपी में भी यह होता है।"
    case .reasonTooLong: "ज़्यादा से ज़्यादा {limit} अक्षर लिखें।"
    }
  }

  var norwegian: String {
    switch self {
    case .account: "E-post eller konto-ID"
    case .accountNotWhole: "Skriv hele e-postadressen eller nummeret."
    case .destination: "Hele nummeret eller e-postadressen"
    case .destinationNotWhole: "Skriv hele nummeret eller e-postadressen."
    case .kind: "Type"
    case .everyKind: "Alle typer"
    case .everyApp: "Alle apper"
    case .from: "Fra (UTC)"
    case .until: "Til (UTC)"
    case .none: "Ingen treff"
    case .noneAdvice: "Endre filtrene."
    case .failures: "Mislykkede innlogginger"
    case .signIns: "Innlogginger"
    case .locks: "Utestengelser"
    case .sessions: "Økter"
    case .passwords: "Passord"
    case .accounts: "Kontoer"
    case .settings: "Regler"
    case .products: "Produkter"
    case .code: "Kode"
    case .notice: "Varsel"
    case .export: "Last ned CSV"
    case .exporting: "Laster ned …"
    case .exported: "Lagret som fil, med høyst de {limit} nyeste oppføringene."
    case .reason: "Begrunnelse"
    case .reasonHelp:
      "Sikkerhetsloggen viser den til administratorer. Den er også med i en kopi av personens data."
    case .reasonTooLong: "Bruk høyst {limit} tegn."
    }
  }
}

extension Localizer {
  func label(_ sentence: FilterSentence) -> String { sentence.text(in: format.locale.language) }

  /// The kind of a message in words; a kind of a newer server as it is.
  func kind(ofMessage word: String) -> String {
    switch word {
    case "code": label(.code)
    case "notice": label(.notice)
    default: word
    }
  }

  func name(of kind: EventKind) -> String {
    switch kind {
    case .failures: label(.failures)
    case .signIns: label(.signIns)
    case .locks: label(.locks)
    case .sessions: label(.sessions)
    case .passwords: label(.passwords)
    case .accounts: label(.accounts)
    case .settings: label(.settings)
    case .products: label(.products)
    }
  }
}
