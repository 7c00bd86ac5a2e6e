import JSONText
import SignInFlow
import SignInModel
import SignInWire
import Testing

@testable import SignInScreens

@Suite struct RiderScreenTests {
  @Test("R-07 +91 is filled in for the number, and Send OTP is disabled without a number")
  func number() {
    var stage = Stage.rider()
    guard case .phone(let country, let picker, nil)? = stage.field(.phone)?.kind else {
      Issue.record("no number field")
      return
    }
    #expect(country.callingCode == "+91")
    let offered = picker.json["countries"]?.text?.split(separator: " ") ?? []
    #expect(offered.count == Country.all.count)
    #expect(offered.contains("IN+91"))
    #expect(stage.button(.sendCode)?.isEnabled == false)
    #expect(stage.button(.sendCode)?.label == "Send OTP")

    stage.happen(.fieldEdited(.phone, "98123"))
    stage.press(.sendCode)

    #expect(stage.field(.phone)?.error == "Enter all 10 digits of your mobile number.")
    #expect(stage.spoken.first?.text == stage.field(.phone)?.error)
    #expect(stage.spoken.first?.politeness == .assertive)
    #expect(stage.screen.focus?.part == "phone")
  }

  @Test("R-07 the code field is enabled and focused below a number that can be changed")
  func code() {
    var stage = Stage.riderSending()
    #expect(stage.button(.sendCode)?.isBusy == true)
    #expect(stage.field(.phone)?.isEnabled == false)

    stage.sendRiderCode()

    #expect(stage.screen.id == "rider")
    #expect(stage.field(.code)?.isEnabled == true)
    #expect(stage.screen.focus?.part == "code")
    #expect(stage.field(.phone)?.value == "9812345678")
    guard case .phone(_, _, let change)? = stage.field(.phone)?.kind else { return }
    #expect(change?.label == "Change")
    #expect(stage.text("lead") == "An OTP has been sent to ***-***-5678")
    #expect(stage.button(.resend)?.isEnabled == false)
    #expect(stage.button(.resend)?.reason == "in 1:00")
    stage.pass(seconds: 60)
    #expect(stage.button(.resend)?.isEnabled == true)
  }

  @Test("R-02 the exact sentence for a number that is not registered")
  func notRegistered() {
    var stage = Stage.riderSending()

    stage.refuse(ErrorAnswer(.accountNotRegistered))

    #expect(
      stage.banner?.text
        == "This mobile number is not registered. Please sign up or use a registered number.")
    #expect(stage.banner?.severity == .error)
    #expect(stage.spoken.first?.politeness == .assertive)
  }

  @Test("R-03 and R-06 a wrong code and an expired one have different sentences")
  func refusedCodes() {
    var stage = Stage.riderSending()
    stage.sendRiderCode()
    stage.verifyRiderCode(.invalidOTP)
    #expect(stage.field(.code)?.error == "Invalid OTP. Please try again.")
    #expect(stage.field(.code)?.value == "")
    #expect(stage.spoken.first?.text == "Invalid OTP. Please try again.")

    stage.verifyRiderCode(.otpExpired)
    #expect(stage.field(.code)?.error == "OTP has expired. Please request a new one.")
    #expect(stage.spoken.first?.text == "OTP has expired. Please request a new one.")
    #expect(stage.spoken.first?.politeness == .assertive)
  }

  @Test("R-04 the lockout has the rider's text, with the true minutes")
  func locked() {
    var stage = Stage.riderSending()
    var error = ErrorAnswer(.accountLocked)
    error.lockedUntil = stage.time.adding(seconds: 900)
    stage.refuse(error)

    #expect(
      stage.text("lock")
        == "Account temporarily locked due to too many failed attempts. "
        + "Please try again in 15 minutes.")
    #expect(stage.spoken.first?.text == stage.text("lock"))
    stage.pass(seconds: 841)
    #expect(stage.text("lock")?.hasSuffix("in 1 minute.") == true)
  }

  @Test("R-05 the seconds to wait are correct and count down")
  func tooSoon() {
    var stage = Stage.riderSending()
    var error = ErrorAnswer(.resendTooSoon)
    error.retryIn = 45
    stage.refuse(error)

    #expect(stage.banner?.text == "Please wait 45 seconds before requesting a new OTP.")
    stage.pass(seconds: 44)
    #expect(stage.banner?.text == "Please wait 1 second before requesting a new OTP.")
  }

  @Test("R-01 the dashboard shows the day's numbers and each delivery with its badge")
  func dashboard() {
    let stage = Stage.dashboard()

    #expect(stage.screen.id == "dashboard")
    #expect(stage.screen.header?.place == "Dashboard")
    #expect(stage.sections.first?.rows.first?.title == "Anita Rao")
    #expect(stage.sections.first?.rows.first?.badge.text == "Picked up")
    #expect(stage.sections.first?.rows.first?.lines.last?.text == "2 parcels")
    let figures = stage.screen.parts.compactMap { part in
      if case .figures(_, _, let figures) = part { figures.map(\.value) } else { nil }
    }
    #expect(figures == [["3", "1", "0", "4"]])
  }
}

extension Stage {
  static func rider() -> Stage {
    var stage = Stage()
    stage.happen(.started(utcOffsetSeconds: 0, app: .rider))
    stage.happen(.storageRead(.absent))
    return stage
  }

  static func riderSending() -> Stage {
    var stage = rider()
    stage.happen(.fieldEdited(.phone, "9812345678"))
    stage.press(.sendCode)
    stage.happen(.verifierMade(verifier: Secret("v"), challenge: "c"))
    return stage
  }

  mutating func sendRiderCode() {
    var error = ErrorAnswer(.insufficientAuthorization)
    error.authSession = "s"
    error.challenge = CodePrompt(
      destination: "***-***-5678", digits: 6, expiresAt: time.adding(seconds: 300),
      resendAt: time.adding(seconds: 60), attemptsLeft: 5
    )
    refuse(error)
  }

  mutating func verifyRiderCode(_ code: ErrorCode) {
    happen(.fieldEdited(.code, "000000"))
    press(.verify)
    refuse(ErrorAnswer(code))
  }

  static func dashboard() -> Stage {
    var stage = riderSending()
    stage.sendRiderCode()
    stage.happen(.fieldEdited(.code, "123456"))
    stage.press(.verify)
    stage.answer(200, .members([JSONMember("authorization_code", "c")]))
    let terms = TokenAnswer.SessionTerms(
      id: SessionID("s"), expiresAt: noon.adding(seconds: 86400), idleTimeout: 3600,
      backgroundTimeout: 300, unlock: "none", organization: nil
    )
    let tokens = TokenAnswer(
      accessToken: Secret("a"), tokenType: "DPoP", expiresIn: 300, refreshToken: Secret("r"),
      idToken: nil, scope: "openid", session: terms
    )
    stage.answer(200, tokens.json)
    let dashboard = DashboardAnswer(
      day: noon, total: 4, delivered: 1, failed: 0, remaining: 3,
      deliveries: [
        .init(
          id: "d1", recipient: "Anita Rao", place: "14 MG Road", parcels: 2, startsAt: noon,
          endsAt: noon.adding(seconds: 3600), status: "picked_up")
      ])
    for effect in stage.effects {
      guard case .call(let id, let call) = effect, call.path == Endpoint.dashboard else {
        continue
      }
      stage.happen(
        .answered(id, .received(status: 200, body: dashboard.json, serverSeconds: nil)))
    }
    return stage
  }
}
