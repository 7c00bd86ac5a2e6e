public import SignInFlow

/// What is said of a code's message on its way, under keys that never change.
///
/// `{name}` marks what is filled in.
public enum DeliverySentence: String, Sendable, CaseIterable {
  case sending = "code.message.sending"
  case sent = "code.message.sent"
  case overdue = "code.message.overdue"
  case delayed = "code.message.delayed"
  case delivered = "code.message.delivered"
  /// Whoever typed the number can change it.
  case failed = "code.message.failed"
  /// The number belongs to the account.
  case failedOnAccount = "code.message.failed.account"
  case callInstead = "code.message.call"
  case calling = "code.message.calling"
  case calledTo = "code.message.called.to"
  case called = "code.message.called"
  case callOverdue = "code.message.call.overdue"
  case callDelivered = "code.message.call.delivered"
  case callFailed = "code.message.call.failed"

  @inline(never) public func text(in language: Language) -> String {
    switch language {
    case .english: english
    case .hindi: hindi
    case .norwegian: norwegian
    }
  }

  private var english: String {
    switch self {
    case .sending: "Sending your code…"
    case .sent: "Your code is on its way."
    case .overdue: "No message yet? Check your signal, or ask for another code."
    case .delayed: "Your message is delayed. Check your signal, or ask for another code."
    case .delivered: "Delivered to your phone."
    case .failed:
      "Your message could not be delivered. Check the number, or ask for another code."
    case .failedOnAccount:
      "Your message could not be delivered. Ask for another code, or have the number corrected."
    case .callInstead: "Get a call instead"
    case .calling: "Calling you…"
    case .calledTo: "A call to {destination} will tell you your code"
    case .called: "A call will tell you your code."
    case .callOverdue: "No call yet? Check your signal, or ask for another code."
    case .callDelivered: "Your call was answered."
    case .callFailed: "The call did not reach you. Ask for another code."
    }
  }

  private var hindi: String {
    switch self {
    case .sending: "आपका कोड भेजा जा रहा है…"
    case .sent: "आपका कोड रास्ते में है।"
    case .overdue: "संदेश अब तक नहीं आया? नेटवर्क जाँचें या नया कोड मँगाएँ।"
    case .delayed: "आपके संदेश में देर हो रही है। नेटवर्क जाँचें या नया कोड मँगाएँ।"
    case .delivered: "आपके फ़ोन पर पहुँच गया।"
    case .failed: "आपका संदेश नहीं पहुँच सका। नंबर जाँचें या नया कोड मँगाएँ।"
    case .failedOnAccount:
      "आपका संदेश नहीं पहुँच सका। नया कोड मँगाएँ, या नंबर ठीक करवाएँ।"
    case .callInstead: "इसके बजाय कॉल पाएँ"
    case .calling: "आपको कॉल किया जा रहा है…"
    case .calledTo: "{destination} पर एक कॉल आपको कोड बताएगी"
    case .called: "एक कॉल आपको कोड बताएगी।"
    case .callOverdue: "कॉल अब तक नहीं आई? नेटवर्क जाँचें या नया कोड मँगाएँ।"
    case .callDelivered: "आपकी कॉल का जवाब दिया गया।"
    case .callFailed: "कॉल आप तक नहीं पहुँची। नया कोड मँगाएँ।"
    }
  }

  private var norwegian: String {
    switch self {
    case .sending: "Sender koden…"
    case .sent: "Koden er på vei."
    case .overdue: "Ingen melding ennå? Sjekk dekningen, eller be om en ny kode."
    case .delayed: "Meldingen er forsinket. Sjekk dekningen, eller be om en ny kode."
    case .delivered: "Levert til telefonen din."
    case .failed: "Meldingen kunne ikke leveres. Sjekk nummeret, eller be om en ny kode."
    case .failedOnAccount:
      "Meldingen kunne ikke leveres. Be om en ny kode, eller få nummeret rettet."
    case .callInstead: "Bli oppringt i stedet"
    case .calling: "Ringer deg…"
    case .calledTo: "Du blir oppringt på {destination} og får koden opplest"
    case .called: "Du blir oppringt og får koden opplest."
    case .callOverdue: "Ingen samtale ennå? Sjekk dekningen, eller be om en ny kode."
    case .callDelivered: "Samtalen ble besvart."
    case .callFailed: "Samtalen nådde deg ikke. Be om en ny kode."
    }
  }
}

extension Speaker {
  func tell(_ sentence: DeliverySentence) -> String { sentence.text(in: format.reader.language) }

  /// What became of the message, and what can be done.
  func delivery(_ news: DeliveryNews) -> String {
    switch news.standing {
    case .sending, .sent:
      if news.isCall { tell(.calling) } else { tell(news.standing == .sent ? .sent : .sending) }
    case .overdue, .delayed:
      if news.isCall {
        tell(.callOverdue)
      } else {
        tell(news.standing == .delayed ? .delayed : .overdue)
      }
    case .delivered: tell(news.isCall ? .callDelivered : .delivered)
    case .failed:
      if news.isCall {
        tell(.callFailed)
      } else {
        tell(news.canChangeNumber ? .failed : .failedOnAccount)
      }
    }
  }

  func severity(of news: DeliveryNews) -> Severity {
    switch news.standing {
    case .sending, .sent: .neutral
    case .delivered: .success
    case .overdue, .delayed: .warning
    case .failed: .error
    }
  }
}
