extension NoticeText {
  static func contactChanged(
    _ language: MessageLanguage, _ at: String, _ link: String
  ) -> (String, String) {
    switch language {
    case .english:
      (
        "Your Fieldpass account was changed",
        "The email address or phone number of your Fieldpass account was changed on \(at)."
          + " If this was not you, take it back within seven days: \(link)"
      )
    case .hindi:
      (
        "आपका Fieldpass खाता बदला गया",
        "\(at) पर आपके Fieldpass खाते का ईमेल पता या फ़ोन नंबर बदला गया।"
          + " अगर यह आपने नहीं किया, तो सात दिन के अंदर इसे वापस लें: \(link)"
      )
    case .norwegian:
      (
        "Fieldpass-kontoen din ble endret",
        "E-postadressen eller telefonnummeret til Fieldpass-kontoen din ble endret \(at)."
          + " Hvis dette ikke var deg, angre det innen sju dager: \(link)"
      )
    }
  }

  static func erasureRequested(
    _ language: MessageLanguage, _ at: String, _ end: String, _ link: String
  ) -> (String, String) {
    switch language {
    case .english:
      (
        "Your Fieldpass account will be erased",
        "The erasure of your Fieldpass account was requested on \(at). It takes place on \(end)."
          + " Until then you can cancel it in the app or here: \(link)"
      )
    case .hindi:
      (
        "आपका Fieldpass खाता मिटाया जाएगा",
        "\(at) पर आपके Fieldpass खाते को मिटाने का अनुरोध किया गया। यह \(end) पर मिटाया जाएगा।"
          + " तब तक आप इसे ऐप में या यहाँ रद्द कर सकते हैं: \(link)"
      )
    case .norwegian:
      (
        "Fieldpass-kontoen din blir slettet",
        "Noen ba om å slette Fieldpass-kontoen din \(at). Den slettes \(end)."
          + " Fram til da kan du avbryte det i appen eller her: \(link)"
      )
    }
  }
}
