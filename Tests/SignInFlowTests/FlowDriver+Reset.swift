import EngineTesting
import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

/// Steps to another password.
extension AppDriver {
  static var newPassword: String { "mossy stones & lichen" }

  var reset: PasswordResetForm? {
    if case .resettingPassword(let reset)? = signIn?.step { reset } else { nil }
  }

  var resetEntry: CodeStep? {
    if case .enteringCode(let code)? = reset?.step { code.entryAtRest } else { nil }
  }

  static func atReset() -> Self {
    var driver = typed()
    driver.press(.forgotPassword)
    return driver
  }

  static func askingToReset() -> Self {
    var driver = atReset()
    driver.press(.sendCode)
    return driver
  }

  mutating func sendResetCode(_ session: String = "reset-1") {
    answer(200, ResetAnswer(resetSession: Secret(session), challenge: prompt()).json)
  }

  static func atResetCode() -> Self {
    var driver = askingToReset()
    driver.sendResetCode()
    return driver
  }

  static func changingPassword() -> Self {
    var driver = atResetCode()
    driver.choosePassword()
    return driver
  }

  mutating func choosePassword() {
    handle(.page(.fieldEdited(.code, "123456")))
    handle(.page(.fieldEdited(.newPassword, Self.newPassword)))
    press(.verify)
  }

  static func resendingToReset() -> Self {
    var driver = atResetCode()
    driver.pass(seconds: 60)
    driver.press(.resend)
    return driver
  }

  static func lockedByReset() -> Self {
    var driver = changingPassword()
    driver.lockOut(minutes: 15)
    return driver
  }
}
