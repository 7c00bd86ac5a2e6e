import SignInEngine

/// The sentences about the delivery of a code message, with keys that never change.
///
/// `{name}` is replaced by a value.
public enum DeliverySentence: String, Sendable, CaseIterable, TranslatedSentence {
  case sending = "code.message.sending"
  case sent = "code.message.sent"
  case overdue = "code.message.overdue"
  case delayed = "code.message.delayed"
  case delivered = "code.message.delivered"
  /// The person typed the number and can change it.
  case failed = "code.message.failed"
  /// The number belongs to the account, so the person cannot change it here.
  case failedOnAccount = "code.message.failed.account"
  case callInstead = "code.message.call"
  case calling = "code.message.calling"
  case calledTo = "code.message.called.to"
  case called = "code.message.called"
  case callOverdue = "code.message.call.overdue"
  case callDelivered = "code.message.call.delivered"
  case callFailed = "code.message.call.failed"

  var english: String {
    switch self {
    case .sending: "Sending your code…"
    case .sent: "We've sent your code."
    case .overdue: "No message yet? Check your signal, or request a new code."
    case .delayed: "Your message is delayed. Check your signal, or request a new code."
    case .delivered: "Delivered to your phone."
    case .failed:
      "We could not deliver your message. Check the number, or request a new code."
    case .failedOnAccount:
      "We could not deliver your message. Request a new code, or ask to correct your number."
    case .callInstead: "Get a call instead"
    case .calling: "Calling you…"
    case .calledTo: "We'll call {destination} with your code"
    case .called: "We'll call you with your code."
    case .callOverdue: "No call yet? Check your signal, or request a new code."
    case .callDelivered: "You answered the call."
    case .callFailed: "The call did not reach you. Request a new code."
    }
  }

  var hindi: String {
    switch self {
    case .sending: "आपका कोड भेजा जा रहा है…"
    case .sent: "हमने आपका कोड भेज दिया है।"
    case .overdue: "संदेश अब तक नहीं आया? नेटवर्क जाँचें या नया कोड मँगाएँ।"
    case .delayed: "आपके संदेश में देर हो रही है। नेटवर्क जाँचें या नया कोड मँगाएँ।"
    case .delivered: "आपके फ़ोन पर पहुँच गया।"
    case .failed: "हम आपका संदेश नहीं पहुँचा सके। नंबर जाँचें या नया कोड मँगाएँ।"
    case .failedOnAccount:
      "हम आपका संदेश नहीं पहुँचा सके। नया कोड मँगाएँ, या अपना नंबर ठीक करवाएँ।"
    case .callInstead: "इसके बजाय कॉल पाएँ"
    case .calling: "आपको कॉल किया जा रहा है…"
    case .calledTo: "हम {destination} पर कॉल करके आपको कोड बताएँगे"
    case .called: "हम आपको कॉल करके कोड बताएँगे।"
    case .callOverdue: "कॉल अब तक नहीं आई? नेटवर्क जाँचें या नया कोड मँगाएँ।"
    case .callDelivered: "आपने कॉल का जवाब दिया।"
    case .callFailed: "कॉल आप तक नहीं पहुँची। नया कोड मँगाएँ।"
    }
  }

  var norwegian: String {
    switch self {
    case .sending: "Sender koden…"
    case .sent: "Vi har sendt koden din."
    case .overdue: "Ingen melding ennå? Sjekk dekningen, eller be om en ny kode."
    case .delayed: "Meldingen er forsinket. Sjekk dekningen, eller be om en ny kode."
    case .delivered: "Levert til telefonen din."
    case .failed: "Vi kunne ikke levere meldingen. Sjekk nummeret, eller be om en ny kode."
    case .failedOnAccount:
      "Vi kunne ikke levere meldingen. Be om en ny kode, eller få nummeret ditt rettet."
    case .callInstead: "Bli oppringt i stedet"
    case .calling: "Ringer deg…"
    case .calledTo: "Vi ringer {destination} og leser opp koden"
    case .called: "Vi ringer deg og leser opp koden."
    case .callOverdue: "Ingen samtale ennå? Sjekk dekningen, eller be om en ny kode."
    case .callDelivered: "Du svarte på samtalen."
    case .callFailed: "Samtalen nådde deg ikke. Be om en ny kode."
    }
  }
}

extension Localizer {
  func sayDelivery(_ sentence: DeliverySentence) -> String {
    sentence.text(in: format.locale.language)
  }

  /// The delivery status of the message, and what the person can do.
  func delivery(_ update: DeliveryUpdate) -> String {
    switch update.status {
    case .sending, .sent:
      if update.isCall {
        sayDelivery(.calling)
      } else {
        sayDelivery(update.status == .sent ? .sent : .sending)
      }
    case .overdue, .delayed:
      if update.isCall {
        sayDelivery(.callOverdue)
      } else {
        sayDelivery(update.status == .delayed ? .delayed : .overdue)
      }
    case .delivered: sayDelivery(update.isCall ? .callDelivered : .delivered)
    case .failed:
      if update.isCall {
        sayDelivery(.callFailed)
      } else {
        sayDelivery(update.canChangeNumber ? .failed : .failedOnAccount)
      }
    }
  }

  func severity(of update: DeliveryUpdate) -> Severity {
    switch update.status {
    case .sending, .sent: .neutral
    case .delivered: .success
    case .overdue, .delayed: .warning
    case .failed: .error
    }
  }
}
