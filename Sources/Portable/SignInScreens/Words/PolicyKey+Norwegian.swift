import SignInWire

extension PolicyKey {
  @inline(never) var norwegian: String {
    switch self {
    case .disclosure: "Vis om en konto finnes"
    case .codeDigits: "Kodelengde"
    case .codeLife: "Koden utløper etter"
    case .codeResend: "Ventetid før ny kode"
    case .lockoutFailures: "Mislykkede forsøk før kontoen låses"
    case .firstLock: "Første låsing"
    case .longestLock: "Lengste låsing"
    case .lockoutStop: "Mislykkede forsøk før en administrator må låse opp"
    case .addressSends: "Meldinger per nettverksadresse per time"
    case .addressFailures: "Mislykkede forsøk per nettverksadresse per time"
    case .deviceSends: "Meldinger per enhet per time"
    case .numberHourly: "Meldinger per nummer per time"
    case .numberDaily: "Meldinger per nummer per døgn"
    case .prefixDaily: "Meldinger per nummerserie per døgn"
    case .organizationDaily: "Meldinger per organisasjon per døgn"
    case .appDaily: "Meldinger per app per døgn"
    case .priceDaily: "Meldingsbudsjett per døgn"
    case .conversionCheckedAfter: "Meldinger per nummerserie før overvåking"
    case .minimumConversion: "Minste andel koder som tastes inn i en overvåket serie"
    case .countries: "Land som kan få meldinger"
    case .signInText: "Innloggingsmelding"
    case .signInEnglish: "Innloggingsmelding, English"
    case .signInHindi: "Innloggingsmelding, हिन्दी"
    case .signInNorwegian: "Innloggingsmelding, Norsk"
    case .resetText: "Melding om nytt passord"
    case .resetEnglish: "Melding om nytt passord, English"
    case .resetHindi: "Melding om nytt passord, हिन्दी"
    case .resetNorwegian: "Melding om nytt passord, Norsk"
    case .accessToken: "Tilgangstokenet utløper etter"
    case .session: "Økten utløper etter"
    case .idle: "Tidsgrense ved inaktivitet"
    case .background: "Lås etter tid i bakgrunnen"
    case .unlock: "Applås"
    case .offline: "Frakoblet tilgang"
    case .passwordReset: "Tilbakestilling av passord"
    case .passwordResetWait: "Ventetid for nytt passord på ukjent enhet"
    }
  }
}
