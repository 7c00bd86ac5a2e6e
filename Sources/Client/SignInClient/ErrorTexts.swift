import Foundation
import SignInEngine

/// The texts of an error for the person, in one language.
struct ErrorTexts {
  let description: String
  let suggestion: String?
}

/// What the person can do about an error.
enum ErrorSuggestion: Equatable {
  case tryAgain
  case tryAgainAt(Date)
  case correctEntry
  case chooseAnother
  case requestCode
  case signInAgain
  case unlock
  case unlockAgain
  case usePassword
  case checkConnection
  case contactAdministrator
}

extension Language {
  /// The first of the person's languages for which there are texts.
  static var preferred: Language { LocalePreferences(listed: Locale.preferredLanguages).language }

  fileprivate func time(_ moment: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: rawValue)
    formatter.dateStyle = .none
    formatter.timeStyle = .short
    return formatter.string(from: moment)
  }
}

extension SignInError {
  func texts(in language: Language) -> ErrorTexts {
    let (description, suggestion): (String, String?) =
      switch language {
      case .english: (english, self.suggestion.map { $0.english { language.time($0) } })
      case .hindi: (hindi, self.suggestion.map { $0.hindi { language.time($0) } })
      case .norwegian: (norwegian, self.suggestion.map { $0.norwegian { language.time($0) } })
      }
    return ErrorTexts(description: description, suggestion: suggestion)
  }

  /// `nil` if only the app's developer can do something.
  var suggestion: ErrorSuggestion? {
    switch self {
    case .invalidCredentials, .emailMalformed, .phoneMalformed, .nameMalformed, .wrongCode,
      .codeIncomplete, .codeSuperseded, .notRegistered:
      .correctEntry
    case .codeExpired: .requestCode
    case .accountDeactivated, .signsInElsewhere: .contactAdministrator
    case .provider(let fault): fault.suggestion
    case .lockedOut(let until), .resendTooSoon(let until), .rateLimited(let until),
      .deliveryFailed(let until):
      .tryAgainAt(until)
    case .signInExpired, .passwordChangeUnconfirmed, .sessionExpired, .sessionEndedElsewhere,
      .passwordChangedElsewhere, .sessionUnsafe, .sessionDamaged, .appLockChanged, .notSignedIn:
      .signInAgain
    case .appLocked: .unlock
    case .unlockCancelled, .unlockBusy: .unlockAgain
    case .noConnection: .checkConnection
    case .serviceUnreachable, .noAnswerInTime, .serviceBusy, .serverFault, .storageUnavailable:
      .tryAgain
    case .refused(let code):
      switch code {
      case "password_too_short", "password_too_long", "password_too_common": .chooseAnother
      case "reset_by_administrator", "registration_closed", "not_a_member", "insufficient_scope",
        "country_not_supported":
        .contactAdministrator
      default: .tryAgain
      }
    case .addressNotAllowed, .requestMalformed, .notPossibleNow, .cancelled: nil
    }
  }
}
