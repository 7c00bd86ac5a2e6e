import EngineTesting
import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

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

  static func riderAtRegistrationCode() -> RiderDriver {
    var driver = riderRegistering()
    let sent = RegistrationAnswer.codeSent(session: Secret("session-1"), driver.prompt())
    driver.answer(202, sent.json)
    return driver
  }

  static func riderProvingNumber() -> RiderDriver {
    var driver = riderAtRegistrationCode()
    driver.handle(.page(.fieldEdited(.code, "123456")))
    return driver
  }

  static func riderApproved() -> RiderDriver {
    var driver = riderProvingNumber()
    driver.answer(200, .members([JSONMember("status", "active")]))
    return driver
  }
}
