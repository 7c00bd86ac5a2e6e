import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import SignInTesting

/// Steps of a rider to an account.
extension RiderDriver {
  var registration: RiderRegistration? {
    if case .signingUp(let registration)? = rider?.step { registration } else { nil }
  }

  static func riderAtSignUp() -> RiderDriver {
    var driver = riderTyped()
    driver.press(.signUp)
    driver.handle(.page(.fieldEdited(.name, "Asha Rao")))
    return driver
  }

  static func riderRegistering() -> RiderDriver {
    var driver = riderAtSignUp()
    driver.press(.register)
    return driver
  }

  static func riderRegistered() -> RiderDriver {
    var driver = riderRegistering()
    driver.answer(202, .members([JSONMember("status", "pending")]))
    return driver
  }
}
