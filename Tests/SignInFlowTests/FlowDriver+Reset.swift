import JSONText
import SignInFlow
import SignInModel
import SignInWire

/// Steps to another password.
extension FlowDriver {
  static let newPassword = "mossy stones & lichen"

  var reset: PasswordReset? {
    if case .resettingPassword(let reset)? = signIn?.step { reset } else { nil }
  }

  var resetEntry: CodeEntry? {
    if case .enteringCode(let code)? = reset?.step { code.entryAtRest } else { nil }
  }

  static func atReset() -> FlowDriver {
    var driver = typed()
    driver.press(.forgotPassword)
    return driver
  }

  static func askingToReset() -> FlowDriver {
    var driver = atReset()
    driver.press(.sendCode)
    return driver
  }

  mutating func sendResetCode(_ session: String = "reset-1") {
    answer(200, ResetAnswer(resetSession: Secret(session), challenge: prompt()).json)
  }

  static func atResetCode() -> FlowDriver {
    var driver = askingToReset()
    driver.sendResetCode()
    return driver
  }

  static func changingPassword() -> FlowDriver {
    var driver = atResetCode()
    driver.choosePassword()
    return driver
  }

  mutating func choosePassword() {
    happen(.page(.fieldEdited(.code, "123456")))
    happen(.page(.fieldEdited(.newPassword, Self.newPassword)))
    press(.verify)
  }

  static func resendingToReset() -> FlowDriver {
    var driver = atResetCode()
    driver.pass(seconds: 60)
    driver.press(.resend)
    return driver
  }

  static func lockedByReset() -> FlowDriver {
    var driver = changingPassword()
    driver.lock(minutes: 15)
    return driver
  }
}
