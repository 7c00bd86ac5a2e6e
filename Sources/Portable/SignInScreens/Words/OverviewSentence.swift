import SignInEngine

/// The sentences of the console's overview and of its filters, with keys that never change.
enum OverviewSentence: String, Sendable, CaseIterable {
  case signInsToday = "overview.sign_ins.today"
  case failuresToday = "overview.failures.today"
  case openSessions = "overview.sessions"
  case attention = "overview.attention"
  case attentionList = "overview.attention.list"
  case attentionNumber = "overview.attention.number"
  case nothing = "overview.attention.none"
  case pendingAccounts = "overview.attention.pending"
  case lockedAccounts = "overview.attention.locked"
  case failedMessages = "overview.attention.failed"
  case signInChart = "overview.chart.sign_ins"
  case codeChart = "overview.chart.codes"
  case signIns = "overview.sign_ins"
  case failures = "overview.failures"
  case locks = "overview.locks"
  case codesSent = "overview.codes.sent"
  case codesDelivered = "overview.codes.delivered"
  case codesEntered = "overview.codes.entered"
  case dayColumn = "overview.day"
  case showTable = "overview.table"
  case dayNote = "overview.days"
  case ofOrganizations = "overview.organizations"
  case outcome = "message.outcome"
  case everyOutcome = "message.outcome.every"
  case outcomeSent = "message.outcome.sent"
  case outcomeDelivered = "message.outcome.delivered"

  @inline(never) func text(in language: Language) -> String {
    switch language {
    case .english: english
    case .hindi: hindi
    case .norwegian: norwegian
    }
  }

  private var english: String {
    switch self {
    case .signInsToday: "Sign-ins today"
    case .failuresToday: "Failed today"
    case .openSessions: "Open sessions"
    case .attention: "Needs attention"
    case .attentionList: "List"
    case .attentionNumber: "Number"
    case .nothing: "Nothing needs attention."
    case .pendingAccounts: "Accounts waiting for approval"
    case .lockedAccounts: "Locked accounts"
    case .failedMessages: "Messages that were not delivered"
    case .signInChart: "Sign-ins by day"
    case .codeChart: "Codes by day"
    case .signIns: "Signed in"
    case .failures: "Failed"
    case .locks: "Locked"
    case .codesSent: "Sent"
    case .codesDelivered: "Delivered"
    case .codesEntered: "Entered"
    case .dayColumn: "Day"
    case .showTable: "Show as table"
    case .dayNote: "A day begins at midnight UTC."
    case .ofOrganizations: "Only {organizations}."
    case .outcome: "Outcome"
    case .everyOutcome: "All outcomes"
    case .outcomeSent: "Sent"
    case .outcomeDelivered: "Delivered"
    }
  }

  private var hindi: String {
    switch self {
    case .signInsToday: "आज के साइन-इन"
    case .failuresToday: "आज विफल"
    case .openSessions: "खुले सत्र"
    case .attention: "ध्यान देने योग्य"
    case .attentionList: "सूची"
    case .attentionNumber: "संख्या"
    case .nothing: "किसी चीज़ पर ध्यान देने की ज़रूरत नहीं है।"
    case .pendingAccounts: "स्वीकृति की प्रतीक्षा वाले खाते"
    case .lockedAccounts: "लॉक किए गए खाते"
    case .failedMessages: "संदेश जो नहीं पहुँचे"
    case .signInChart: "दिन के अनुसार साइन-इन"
    case .codeChart: "दिन के अनुसार कोड"
    case .signIns: "साइन इन हुए"
    case .failures: "विफल"
    case .locks: "लॉक हुए"
    case .codesSent: "भेजे गए"
    case .codesDelivered: "पहुँचे"
    case .codesEntered: "डाले गए"
    case .dayColumn: "दिन"
    case .showTable: "तालिका के रूप में दिखाएँ"
    case .dayNote: "दिन UTC की आधी रात से शुरू होता है।"
    case .ofOrganizations: "केवल {organizations}।"
    case .outcome: "परिणाम"
    case .everyOutcome: "सभी परिणाम"
    case .outcomeSent: "भेजा गया"
    case .outcomeDelivered: "पहुँचा"
    }
  }

  private var norwegian: String {
    switch self {
    case .signInsToday: "Innlogginger i dag"
    case .failuresToday: "Mislykket i dag"
    case .openSessions: "Åpne økter"
    case .attention: "Trenger oppfølging"
    case .attentionList: "Liste"
    case .attentionNumber: "Antall"
    case .nothing: "Ingenting trenger oppfølging."
    case .pendingAccounts: "Kontoer som venter på godkjenning"
    case .lockedAccounts: "Låste kontoer"
    case .failedMessages: "Meldinger som ikke ble levert"
    case .signInChart: "Innlogginger per dag"
    case .codeChart: "Koder per dag"
    case .signIns: "Logget inn"
    case .failures: "Mislykket"
    case .locks: "Låst"
    case .codesSent: "Sendt"
    case .codesDelivered: "Levert"
    case .codesEntered: "Brukt"
    case .dayColumn: "Dag"
    case .showTable: "Vis som tabell"
    case .dayNote: "En dag begynner ved midnatt UTC."
    case .ofOrganizations: "Bare {organizations}."
    case .outcome: "Utfall"
    case .everyOutcome: "Alle utfall"
    case .outcomeSent: "Sendt"
    case .outcomeDelivered: "Levert"
    }
  }
}

extension Localizer {
  func say(_ sentence: OverviewSentence) -> String { sentence.text(in: format.locale.language) }
}
