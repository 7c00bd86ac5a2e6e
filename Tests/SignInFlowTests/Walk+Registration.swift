import JSONText
import SignInFlow
import SignInModel

/// Steps of a rider to an account.
extension Walk {
  var registration: RiderRegistration? {
    if case .signingUp(let registration)? = rider?.step { registration } else { nil }
  }

  static func riderAtSignUp() -> Walk {
    var walk = riderTyped()
    walk.press(.signUp)
    walk.happen(.fieldEdited(.name, "Asha Rao"))
    return walk
  }

  static func riderRegistering() -> Walk {
    var walk = riderAtSignUp()
    walk.press(.register)
    return walk
  }

  static func riderRegistered() -> Walk {
    var walk = riderRegistering()
    walk.answer(202, .members([JSONMember("status", "pending")]))
    return walk
  }
}
