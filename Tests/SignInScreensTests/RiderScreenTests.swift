import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import Testing

@testable import SignInScreens
@testable import SignInWire

@Suite struct RiderScreenTests {
  @Test("R-07 +91 is filled in for the number, and Send OTP is disabled without a number")
  func number() {
    var driver = RiderScreenDriver.rider()
    guard case .phone(let country, let picker, nil)? = driver.field(.phone)?.kind else {
      Issue.record("no number field")
      return
    }
    #expect(country.callingCode == "+91")
    let offered = picker.json["countries"]?.text?.split(separator: " ") ?? []
    #expect(offered.count == Country.all.count)
    #expect(offered.contains("IN+91"))
    #expect(driver.button(.sendCode)?.isEnabled == false)
    #expect(driver.button(.sendCode)?.label == "Send OTP")

    driver.handle(.page(.fieldEdited(.phone, "98123")))
    driver.press(.sendCode)

    #expect(driver.field(.phone)?.error == "Enter all 10 digits of your mobile number.")
    #expect(driver.spoken.first?.text == driver.field(.phone)?.error)
    #expect(driver.spoken.first?.politeness == .assertive)
    #expect(driver.screen.focus?.part == "phone")
  }

  @Test("R-07 the code field is enabled and focused below a number that can be changed")
  func code() {
    var driver = RiderScreenDriver.riderSending()
    #expect(driver.button(.sendCode)?.isBusy == true)
    #expect(driver.field(.phone)?.isEnabled == false)

    driver.sendRiderCode()

    #expect(driver.screen.id == "rider")
    #expect(driver.field(.code)?.isEnabled == true)
    #expect(driver.screen.focus?.part == "code")
    #expect(driver.field(.phone)?.value == "9812345678")
    guard case .phone(_, _, let change)? = driver.field(.phone)?.kind else { return }
    #expect(change?.label == "Change")
    #expect(driver.text("lead") == "An OTP has been sent to ***-***-5678")
    #expect(driver.button(.resend)?.isEnabled == false)
    #expect(driver.button(.resend)?.reason == "in 1:00")
    driver.pass(seconds: 60)
    #expect(driver.button(.resend)?.isEnabled == true)
  }

  @Test("R-02 the exact sentence for a number that is not registered")
  func notRegistered() {
    var driver = RiderScreenDriver.riderSending()

    driver.refuse(Refusal(.accountNotRegistered))

    #expect(
      driver.banner?.text
        == "This mobile number is not registered. Please sign up or use a registered number.")
    #expect(driver.banner?.severity == .error)
    #expect(driver.spoken.first?.politeness == .assertive)
  }

  @Test("R-03 and R-06 a wrong code and an expired one have different sentences")
  func refusedCodes() {
    var driver = RiderScreenDriver.riderSending()
    driver.sendRiderCode()
    driver.verifyRiderCode(.invalidOTP)
    #expect(driver.field(.code)?.error == "Invalid OTP. Please try again.")
    #expect(driver.field(.code)?.value == "")
    #expect(driver.spoken.first?.text == "Invalid OTP. Please try again.")

    driver.verifyRiderCode(.otpExpired)
    #expect(driver.field(.code)?.error == "OTP has expired. Please request a new one.")
    #expect(driver.spoken.first?.text == "OTP has expired. Please request a new one.")
    #expect(driver.spoken.first?.politeness == .assertive)
  }

  @Test("R-06 an earlier code has its own sentence, which does not ask to request another one")
  func supersededCode() throws {
    var driver = RiderScreenDriver.riderSending()
    driver.sendRiderCode()
    for (superseded, sentence) in [
      (.byNewerCode, "This is an earlier code. A newer code is on its way. Enter that one."),
      (
        .byAnotherDevice,
        "Your code no longer works, because another device requested one. "
          + "Select “Resend OTP” for a new one."
      ),
    ] as [(SupersededCode, String)] {
      driver.verifyRiderCode(.otpExpired) {
        $0.superseded = superseded
        $0.reason = superseded == .byNewerCode ? nil : SupersededCode.anotherDevice
      }

      #expect(driver.field(.code)?.error == sentence)
      #expect(driver.field(.code)?.isEnabled == true)
      #expect(driver.spoken.first?.text == sentence)
      #expect(driver.button(.resend)?.isEnabled == false)
    }
  }

  @Test("R-04 the lockout has the rider's text, with the true minutes")
  func locked() {
    var driver = RiderScreenDriver.riderSending()
    var error = Refusal(.accountLocked)
    error.lockedUntil = driver.time.adding(seconds: 900)
    driver.refuse(error)

    #expect(
      driver.text("lock")
        == "Account temporarily locked due to too many failed attempts. "
        + "Please try again in 15 minutes.")
    #expect(driver.spoken.first?.text == driver.text("lock"))
    driver.pass(seconds: 841)
    #expect(driver.text("lock")?.hasSuffix("in 1 minute.") == true)
  }

  @Test("R-05 the seconds to wait are correct and count down")
  func tooSoon() {
    var driver = RiderScreenDriver.riderSending()
    var error = Refusal(.resendTooSoon)
    error.retryIn = 45
    driver.refuse(error)

    #expect(driver.banner?.text == "Please wait 45 seconds before requesting a new OTP.")
    driver.pass(seconds: 44)
    #expect(driver.banner?.text == "Please wait 1 second before requesting a new OTP.")
  }

  @Test("R-01 the dashboard shows the day's numbers and each delivery with its badge")
  func dashboard() {
    let driver = RiderScreenDriver.dashboard()

    #expect(driver.screen.id == "dashboard")
    #expect(driver.screen.header?.place == "Dashboard")
    #expect(driver.sections.first?.rows.first?.title == "Anita Rao")
    #expect(driver.sections.first?.rows.first?.badge.text == "Picked up")
    #expect(driver.sections.first?.rows.first?.lines.last?.text == "2 parcels")
    let figures = driver.parts.compactMap { part in
      if case .figures(_, _, let figures) = part { figures.map(\.value) } else { nil }
    }
    #expect(figures == [["3", "1", "0", "4"]])
  }

  @Test("R-01 the next delivery is on top, and the finished ones are folded with their count")
  func nextDelivery() {
    func ids(_ driver: RiderScreenDriver) -> [[String]] {
      driver.sections.map { $0.rows.map(\.id) }
    }
    let statuses = ["delivered", "failed", "picked_up", "assigned", "returned"]
    var driver = RiderScreenDriver.dashboard(statuses)
    #expect(driver.sections.map(\.isNext) == [true, false, false])
    let titles = driver.sections.map(\.title.plain)
    #expect(titles == ["Next delivery", "Today's deliveries", "Finished (2)"])
    #expect(ids(driver) == [["d3"], ["d4", "d5"], []])

    driver.press(.toggleFold)
    #expect(ids(driver) == [["d3"], ["d4", "d5"], ["d2", "d1"]])
    #expect(driver.screen.path == "?finished=true")
  }

  @Test("R-01 the day says when no other delivery is left, and when none is left")
  func lastDelivery() {
    let last = RiderScreenDriver.dashboard(["assigned"])
    #expect(last.sections.map(\.emptyText) == ["", "No other deliveries today."])
    let none = RiderScreenDriver.dashboard(["delivered"])
    #expect(none.sections.map(\.emptyText) == ["Today's deliveries are finished.", ""])
    #expect(none.sections.map(\.isNext) == [false, false])
  }
}

extension RiderScreenDriver {
  static func rider() -> RiderScreenDriver {
    var driver = RiderScreenDriver()
    driver.handle(.started(utcOffsetSeconds: 0, app: .rider))
    driver.handle(.storage(.read(.absent)))
    return driver
  }

  static func riderSending() -> RiderScreenDriver {
    var driver = rider()
    driver.handle(.page(.fieldEdited(.phone, "9812345678")))
    driver.press(.sendCode)
    driver.handle(.signIn(.verifierMade(verifier: Secret("v"), challenge: "c")))
    return driver
  }

  mutating func sendRiderCode() {
    var error = Refusal(.insufficientAuthorization)
    error.authSession = Secret("s")
    error.challenge = CodePrompt(
      destination: "***-***-5678", digits: 6, expiresAt: time.adding(seconds: 300),
      resendAt: time.adding(seconds: 60), attemptsLeft: 5
    )
    refuse(error)
  }

  mutating func verifyRiderCode(_ code: ErrorCode, _ change: (inout Refusal) -> Void = { _ in }) {
    handle(.page(.fieldEdited(.code, "000000")))
    // After an error only the button submits.
    if button(.verify)?.isBusy == false { press(.verify) }
    var refusal = Refusal(code)
    change(&refusal)
    refuse(refusal)
  }

  /// One delivery in each hour, with these statuses.
  static func dashboard(_ statuses: [String] = ["picked_up"]) -> RiderScreenDriver {
    var driver = riderSending()
    driver.sendRiderCode()
    driver.handle(.page(.fieldEdited(.code, "123456")))
    driver.answer(200, .members([JSONMember("authorization_code", "c")]))
    let terms = TokenAnswer.SessionTerms(
      id: SessionID("s"), expiresAt: startTime.adding(seconds: 86400), idleTimeout: 3600,
      backgroundTimeout: 300, unlock: "none", organization: nil
    )
    let tokens = TokenAnswer(
      accessToken: Secret("a"), tokenType: "DPoP", expiresIn: 300, refreshToken: Secret("r"),
      idToken: nil, scope: "openid", session: terms
    )
    driver.answer(200, tokens.json)
    let dashboard = DashboardAnswer(
      day: startTime, total: 4, delivered: 1, failed: 0, remaining: 3,
      deliveries: statuses.indices.map { index in
        let start = startTime.adding(seconds: Int64(index) * 3600)
        return .init(
          id: "d\(index + 1)", recipient: "Anita Rao", place: "14 MG Road", parcels: 2,
          startsAt: start, endsAt: start.adding(seconds: 3600), status: statuses[index])
      })
    for effect in driver.effects {
      guard case .call(let id, let call) = effect, call.path == Endpoint.dashboard.path else {
        continue
      }
      driver.handle(
        .answered(id, .received(status: 200, body: dashboard.json, serverSeconds: nil)))
    }
    return driver
  }
}
