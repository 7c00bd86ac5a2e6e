/// Notices about actions of administrators.
extension NoticeText {
  static func addressChanged(_ language: MessageLanguage, _ at: String) -> (String, String) {
    switch language {
    case .english:
      (
        "Your Fieldpass account was changed",
        "An administrator changed the email address or phone number of your Fieldpass account on"
          + " \(at). If you did not ask for this, contact your administrator."
      )
    case .hindi:
      (
        "आपका Fieldpass खाता बदला गया",
        "एडमिनिस्ट्रेटर ने \(at) पर आपके Fieldpass खाते का ईमेल पता या फ़ोन नंबर बदला।"
          + " अगर आपने इसके लिए नहीं कहा था, तो अपने एडमिनिस्ट्रेटर से संपर्क करें।"
      )
    case .norwegian:
      (
        "Fieldpass-kontoen din ble endret",
        "En administrator endret e-postadressen eller telefonnummeret til Fieldpass-kontoen din"
          + " \(at). Kontakt administratoren hvis du ikke ba om dette."
      )
    }
  }

  static func invitation(_ language: MessageLanguage, _ link: String) -> (String, String) {
    switch language {
    case .english:
      (
        "Your Fieldpass account",
        "You have a Fieldpass account. Set your password within 7 days: \(link)"
      )
    case .hindi:
      (
        "आपका Fieldpass खाता",
        "आपका Fieldpass खाता तैयार है। 7 दिन के अंदर अपना पासवर्ड सेट करें: \(link)"
      )
    case .norwegian:
      (
        "Fieldpass-kontoen din",
        "Du har fått en Fieldpass-konto. Velg passordet ditt innen 7 dager: \(link)"
      )
    }
  }
}
