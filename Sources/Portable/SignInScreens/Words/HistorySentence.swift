import SignInEngine
import SignInFlow

/// The sentences about the history of an account, about several accounts at once, and about one
/// event or message, with keys that never change.
enum HistorySentence: String, Sendable, CaseIterable {
  case canSignIn = "sign_in_status.can_sign_in"
  case lastSignIn = "sign_in_status.last_sign_in"
  case pending = "sign_in_status.pending"
  case rejected = "sign_in_status.rejected"
  case deactivated = "sign_in_status.deactivated"
  case stopped = "sign_in_status.stopped"
  case locked = "sign_in_status.locked"
  case passwordWaits = "sign_in_status.password_waits"
  case passwordMissing = "sign_in_status.password_missing"
  case codeFailed = "sign_in_status.code_failed"
  case history = "account.history"
  case noHistory = "account.history.none"
  case codeTo = "account.history.code"
  case noticeTo = "account.history.notice"
  case showMessage = "account.history.show"
  case unknownDevice = "session.device.unknown"
  case openAccount = "record.account"
  case messenger = "record.messenger"
  case acceptedAt = "record.accepted_at"
  case policy = "record.policy"
  case selectAll = "accounts.select.all"
  case selectOne = "accounts.select.one"
  case selectFirst = "accounts.select.first"
  case selected = "accounts.selected"
  case approveSelected = "accounts.approve"
  case approveCount = "accounts.approve.count"
  case approveOneTitle = "accounts.approve.title.one"
  case approveTitle = "accounts.approve.title"
  case approving = "accounts.approve.busy"
  case approvedAll = "accounts.approve.done"
  case approvedSome = "accounts.approve.done.some"

  @inline(never) func text(in language: Language) -> String {
    switch language {
    case .english: english
    case .hindi: hindi
    case .norwegian: norwegian
    }
  }

  private var english: String {
    switch self {
    case .canSignIn: "{name} can sign in."
    case .lastSignIn: "Last sign-in: {time}."
    case .pending: "{name} cannot sign in: the account waits for approval."
    case .rejected: "{name} cannot sign in: the account was rejected."
    case .deactivated: "{name} cannot sign in: the account is deactivated."
    case .stopped: "{name} cannot sign in: too many failed attempts. Unlock the account."
    case .locked: "{name} cannot sign in: locked after failed attempts until {time}."
    case .passwordWaits: "{name} cannot sign in with the new password until {time}."
    case .passwordMissing: "{name} cannot sign in: the account has no password yet."
    case .codeFailed: "The last code to {name} was not delivered. Check the mobile number."
    case .history: "History"
    case .noHistory: "Nothing has happened yet."
    case .codeTo: "Code to {to}"
    case .noticeTo: "Notice to {to}"
    case .showMessage: "Show message"
    case .unknownDevice: "Unknown device"
    case .openAccount: "Open {name}"
    case .messenger: "Messenger"
    case .acceptedAt: "Accepted"
    case .policy: "Policy of"
    case .selectAll: "Select all on this page"
    case .selectOne: "Select {name}"
    case .selectFirst: "Select accounts first."
    case .selected: "{count} selected."
    case .approveSelected: "Approve selected"
    case .approveCount: "Approve {count}"
    case .approveOneTitle: "Approve 1 account?"
    case .approveTitle: "Approve {count} accounts?"
    case .approving: "Approved {count} of {total}…"
    case .approvedAll: "{count} accounts approved."
    case .approvedSome: "{count} of {total} accounts approved. The others are still selected."
    }
  }

  private var hindi: String {
    switch self {
    case .canSignIn: "{name} साइन इन कर सकते हैं।"
    case .lastSignIn: "पिछला साइन-इन: {time}।"
    case .pending: "{name} साइन इन नहीं कर सकते: खाते को मंज़ूरी का इंतज़ार है।"
    case .rejected: "{name} साइन इन नहीं कर सकते: खाता अस्वीकार किया गया।"
    case .deactivated: "{name} साइन इन नहीं कर सकते: खाता निष्क्रिय है।"
    case .stopped: "{name} साइन इन नहीं कर सकते: बहुत ज़्यादा असफल कोशिशें। खाता अनलॉक करें।"
    case .locked: "{name} साइन इन नहीं कर सकते: असफल कोशिशों के बाद {time} तक लॉक।"
    case .passwordWaits: "{name} नए पासवर्ड से {time} तक साइन इन नहीं कर सकते।"
    case .passwordMissing: "{name} साइन इन नहीं कर सकते: खाते का पासवर्ड अभी नहीं है।"
    case .codeFailed: "{name} को भेजा गया पिछला कोड नहीं पहुँचा। मोबाइल नंबर जाँचें।"
    case .history: "इतिहास"
    case .noHistory: "अभी तक कुछ नहीं हुआ।"
    case .codeTo: "{to} को कोड"
    case .noticeTo: "{to} को सूचना"
    case .showMessage: "संदेश दिखाएँ"
    case .unknownDevice: "अनजान डिवाइस"
    case .openAccount: "{name} खोलें"
    case .messenger: "संदेश सेवा"
    case .acceptedAt: "स्वीकार"
    case .policy: "किसकी नीति"
    case .selectAll: "इस पेज के सभी चुनें"
    case .selectOne: "{name} को चुनें"
    case .selectFirst: "पहले खाते चुनें।"
    case .selected: "{count} चुने गए।"
    case .approveSelected: "चुने हुए मंज़ूर करें"
    case .approveCount: "{count} मंज़ूर करें"
    case .approveOneTitle: "1 खाता मंज़ूर करें?"
    case .approveTitle: "{count} खाते मंज़ूर करें?"
    case .approving: "{total} में से {count} मंज़ूर…"
    case .approvedAll: "{count} खाते मंज़ूर किए गए।"
    case .approvedSome: "{total} में से {count} खाते मंज़ूर किए गए। बाकी अभी भी चुने हुए हैं।"
    }
  }

  private var norwegian: String {
    switch self {
    case .canSignIn: "{name} kan logge inn."
    case .lastSignIn: "Siste innlogging: {time}."
    case .pending: "{name} kan ikke logge inn: kontoen venter på godkjenning."
    case .rejected: "{name} kan ikke logge inn: kontoen ble avvist."
    case .deactivated: "{name} kan ikke logge inn: kontoen er deaktivert."
    case .stopped: "{name} kan ikke logge inn: for mange mislykkede forsøk. Lås opp kontoen."
    case .locked: "{name} kan ikke logge inn: låst etter mislykkede forsøk til {time}."
    case .passwordWaits: "{name} kan ikke logge inn med det nye passordet før {time}."
    case .passwordMissing: "{name} kan ikke logge inn: kontoen har ikke passord ennå."
    case .codeFailed: "Den siste koden til {name} kom ikke fram. Sjekk mobilnummeret."
    case .history: "Historikk"
    case .noHistory: "Ingenting har skjedd ennå."
    case .codeTo: "Kode til {to}"
    case .noticeTo: "Varsel til {to}"
    case .showMessage: "Vis melding"
    case .unknownDevice: "Ukjent enhet"
    case .openAccount: "Åpne {name}"
    case .messenger: "Meldingstjeneste"
    case .acceptedAt: "Mottatt av tjenesten"
    case .policy: "Regler for"
    case .selectAll: "Velg alle på siden"
    case .selectOne: "Velg {name}"
    case .selectFirst: "Velg kontoer først."
    case .selected: "{count} valgt."
    case .approveSelected: "Godkjenn valgte"
    case .approveCount: "Godkjenn {count}"
    case .approveOneTitle: "Godkjenne 1 konto?"
    case .approveTitle: "Godkjenne {count} kontoer?"
    case .approving: "Godkjent {count} av {total}…"
    case .approvedAll: "{count} kontoer godkjent."
    case .approvedSome: "{count} av {total} kontoer godkjent. De andre er fortsatt valgt."
    }
  }
}

extension Localizer {
  func tell(_ sentence: HistorySentence) -> String { sentence.text(in: format.locale.language) }
}
