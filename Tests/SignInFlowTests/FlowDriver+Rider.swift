import EngineTesting
import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import SignInWire

extension AppDriver {
  var rider: RiderSignIn? {
    if case .riderSignedOut(let form) = flow.stage { form as? RiderSignIn } else { nil }
  }

  var riderEntry: CodeStep? {
    if case .enteringCode(let code)? = rider?.step { code.entryAtRest } else { nil }
  }

  /// Answers the request for the country to fill in.
  ///
  /// `id` is the request.
  mutating func answerAboutApp(_ id: RequestID, country: String) {
    let entry = AppEntry(
      id: "rider-app", name: "Riders", defaultCountry: country, providers: [],
      findsProviderByEmail: false)
    handle(.answered(id, .received(status: 200, body: entry.json, serverSeconds: nil)))
  }

  mutating func askForCode() {
    press(.sendCode)
    handle(.signIn(.verifierMade(verifier: Secret("verifier"), challenge: "challenge")))
  }
}

typealias RiderDriver = AppDriver<DashboardHome>

/// Steps of a rider through the app.
extension RiderDriver {
  var dashboard: FetchedValue<DashboardAnswer>? { signedIn?.home.answer.fetched }

  static func riderAtNumber() -> RiderDriver {
    var driver = RiderDriver()
    driver.handle(.started(utcOffsetSeconds: 19_800, app: .rider))
    driver.handle(.storage(.read(.absent)))
    return driver
  }

  static func riderTyped(_ number: String = "98123 45678") -> RiderDriver {
    var driver = riderAtNumber()
    driver.handle(.page(.fieldEdited(.phone, number)))
    return driver
  }

  static func riderSending() -> RiderDriver {
    var driver = riderTyped()
    driver.askForCode()
    return driver
  }

  static func riderAtCode() -> RiderDriver {
    var driver = riderSending()
    driver.sendCode()
    return driver
  }

  static func riderChecking() -> RiderDriver {
    var driver = riderAtCode()
    driver.handle(.page(.fieldEdited(.code, "123456")))
    return driver
  }

  static func riderResending() -> RiderDriver {
    var driver = riderAtCode()
    driver.pass(seconds: 60)
    driver.press(.resend)
    return driver
  }

  static func riderRedeeming() -> RiderDriver {
    var driver = riderChecking()
    driver.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    return driver
  }

  static func riderSignedIn() -> RiderDriver {
    var driver = riderRedeeming()
    driver.answer(200, tokens(1, expiresIn: 300).json)
    return driver
  }

  static func riderLocked() -> RiderDriver {
    var driver = riderSending()
    driver.lockOut(minutes: 15)
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
