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

  static func linked(
    _ language: MessageLanguage, _ at: String, _ provider: String
  ) -> (String, String) {
    switch language {
    case .english:
      (
        "New way to sign in to your Fieldpass account",
        "An administrator linked a sign-in with \(provider) to your Fieldpass account on \(at)."
          + " If you did not ask for this, contact your administrator."
      )
    case .hindi:
      (
        "आपके Fieldpass खाते में साइन इन का नया तरीका",
        "एडमिनिस्ट्रेटर ने \(at) पर \(provider) से साइन इन को आपके Fieldpass खाते से जोड़ा।"
          + " अगर आपने इसके लिए नहीं कहा था, तो अपने एडमिनिस्ट्रेटर से संपर्क करें।"
      )
    case .norwegian:
      (
        "Ny måte å logge inn på Fieldpass-kontoen din",
        "En administrator koblet innlogging med \(provider) til Fieldpass-kontoen din \(at)."
          + " Kontakt administratoren hvis du ikke ba om dette."
      )
    }
  }

  static func unlinked(
    _ language: MessageLanguage, _ at: String, _ provider: String
  ) -> (String, String) {
    switch language {
    case .english:
      (
        "A way to sign in to your Fieldpass account was removed",
        "An administrator removed the sign-in with \(provider) from your Fieldpass account on"
          + " \(at). Your devices were signed out. If you did not ask for this, contact your"
          + " administrator."
      )
    case .hindi:
      (
        "आपके Fieldpass खाते से साइन इन का एक तरीका हटाया गया",
        "एडमिनिस्ट्रेटर ने \(at) पर \(provider) से साइन इन को आपके Fieldpass खाते से हटाया।"
          + " आपके डिवाइस साइन आउट कर दिए गए। अगर आपने इसके लिए नहीं कहा था, तो अपने एडमिनिस्ट्रेटर"
          + " से संपर्क करें।"
      )
    case .norwegian:
      (
        "En måte å logge inn på Fieldpass-kontoen din ble fjernet",
        "En administrator fjernet innlogging med \(provider) fra Fieldpass-kontoen din \(at)."
          + " Enhetene dine ble logget ut. Kontakt administratoren hvis du ikke ba om dette."
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
