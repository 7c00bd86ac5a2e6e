import JSONText
import SignInFlow
import SignInModel
import SignInWire

/// Steps of a rider through the app.
extension FlowDriver {
  var rider: RiderSignIn? {
    if case .riderSignedOut(let signIn) = flow.stage { signIn } else { nil }
  }

  var riderEntry: CodeEntry? {
    if case .enteringCode(let code)? = rider?.step { code.entryAtRest } else { nil }
  }

  static func riderAtNumber() -> FlowDriver {
    var driver = FlowDriver()
    driver.happen(.started(utcOffsetSeconds: 19_800, app: .rider))
    driver.happen(.storage(.read(.absent)))
    return driver
  }

  /// Answers the request for the country to fill in.
  ///
  /// `id` is the request.
  mutating func answerAboutApp(_ id: RequestID, country: String) {
    let entry = AppEntry(
      id: "rider-app", name: "Riders", defaultCountry: country, providers: [],
      findsProviderByEmail: false)
    happen(.answered(id, .received(status: 200, body: entry.json, serverSeconds: nil)))
  }

  static func riderTyped(_ number: String = "98123 45678") -> FlowDriver {
    var driver = riderAtNumber()
    driver.happen(.page(.fieldEdited(.phone, number)))
    return driver
  }

  static func riderSending() -> FlowDriver {
    var driver = riderTyped()
    driver.askForCode()
    return driver
  }

  mutating func askForCode() {
    press(.sendCode)
    happen(.signIn(.verifierMade(verifier: Secret("verifier"), challenge: "challenge")))
  }

  static func riderAtCode() -> FlowDriver {
    var driver = riderSending()
    driver.sendCode()
    return driver
  }

  static func riderChecking() -> FlowDriver {
    var driver = riderAtCode()
    driver.happen(.page(.fieldEdited(.code, "123456")))
    driver.press(.verify)
    return driver
  }

  static func riderResending() -> FlowDriver {
    var driver = riderAtCode()
    driver.pass(seconds: 60)
    driver.press(.resend)
    return driver
  }

  static func riderRedeeming() -> FlowDriver {
    var driver = riderChecking()
    driver.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    return driver
  }

  static func riderSignedIn() -> FlowDriver {
    var driver = riderRedeeming()
    driver.answer(200, tokens(1, expiresIn: 300).json)
    return driver
  }

  static func riderLocked() -> FlowDriver {
    var driver = riderSending()
    driver.lock(minutes: 15)
    return driver
  }

  var dashboardAnswer: DashboardAnswer {
    DashboardAnswer(
      day: serverNow, total: 1, delivered: 0, failed: 0, remaining: 1,
      deliveries: [
        .init(
          id: "d1", recipient: "Anita Rao", place: "14 MG Road", parcels: 2,
          startsAt: serverNow, endsAt: serverNow.adding(seconds: 3600), status: "assigned")
      ])
  }
}
