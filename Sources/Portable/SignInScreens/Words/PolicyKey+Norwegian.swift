import SignInWire

extension PolicyKey {
  @inline(never) var norwegian: String {
    switch self {
    case .disclosure: "Vis om en konto finnes"
    case .registrationApproval: "Godkjenning av registreringer"
    case .contactChange: "Endring av adresse og nummer"
    case .erasureWait: "Ventetid før sletting"
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

  @inline(never) var norwegianExplanation: String {
    switch self {
    case .disclosure: "Med Nei får en ukjent konto de samme svarene som en kjent."
    case .registrationApproval:
      "Hvem som godkjenner dem som registrerer seg. "
        + "Uten administrator viser en kode at nummeret er deres."
    case .contactChange: "Hvem som endrer e-postadressen og nummeret til en konto."
    case .erasureWait: "Hvor lenge folk kan trekke tilbake ønsket om å slette kontoen."
    case .codeDigits: "Hvor mange sifre hver kode har."
    case .codeLife: "Hvor lenge en kode kan brukes."
    case .codeResend: "Hvor lenge en person venter før en ny kode sendes."
    case .lockoutFailures: "Hvor mange feil svar på rad som låser kontoen."
    case .firstLock:
      "Hvor lenge den første låsingen varer. Hver ny låsing varer dobbelt så lenge."
    case .longestLock: "Ingen låsing varer lenger enn dette."
    case .lockoutStop:
      "Etter så mange feil svar på rad må en administrator eller et nytt passord låse opp kontoen."
    case .addressSends:
      "Hvor mange meldinger én nettverksadresse kan utløse. Fullførte innlogginger teller ikke og "
        + "gir rom for flere."
    case .addressFailures:
      "Feil svar og registreringer fra én nettverksadresse. Fullførte innlogginger gir rom for "
        + "flere."
    case .deviceSends:
      "Hvor mange meldinger én enhet kan utløse. En fullført innlogging nullstiller antallet."
    case .numberHourly:
      "Ett nummer får høyst så mange meldinger per time. Hver kjent enhet har sitt eget antall."
    case .numberDaily:
      "Ett nummer får høyst så mange meldinger per døgn. Det er minst antallet per time."
    case .prefixDaily:
      "Hvor mange meldinger som går til numre der bare de fire siste sifrene er ulike."
    case .organizationDaily: "Personene i én organisasjon får høyst så mange meldinger per døgn."
    case .appDaily: "Appen sender høyst så mange meldinger per døgn, til alle til sammen."
    case .priceDaily:
      "Hva meldingene fra appen kan koste per døgn. Bare numre med en pris teller."
    case .conversionCheckedAfter: "Etter så mange meldinger på et døgn overvåkes nummerserien."
    case .minimumConversion:
      "En overvåket serie får ikke flere meldinger hvis en mindre andel av kodene tastes inn."
    case .countries:
      "Meldinger går bare til numre med disse landskodene. +1-242 er en serie i +1."
    case .signInText: "Meldingen med en kode for å logge inn. {code} er plassen til koden."
    case .signInEnglish, .signInHindi, .signInNorwegian, .resetEnglish, .resetHindi,
      .resetNorwegian:
      "Meldingen til dem som bruker dette språket."
    case .resetText:
      "Meldingen med en kode for å velge nytt passord. {code} er plassen til koden."
    case .accessToken: "Hvor lenge en app kan bruke ett tilgangstoken før den får et nytt."
    case .session: "Etter denne tiden må folk logge inn på nytt, også om de har brukt appen."
    case .idle: "De som ikke bruker appen så lenge, må logge inn på nytt."
    case .background: "Etter denne tiden i bakgrunnen må appen låses opp."
    case .unlock: "Hvordan folk låser opp appen når de kommer tilbake til den."
    case .offline:
      "Hvor lenge synkroniserte data kan leses uten tilkobling. Med 0 lagres ingen kopi."
    case .passwordReset:
      "Hvordan et glemt passord erstattes. En annen administrator erstatter passordet "
        + "til en administrator."
    case .passwordResetWait:
      "Hvor lenge et nytt passord fra en ukjent enhet venter før det gjelder."
    }
  }
}
