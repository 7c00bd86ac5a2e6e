import JSONText
import SignInFlow
import SignInModel
import SignInWire

/// Steps to another password.
extension Walk {
  static let newPassword = "mossy stones & lichen"

  var reset: PasswordReset? {
    if case .resettingPassword(let reset)? = signIn?.step { reset } else { nil }
  }

  var resetEntry: CodeEntry? {
    if case .enteringCode(let code)? = reset?.step { code.entryAtRest } else { nil }
  }

  static func atReset() -> Walk {
    var walk = typed()
    walk.press(.forgotPassword)
    return walk
  }

  static func askingToReset() -> Walk {
    var walk = atReset()
    walk.press(.sendCode)
    return walk
  }

  mutating func sendResetCode(_ session: String = "reset-1") {
    answer(200, ResetAnswer(resetSession: Secret(session), challenge: prompt()).json)
  }

  static func atResetCode() -> Walk {
    var walk = askingToReset()
    walk.sendResetCode()
    return walk
  }

  static func changingPassword() -> Walk {
    var walk = atResetCode()
    walk.choosePassword()
    return walk
  }

  mutating func choosePassword() {
    happen(.fieldEdited(.code, "123456"))
    happen(.fieldEdited(.newPassword, Self.newPassword))
    press(.verify)
  }

  static func resendingToReset() -> Walk {
    var walk = atResetCode()
    walk.pass(seconds: 60)
    walk.press(.resend)
    return walk
  }

  static func lockedByReset() -> Walk {
    var walk = changingPassword()
    walk.lock(minutes: 15)
    return walk
  }
}
