public import SignInModel

/// An event about which the person of an account gets a notice.
public enum SecurityNotice: Equatable, Sendable {
  case passwordChanged
  /// An invited person chose the first password.
  case passwordChosen
  /// An administrator removed the password.
  ///
  /// An invitation follows.
  case passwordRemoved
  /// A new password was chosen on an unknown device and takes effect later.
  case passwordWaiting(until: Instant)
  case newDevice
  /// An administrator changed the e-mail address or the phone number.
  case addressChanged
  /// An administrator linked an identity, so that the person can sign in at this provider.
  case identityLinked(provider: String)
  /// An administrator removed the link with an identity at this provider.
  case identityUnlinked(provider: String)
  /// The person accepted the e-mail address or the phone number of an identity provider.
  case addressAccepted
  /// The person changed the e-mail address or the phone number.
  ///
  /// The link takes it back.
  case contactChanged(undo: Secret)
  /// The person asked for the erasure of the account.
  ///
  /// The link cancels it.
  case erasureRequested(until: Instant, cancel: Secret)
  /// The link with which an invited person chooses a password.
  case invitation(link: Secret)
}

/// The text of a notice.
///
/// It contains no code, name or address of a person.
public struct NoticeText: Equatable, Sendable {
  /// One line.
  public let subject: String
  public let body: String

  /// The text in the outbox.
  ///
  /// Its first line is the subject of the e-mail.
  var mail: String { subject + "\n" + body }

  public init(_ notice: SecurityNotice, in language: MessageLanguage, at now: Instant) {
    let at = Self.moment(now)
    switch notice {
    case .passwordChanged: (subject, body) = Self.changed(language, at)
    case .passwordChosen: (subject, body) = Self.chosen(language, at)
    case .passwordRemoved: (subject, body) = Self.removed(language, at)
    case .passwordWaiting(let end): (subject, body) = Self.waiting(language, at, Self.moment(end))
    case .newDevice: (subject, body) = Self.newDevice(language, at)
    case .addressChanged: (subject, body) = Self.addressChanged(language, at)
    case .identityLinked(let provider): (subject, body) = Self.linked(language, at, provider)
    case .identityUnlinked(let provider): (subject, body) = Self.unlinked(language, at, provider)
    case .addressAccepted: (subject, body) = Self.addressAccepted(language, at)
    case .contactChanged(let undo):
      (subject, body) = Self.contactChanged(language, at, undo.revealed)
    case .erasureRequested(let end, let cancel):
      (subject, body) = Self.erasureRequested(
        language, at, Self.moment(end), cancel.revealed)
    case .invitation(let link): (subject, body) = Self.invitation(language, link.revealed)
    }
  }

  /// The same text in each of these languages.
  init(_ notice: SecurityNotice, in languages: [MessageLanguage], at now: Instant) {
    let texts = languages.map { NoticeText(notice, in: $0, at: now) }
    subject = texts.map(\.subject).joined(separator: " / ")
    body = texts.map(\.body).joined(separator: "\n\n")
  }

  private static func changed(
    _ language: MessageLanguage, _ at: String
  ) -> (String, String) {
    switch language {
    case .english:
      (
        "Your Fieldpass password was changed",
        "Your Fieldpass password was changed on \(at). Your other devices were signed out."
          + " If this was not you, contact your administrator."
      )
    case .hindi:
      (
        "आपका Fieldpass पासवर्ड बदला गया",
        "आपका Fieldpass पासवर्ड \(at) पर बदला गया। बाकी डिवाइस साइन आउट कर दिए गए।"
          + " अगर यह आपने नहीं किया, तो अपने एडमिनिस्ट्रेटर से संपर्क करें।"
      )
    case .norwegian:
      (
        "Fieldpass-passordet ditt ble endret",
        "Fieldpass-passordet ditt ble endret \(at). De andre enhetene dine ble logget ut."
          + " Kontakt administratoren hvis dette ikke var deg."
      )
    }
  }

  private static func chosen(
    _ language: MessageLanguage, _ at: String
  ) -> (String, String) {
    switch language {
    case .english:
      (
        "Your Fieldpass password was set",
        "A password was set for your Fieldpass account with an invitation on \(at)."
          + " If this was not you, contact your administrator."
      )
    case .hindi:
      (
        "आपका Fieldpass पासवर्ड सेट किया गया",
        "\(at) पर एक आमंत्रण से आपके Fieldpass खाते का पासवर्ड सेट किया गया।"
          + " अगर यह आपने नहीं किया, तो अपने एडमिनिस्ट्रेटर से संपर्क करें।"
      )
    case .norwegian:
      (
        "Fieldpass-passordet ditt ble valgt",
        "Et passord ble valgt for Fieldpass-kontoen din med en invitasjon \(at)."
          + " Kontakt administratoren hvis dette ikke var deg."
      )
    }
  }

  private static func removed(
    _ language: MessageLanguage, _ at: String
  ) -> (String, String) {
    switch language {
    case .english:
      (
        "Your Fieldpass account was reset",
        "An administrator reset your Fieldpass account on \(at). Your password no longer works,"
          + " and your devices were signed out. You will get an invitation to set a new password."
      )
    case .hindi:
      (
        "आपका Fieldpass खाता रीसेट किया गया",
        "एडमिनिस्ट्रेटर ने \(at) पर आपका Fieldpass खाता रीसेट किया। आपका पासवर्ड अब काम नहीं करता,"
          + " और आपके डिवाइस साइन आउट कर दिए गए। नया पासवर्ड सेट करने के लिए आपको आमंत्रण मिलेगा।"
      )
    case .norwegian:
      (
        "Fieldpass-kontoen din ble tilbakestilt",
        "En administrator tilbakestilte Fieldpass-kontoen din \(at). Passordet ditt virker ikke"
          + " lenger, og enhetene dine ble logget ut. Du får en invitasjon til å velge et nytt."
      )
    }
  }

  private static func waiting(
    _ language: MessageLanguage, _ at: String, _ end: String
  ) -> (String, String) {
    switch language {
    case .english:
      (
        "A new Fieldpass password was set",
        "A new Fieldpass password was set on an unknown device on \(at)."
          + " It takes effect on \(end). If this was not you, cancel it on a device where you are"
          + " signed in, or contact your administrator."
      )
    case .hindi:
      (
        "नया Fieldpass पासवर्ड सेट किया गया",
        "\(at) पर एक अनजान डिवाइस से नया Fieldpass पासवर्ड सेट किया गया। यह \(end) से लागू होगा।"
          + " अगर यह आपने नहीं किया, तो इसे उस डिवाइस पर रद्द करें जिस पर आप साइन इन हैं,"
          + " या अपने एडमिनिस्ट्रेटर से संपर्क करें।"
      )
    case .norwegian:
      (
        "Et nytt Fieldpass-passord er valgt",
        "Et nytt Fieldpass-passord ble valgt på en ukjent enhet \(at). Det gjelder fra \(end)."
          + " Hvis dette ikke var deg, avbryt det på en enhet der du er logget inn,"
          + " eller kontakt administratoren."
      )
    }
  }

  private static func addressAccepted(
    _ language: MessageLanguage, _ at: String
  ) -> (String, String) {
    switch language {
    case .english:
      (
        "Your Fieldpass account was changed",
        "The email address or phone number of your Fieldpass account was changed on \(at)."
          + " If this was not you, contact your administrator."
      )
    case .hindi:
      (
        "आपका Fieldpass खाता बदला गया",
        "\(at) पर आपके Fieldpass खाते का ईमेल पता या फ़ोन नंबर बदला गया।"
          + " अगर यह आपने नहीं किया, तो अपने एडमिनिस्ट्रेटर से संपर्क करें।"
      )
    case .norwegian:
      (
        "Fieldpass-kontoen din ble endret",
        "E-postadressen eller telefonnummeret til Fieldpass-kontoen din ble endret \(at)."
          + " Kontakt administratoren hvis dette ikke var deg."
      )
    }
  }

  private static func newDevice(
    _ language: MessageLanguage, _ at: String
  ) -> (String, String) {
    switch language {
    case .english:
      (
        "New sign-in to your Fieldpass account",
        "A new device signed in to your Fieldpass account on \(at)."
          + " If this was not you, sign out that device in the app and change your password,"
          + " or contact your administrator."
      )
    case .hindi:
      (
        "आपके Fieldpass खाते में नया साइन इन",
        "\(at) पर एक नए डिवाइस से आपके Fieldpass खाते में साइन इन किया गया।"
          + " अगर यह आपने नहीं किया, तो ऐप में वह डिवाइस साइन आउट करें और अपना पासवर्ड बदलें,"
          + " या अपने एडमिनिस्ट्रेटर से संपर्क करें।"
      )
    case .norwegian:
      (
        "Ny innlogging på Fieldpass-kontoen din",
        "En ny enhet logget inn på Fieldpass-kontoen din \(at)."
          + " Hvis dette ikke var deg, logg ut enheten i appen og bytt passord,"
          + " eller kontakt administratoren."
      )
    }
  }

  /// Such as `2026-11-22 12:53 UTC`, which is clear in every language.
  static func moment(_ moment: Instant) -> String {
    let seconds = moment.seconds
    let minutes = (seconds - seconds / 86_400 * 86_400) / 60
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(CalendarDay(moment).text) \(two(minutes / 60)):\(two(minutes % 60)) UTC"
  }
}
