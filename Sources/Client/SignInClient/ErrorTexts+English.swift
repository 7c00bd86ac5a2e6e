import Foundation

extension SignInError {
  var english: String {
    switch self {
    case .invalidCredentials: "Invalid email or password."
    case .emailMalformed: "The email address is not complete."
    case .phoneMalformed: "The mobile number is not complete."
    case .nameMalformed: "The name must have 1 to 100 characters."
    case .wrongCode(let left): "The code is incorrect. Attempts left: \(left)."
    case .codeExpired: "Your code expired."
    case .codeSuperseded: "This is an earlier code. A newer code is on its way."
    case .codeIncomplete(let digits): "The code must have \(digits) digits."
    case .notRegistered: "No account has these details."
    case .accountDeactivated: "Your account has been deactivated."
    case .lockedOut: "Your account is temporarily locked."
    case .signsInElsewhere: "This account uses its organization's sign-in."
    case .provider(let fault): fault.english
    case .resendTooSoon: "We have just sent you a code."
    case .rateLimited: "Too many attempts."
    case .deliveryFailed: "We could not send the code."
    case .signInExpired: "Your sign-in expired."
    case .passwordChangeUnconfirmed: "We got no answer, so your password may have changed."
    case .notSignedIn: "You are not signed in."
    case .appLocked: "The app is locked."
    case .storageUnavailable: "The session saved on this device cannot be read now."
    case .sessionExpired: "Your session has ended."
    case .sessionEndedElsewhere:
      "Your session was ended from another device or by an administrator."
    case .passwordChangedElsewhere: "Your password was changed."
    case .sessionUnsafe: "We ended your session to protect your account."
    case .sessionDamaged: "The session saved on this device is damaged."
    case .appLockChanged: "The fingerprint or face on this device has changed."
    case .unlockCancelled: "The app is still locked."
    case .unlockBusy: "Your device could not verify you."
    case .noConnection: "No internet connection."
    case .serviceUnreachable: "The service cannot be reached."
    case .noAnswerInTime: "The service did not answer in time."
    case .serviceBusy: "The service is busy."
    case .serverFault: "Something went wrong on our side."
    case .addressNotAllowed: "This address is not allowed. It must start with https://."
    case .requestMalformed: "The request is not valid."
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
    case "registration_closed": "Sign-up is closed."
    case "country_not_supported": "Numbers from this country are not supported."
    case "not_a_member": "You do not belong to that organization."
    case "insufficient_scope": "This app does not have permission to do this."
    default: "The service did not accept the request: \(code)."
    }
  }
}

extension ErrorSuggestion {
  func english(_ time: (Date) -> String) -> String {
    switch self {
    case .tryAgain: "Please try again."
    case .tryAgainAt(let moment): "Please try again at \(time(moment))."
    case .correctEntry: "Please check your entry."
    case .chooseAnother: "Please choose another password."
    case .requestCode: "Please request a new code."
    case .signInAgain: "Please sign in again."
    case .unlock: "Please unlock the app."
    case .usePassword: "Please sign in with your password."
    case .unlockAgain: "Please try again, or sign in instead."
    case .checkConnection: "Please check your connection and try again."
    case .contactAdministrator: "Please contact your administrator."
    }
  }
}
