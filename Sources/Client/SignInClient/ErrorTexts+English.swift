import Foundation

extension SignInError {
  var english: String {
    switch self {
    case .invalidCredentials: "Invalid email or password."
    case .emailMalformed: "The email address is not complete."
    case .phoneMalformed: "The mobile number is not complete."
    case .nameMalformed: "A name has one line and at most 100 characters."
    case .wrongCode(let left): "The code is wrong. Attempts left: \(left)."
    case .codeExpired: "This code has expired."
    case .codeIncomplete(let digits): "The code has \(digits) digits."
    case .notRegistered: "There is no account with these details."
    case .accountDeactivated: "Your account has been deactivated."
    case .lockedOut: "Your account is locked for some time."
    case .signsInElsewhere: "This account signs in through its organization."
    case .resendTooSoon: "A code was sent a moment ago."
    case .rateLimited: "There were too many attempts."
    case .deliveryFailed: "The code could not be sent."
    case .signInExpired: "This took too long."
    case .passwordChangeUnconfirmed: "No answer came. Your password may have changed already."
    case .sessionExpired: "Your session has ended."
    case .sessionEndedElsewhere:
      "Your session was ended from another device or by an administrator."
    case .passwordChangedElsewhere: "Your password was changed."
    case .sessionUnsafe: "Your session was ended to keep your account safe."
    case .sessionDamaged: "The session stored on this device is damaged."
    case .lockChanged: "The fingerprint or face of this device has changed."
    case .unlockCancelled: "The app is still locked."
    case .unlockBusy: "Your device could not check just now."
    case .noConnection: "There is no internet connection."
    case .serviceUnreachable: "The service cannot be reached."
    case .noAnswerInTime: "The service did not answer in time."
    case .serviceBusy: "The service is busy."
    case .serverFault: "Something went wrong on our side."
    case .addressNotAllowed: "This address is not allowed: it must begin with https://."
    case .requestMalformed: "The request cannot be sent."
    case .notPossibleNow: "This is not possible now."
    case .cancelled: "The request was cancelled."
    case .refused(let code): Self.english(code)
    }
  }

  private static func english(_ code: String) -> String {
    switch code {
    case "password_too_short": "The password is too short."
    case "password_too_long": "The password is too long."
    case "password_too_common": "The password is too easy to guess."
    case "reset_by_administrator": "Only your administrator can reset this password."
    case "registration_closed": "This app takes no registrations."
    case "country_not_supported": "Numbers of this country are not supported."
    case "not_a_member": "You do not belong to that organization."
    case "insufficient_scope": "This app may not do that."
    default: "The service refused this: \(code)."
    }
  }
}

extension ErrorSuggestion {
  func english(_ time: (Date) -> String) -> String {
    switch self {
    case .tryAgain: "Please try again."
    case .tryAgainAt(let moment): "Please try again at \(time(moment))."
    case .correctEntry: "Please check what you entered."
    case .chooseAnother: "Please choose another password."
    case .requestCode: "Please request a new code."
    case .signInAgain: "Please sign in again."
    case .unlockAgain: "Try again, or sign in instead."
    case .checkConnection: "Please check your connection and try again."
    case .contactAdministrator: "Please contact your administrator."
    }
  }
}
