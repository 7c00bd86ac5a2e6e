import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite struct RiderRegistrationTests {
  @Test("R-11 a number that is not registered leads to Sign up, and on to waiting for approval")
  func wholeWay() throws {
    var driver = RiderDriver.riderSending()
    driver.refuse(.accountNotRegistered)
    driver.press(.signUp)
    #expect(driver.registration?.number.text == "98123 45678")
    #expect(driver.focus == .name)

    driver.handle(.page(.fieldEdited(.name, " Asha Rao ")))
    driver.press(.register)
    let call = try #require(driver.lastCall).call
    #expect(call.path == "/accounts")
    #expect(call.form?["client_id"] == "rider-app")
    #expect(call.form?["phone_number"] == "+919812345678")
    #expect(call.form?["name"] == "Asha Rao")

    driver = .riderRegistered()
    #expect(driver.registration?.step == .sent)
    #expect(driver.focus == .heading)
    #expect(driver.announcements == [.registered(number: "+91 9812345678")])

    driver.press(.back)
    #expect(driver.rider?.step == .enteringNumber)
    #expect(driver.rider?.number.text == "98123 45678")
    #expect(driver.focus == .phone)
  }

  @Test("R-11 a rider who signed up is known at the next start, until the first sign-in")
  func waiting() {
    var driver = RiderDriver.riderRegistered()
    #expect(driver.effects.contains(.saveUsername(Secret("+919812345678"))))
    driver.press(.back)
    #expect(driver.rider?.isSignedUp == true)
    driver.handle(.page(.fieldEdited(.phone, "98123 45679")))
    #expect(driver.rider?.isSignedUp == false)

    driver = RiderDriver()
    driver.handle(.started(utcOffsetSeconds: 19_800, app: .rider))
    driver.handle(.storage(.read(.absent, username: Secret("+919812345678"))))
    #expect(driver.rider?.isSignedUp == true)
    driver.askForCode()
    driver.refuse(.accountNotRegistered)
    #expect(driver.rider?.isSignedUp == true && driver.rider?.notice == .notRegistered)

    driver.askForCode()
    driver.sendCode()
    driver.handle(.page(.fieldEdited(.code, "123456")))
    driver.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    driver.answer(200, RiderDriver.tokens(1, expiresIn: 300).json)
    #expect(driver.signedIn != nil && driver.effects.contains(.saveUsername(nil)))
  }

  @Test("R-11 where a code proves the number, it is entered, and its answer says what follows")
  func code() throws {
    for (status, step) in [("pending", RiderRegistration.Step.sent), ("active", .approved)] {
      var driver = RiderDriver.riderAtRegistrationCode()
      #expect(driver.focus == .code)

      driver.handle(.page(.fieldEdited(.code, "123456")))
      let call = try #require(driver.lastCall).call
      #expect(call.path == "/accounts/verify")
      #expect(call.form?["registration_session"] == "session-1" && call.form?["otp"] == "123456")
      driver.answer(200, .members([JSONMember("status", status)]))

      #expect(driver.registration?.step == step)
      driver.press(.back)
      #expect(driver.rider?.step == .enteringNumber)
      #expect(driver.rider?.isSignedUp == (status == "pending"))
    }
  }

  @Test("R-11 a wrong code of a registration can be corrected, and Back leads to the details")
  func wrongCode() {
    var driver = RiderDriver.riderAtRegistrationCode()
    driver.handle(.page(.fieldEdited(.code, "000000")))
    driver.refuse(.invalidOTP) { $0.attemptsLeft = 4 }
    guard case .enteringCode(let code)? = driver.registration?.step else {
      Issue.record("the code cannot be corrected")
      return
    }
    #expect(code.fault == .refused(attemptsLeft: nil))

    driver.press(.back)
    #expect(driver.registration?.step == .enteringDetails)
    #expect(driver.registration?.name == "Asha Rao")
  }

  @Test("R-11 a person whose number is approved at once is not said to wait at the next start")
  func approvedAtOnce() {
    var driver = RiderDriver.riderRegistered()
    driver.press(.back)
    driver.press(.signUp)
    driver.handle(.page(.fieldEdited(.name, "Asha Rao")))
    driver.press(.register)
    let sent = RegistrationAnswer.codeSent(session: Secret("session-1"), driver.prompt())
    driver.answer(202, sent.json)
    driver.handle(.page(.fieldEdited(.code, "123456")))
    driver.answer(200, .members([JSONMember("status", "active")]))
    #expect(driver.effects.contains(.saveUsername(nil)))
    #expect(!RiderDriver.riderApproved().effects.contains(.saveUsername(Secret("+919812345678"))))
  }

  @Test("R-11 an expired registration says that its code expired, and keeps the details")
  func expired() {
    var driver = RiderDriver.riderProvingNumber()
    driver.refuse(.invalidSession)
    #expect(driver.registration?.step == .enteringDetails)
    #expect(driver.registration?.notice == .resetExpired)
    #expect(driver.registration?.name == "Asha Rao")
  }

  @Test("R-11 a person whose account waits reads so at the sign-in")
  func pending() {
    var driver = RiderDriver.riderSending()
    driver.refuse(.accountPending)
    #expect(driver.rider?.notice == .approvalPending)
  }

  @Test("R-11 without a name or a number no request is sent")
  func incomplete() {
    var driver = RiderDriver.riderAtNumber()
    driver.press(.signUp)
    driver.press(.register)
    driver.handle(.page(.fieldEdited(.name, "Asha Rao")))
    driver.press(.register)
    #expect(driver.registration?.canSend == false)
    #expect(!driver.isCalling)

    driver.handle(.page(.fieldEdited(.phone, "98123")))
    driver.press(.register)
    #expect(driver.registration?.numberFault == .malformed)
    #expect(driver.output == [.announce(.numberMalformed(region: Country.standard.region))])
    #expect(driver.focus == .phone)

    driver.handle(.page(.fieldEdited(.phone, "9812345678")))
    #expect(driver.registration?.numberFault == nil)
    driver.press(.register)
    #expect(driver.isCalling)
  }

  @Test(
    "R-11 a name of 100 characters is accepted, a longer or forged name is reported at its field",
    arguments: [
      (String(repeating: "न", count: 99), true), (String(repeating: "न", count: 100), true),
      (String(repeating: "न", count: 101), false), ("a\u{202E}b", false),
    ])
  func names(_ name: String, _ isOne: Bool) {
    var driver = RiderDriver.riderAtSignUp()
    driver.handle(.page(.fieldEdited(.name, name)))
    driver.press(.register)

    #expect(driver.isCalling == isOne)
    #expect(driver.registration?.isNameMalformed == !isOne)
    #expect(driver.focus == .name)
    #expect(driver.announcements == [isOne ? .registering : .nameMalformed])
  }

  @Test("R-11 P-01 a name of spaces is a missing name", arguments: ["", " ", "   "])
  func blankName(_ name: String) {
    var driver = RiderDriver.riderAtSignUp()
    driver.handle(.page(.fieldEdited(.name, name)))
    driver.press(.register)

    #expect(!driver.isCalling && driver.registration?.isNameMalformed == false)
    #expect(driver.registration?.missing.contains(.name) == true && driver.focus == .name)
    #expect(driver.announcements == [.fieldsMissing([.name])])
  }

  @Test("R-11 a country that is not allowed is reported beside the number")
  func country() {
    var driver = RiderDriver.riderRegistering()

    driver.refuse(.invalidRequest)

    #expect(driver.registration?.numberFault == .country)
    #expect(driver.focus == .phone)
    #expect(driver.announcements == [.countryRefused])
    driver.handle(.page(.fieldEdited(.country, "+91")))
    #expect(driver.registration?.numberFault == nil)
  }

  @Test(
    "R-11 too many requests, closed registration and a lost network are reported above the form")
  func refused() {
    let cases: [(ErrorCode, Notice)] = [
      (.rateLimited, .rateLimited(until: FlowDriver.startTime.adding(seconds: 30))),
      (.unauthorizedClient, .registrationClosed), (.serverError, .serverFault),
    ]
    for (code, notice) in cases {
      var driver = RiderDriver.riderRegistering()
      driver.refuse(code) { $0.retryIn = 30 }
      #expect(driver.registration?.notice == notice)
      #expect(driver.registration?.name == "Asha Rao")
      #expect(driver.announcements == [.notice(notice)])
      driver.handle(.page(.bannerDismissed))
      #expect(driver.registration?.notice == nil)
    }
    var driver = RiderDriver.riderRegistering()
    driver.fail()
    #expect(driver.registration?.notice == .noConnection)
    driver.press(.register)
    #expect(driver.isCalling)
  }

  @Test("R-11 Back leaves the form and keeps the number, and a late answer changes nothing")
  func back() throws {
    var driver = RiderDriver.riderRegistering()
    let call = try #require(driver.lastCall)
    driver.press(.back)
    #expect(driver.rider?.step == .enteringNumber)

    let before = driver.flow.stage
    driver.handle(.answered(call.id, .received(status: 202, body: .null, serverSeconds: nil)))

    #expect(driver.flow.stage == before)
  }
}
