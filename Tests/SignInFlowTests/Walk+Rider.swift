import JSONText
import SignInFlow
import SignInModel
import SignInWire

/// Steps of a rider through the app.
extension Walk {
  var rider: RiderSignIn? {
    if case .riderSignedOut(let signIn) = flow.stage { signIn } else { nil }
  }

  var riderEntry: CodeEntry? {
    if case .enteringCode(let code)? = rider?.step { code.entryAtRest } else { nil }
  }

  static func riderAtNumber() -> Walk {
    var walk = Walk()
    walk.happen(.started(utcOffsetSeconds: 19_800, app: .rider))
    walk.happen(.storageRead(.absent))
    return walk
  }

  /// Answers the request for the country to fill in.
  ///
  /// `id` is the request.
  mutating func answerAboutApp(_ id: RequestID, country: String) {
    let body = JSON.members([JSONMember("default_country", country)])
    happen(.answered(id, .received(status: 200, body: body, serverSeconds: nil)))
  }

  static func riderTyped(_ number: String = "98123 45678") -> Walk {
    var walk = riderAtNumber()
    walk.happen(.fieldEdited(.phone, number))
    return walk
  }

  static func riderSending() -> Walk {
    var walk = riderTyped()
    walk.askForCode()
    return walk
  }

  mutating func askForCode() {
    press(.sendCode)
    happen(.verifierMade(verifier: Secret("verifier"), challenge: "challenge"))
  }

  static func riderAtCode() -> Walk {
    var walk = riderSending()
    walk.sendCode()
    return walk
  }

  static func riderChecking() -> Walk {
    var walk = riderAtCode()
    walk.happen(.fieldEdited(.code, "123456"))
    walk.press(.verify)
    return walk
  }

  static func riderResending() -> Walk {
    var walk = riderAtCode()
    walk.pass(seconds: 60)
    walk.press(.resend)
    return walk
  }

  static func riderRedeeming() -> Walk {
    var walk = riderChecking()
    walk.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    return walk
  }

  static func riderSignedIn() -> Walk {
    var walk = riderRedeeming()
    walk.answer(200, tokens(1, expiresIn: 300).json)
    return walk
  }

  static func riderLocked() -> Walk {
    var walk = riderSending()
    walk.lock(minutes: 15)
    return walk
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
