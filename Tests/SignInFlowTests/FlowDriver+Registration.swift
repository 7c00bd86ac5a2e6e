import JSONText
import SignInFlow
import SignInModel

/// Steps of a rider to an account.
extension FlowDriver {
  var registration: RiderRegistration? {
    if case .signingUp(let registration)? = rider?.step { registration } else { nil }
  }

  static func riderAtSignUp() -> FlowDriver {
    var driver = riderTyped()
    driver.press(.signUp)
    driver.happen(.page(.fieldEdited(.name, "Asha Rao")))
    return driver
  }

  static func riderRegistering() -> FlowDriver {
    var driver = riderAtSignUp()
    driver.press(.register)
    return driver
  }

  static func riderRegistered() -> FlowDriver {
    var driver = riderRegistering()
    driver.answer(202, .members([JSONMember("status", "pending")]))
    return driver
  }
}
