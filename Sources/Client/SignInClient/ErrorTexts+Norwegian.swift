import Foundation

extension SignInError {
  var norwegian: String {
    switch self {
    case .invalidCredentials: "Feil e-post eller passord."
    case .emailMalformed: "E-postadressen er ikke fullstendig."
    case .phoneMalformed: "Mobilnummeret er ikke fullstendig."
    case .nameMalformed: "Navnet må ha 1 til 100 tegn."
    case .wrongCode(let left): "Koden er feil. Gjenstående forsøk: \(left)."
    case .codeExpired: "Koden er utløpt."
    case .codeSuperseded: "Dette er en tidligere kode. En nyere kode er på vei."
    case .codeIncomplete(let digits): "Koden må ha \(digits) sifre."
    case .notRegistered: "Ingen konto har disse opplysningene."
    case .accountDeactivated: "Kontoen din er deaktivert."
    case .lockedOut: "Kontoen din er midlertidig låst."
    case .signsInElsewhere: "Denne kontoen bruker organisasjonens egen innlogging."
    case .provider(let fault): fault.norwegian
    case .resendTooSoon: "Vi har nettopp sendt deg en kode."
    case .rateLimited: "For mange forsøk."
    case .deliveryFailed: "Vi fikk ikke sendt koden."
    case .signInExpired: "Innloggingen er utløpt."
    case .passwordChangeUnconfirmed:
      "Vi fikk ikke svar, så passordet kan være byttet."
    case .notSignedIn: "Du er ikke logget inn."
    case .appLocked: "Appen er låst."
    case .storageUnavailable: "Økten som er lagret på denne enheten, kan ikke leses nå."
    case .sessionExpired: "Økten er avsluttet."
    case .sessionEndedElsewhere: "Økten ble avsluttet fra en annen enhet eller av en administrator."
    case .passwordChangedElsewhere: "Passordet ditt er byttet."
    case .sessionUnsafe: "Vi avsluttet økten for å beskytte kontoen din."
    case .sessionDamaged: "Økten som er lagret på denne enheten, er skadet."
    case .appLockChanged: "Fingeravtrykket eller ansiktet på denne enheten er endret."
    case .unlockCancelled: "Appen er fortsatt låst."
    case .unlockBusy: "Enheten kunne ikke bekrefte hvem du er."
    case .noConnection: "Ingen internettforbindelse."
    case .serviceUnreachable: "Tjenesten kan ikke nås."
    case .noAnswerInTime: "Tjenesten svarte ikke i tide."
    case .serviceBusy: "Tjenesten er travel akkurat nå."
    case .serverFault: "Noe gikk galt hos oss."
    case .addressNotAllowed: "Denne adressen er ikke tillatt. Den må begynne med https://."
    case .requestMalformed: "Forespørselen er ikke gyldig."
    case .notPossibleNow: "Dette er ikke mulig nå."
    case .cancelled: "Forespørselen ble avbrutt."
    case .refused(let code): Self.norwegian(code)
    }
  }

  private static func norwegian(_ code: String) -> String {
    switch code {
    case "password_too_short": "Passordet er for kort."
    case "password_too_long": "Passordet er for langt."
    case "password_too_common": "Passordet er for lett å gjette."
    case "reset_by_administrator": "Bare administratoren kan tilbakestille dette passordet."
    case "registration_closed": "Registreringen er stengt."
    case "country_not_supported": "Numre fra dette landet støttes ikke."
    case "not_a_member": "Du hører ikke til den organisasjonen."
    case "insufficient_scope": "Denne appen har ikke tillatelse til dette."
    default: "Tjenesten godtok ikke forespørselen: \(code)."
    }
  }
}

extension ErrorSuggestion {
  func norwegian(_ time: (Date) -> String) -> String {
    switch self {
    case .tryAgain: "Prøv igjen."
    case .tryAgainAt(let moment): "Prøv igjen kl. \(time(moment))."
    case .correctEntry: "Sjekk det du har skrevet inn."
    case .chooseAnother: "Velg et annet passord."
    case .requestCode: "Be om en ny kode."
    case .signInAgain: "Logg inn på nytt."
    case .unlock: "Lås opp appen."
    case .usePassword: "Logg inn med passordet ditt."
    case .unlockAgain: "Prøv igjen, eller logg inn i stedet."
    case .checkConnection: "Sjekk forbindelsen og prøv igjen."
    case .contactAdministrator: "Kontakt administratoren."
    }
  }
}
