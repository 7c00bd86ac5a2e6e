import SignInEngine

extension SignInError {
  /// Why a sign-in at a provider failed.
  public enum ProviderFault: Equatable, Sendable, CaseIterable {
    /// The person cancelled, or the provider refused the person.
    case cancelled
    /// The person came back without a result.
    case interrupted
    case unavailable
    case misconfigured
    /// The answer of the provider did not pass a check.
    case untrusted
    /// No provider belongs to the e-mail address, so the person needs a password.
    case noneForEmail
    case notRegistered
    /// Another account has the e-mail address or the phone number.
    case accountExists
    /// The account may not use this app.
    case wrongRole
    /// A code by text message is needed, and the account has no phone number.
    case phoneMissing
    /// The address does not belong to a sign-in of this device, or the sign-in took too long.
    case unknownSignIn
    /// This device has no secure storage.
    case notStored
  }
}

extension SignInError.ProviderFault {
  init(_ notice: ProviderNotice) {
    switch notice {
    case .cancelled: self = .cancelled
    case .interrupted: self = .interrupted
    case .unavailable: self = .unavailable
    case .misconfigured: self = .misconfigured
    case .untrusted: self = .untrusted
    case .notRegistered: self = .notRegistered
    case .accountExists: self = .accountExists
    case .wrongRole: self = .wrongRole
    case .phoneMissing: self = .phoneMissing
    case .unknown: self = .unknownSignIn
    case .notStored: self = .notStored
    }
  }

  var suggestion: ErrorSuggestion {
    switch self {
    case .cancelled, .interrupted, .unknownSignIn: .signInAgain
    case .unavailable: .tryAgain
    case .noneForEmail: .usePassword
    case .misconfigured, .untrusted, .notRegistered, .accountExists, .wrongRole, .phoneMissing,
      .notStored:
      .contactAdministrator
    }
  }

  var english: String {
    switch self {
    case .cancelled: "The sign-in was cancelled."
    case .interrupted: "The sign-in is not complete."
    case .unavailable: "The sign-in service of your organization is not available."
    case .misconfigured: "The sign-in with your organization is not set up correctly."
    case .untrusted: "The answer of your organization failed a security check."
    case .noneForEmail: "No organization's sign-in belongs to this email address."
    case .notRegistered: "You have no account for this app yet."
    case .accountExists: "An account with your email address or phone number exists."
    case .wrongRole: "Your account cannot be used in this app."
    case .phoneMissing: "A code is needed, and your account has no phone number."
    case .unknownSignIn: "The sign-in took too long, or it began on another device."
    case .notStored: "This device cannot store data for this app."
    }
  }

  var hindi: String {
    switch self {
    case .cancelled: "साइन इन रद्द कर दिया गया।"
    case .interrupted: "साइन इन पूरा नहीं हुआ।"
    case .unavailable: "आपके संगठन की साइन इन सेवा उपलब्ध नहीं है।"
    case .misconfigured: "आपके संगठन से साइन इन ठीक से सेट नहीं किया गया है।"
    case .untrusted: "आपके संगठन का जवाब सुरक्षा जाँच में सही नहीं निकला।"
    case .noneForEmail: "इस ईमेल पते के लिए किसी संगठन का साइन इन नहीं है।"
    case .notRegistered: "इस ऐप के लिए आपका खाता अभी नहीं है।"
    case .accountExists: "आपके ईमेल पते या फ़ोन नंबर वाला खाता पहले से है।"
    case .wrongRole: "आपका खाता इस ऐप में इस्तेमाल नहीं किया जा सकता।"
    case .phoneMissing: "कोड चाहिए, लेकिन आपके खाते में फ़ोन नंबर नहीं है।"
    case .unknownSignIn: "साइन इन में बहुत समय लगा, या यह किसी दूसरे डिवाइस पर शुरू हुआ था।"
    case .notStored: "यह डिवाइस इस ऐप का डेटा नहीं रख सकता।"
    }
  }

  var norwegian: String {
    switch self {
    case .cancelled: "Innloggingen ble avbrutt."
    case .interrupted: "Innloggingen er ikke fullført."
    case .unavailable: "Innloggingstjenesten til organisasjonen din er ikke tilgjengelig."
    case .misconfigured: "Innlogging med organisasjonen din er ikke satt opp riktig."
    case .untrusted: "Svaret fra organisasjonen din besto ikke en sikkerhetskontroll."
    case .noneForEmail: "Ingen organisasjon har innlogging for denne e-postadressen."
    case .notRegistered: "Du har ingen konto for denne appen ennå."
    case .accountExists: "Det finnes en konto med e-postadressen eller telefonnummeret ditt."
    case .wrongRole: "Kontoen din kan ikke brukes i denne appen."
    case .phoneMissing: "En kode trengs, og kontoen din har ikke noe telefonnummer."
    case .unknownSignIn: "Innloggingen tok for lang tid, eller den begynte på en annen enhet."
    case .notStored: "Denne enheten kan ikke lagre data for appen."
    }
  }
}
