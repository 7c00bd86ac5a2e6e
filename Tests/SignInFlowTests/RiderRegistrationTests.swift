import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

@Suite struct RiderRegistrationTests {
  @Test("R-11 a number that is not registered leads to Sign up, and on to waiting for approval")
  func wholeWay() throws {
    var walk = Walk.riderSending()
    walk.refuse(.accountNotRegistered)
    walk.press(.signUp)
    #expect(walk.registration?.number.text == "98123 45678")
    #expect(walk.focus == .name)

    walk.happen(.fieldEdited(.name, " Asha Rao "))
    walk.press(.register)
    let call = try #require(walk.lastCall).call
    #expect(call.path == "/accounts")
    #expect(call.form?["client_id"] == "rider-app")
    #expect(call.form?["phone_number"] == "+919812345678")
    #expect(call.form?["name"] == "Asha Rao")

    walk = .riderRegistered()
    #expect(walk.registration?.step == .sent)
    #expect(walk.focus == .heading)
    #expect(walk.announcements == [.registered(number: "+91 9812345678")])

    walk.press(.back)
    #expect(walk.rider?.step == .enteringNumber)
    #expect(walk.rider?.number.text == "98123 45678")
    #expect(walk.focus == .phone)
  }

  @Test("R-11 without a name or a number no request is sent")
  func incomplete() {
    var walk = Walk.riderAtNumber()
    walk.press(.signUp)
    walk.press(.register)
    walk.happen(.fieldEdited(.name, "Asha Rao"))
    walk.press(.register)
    #expect(walk.registration?.canSend == false)
    #expect(!walk.isCalling)

    walk.happen(.fieldEdited(.phone, "98123"))
    walk.press(.register)
    #expect(walk.registration?.numberFault == .malformed)
    #expect(walk.effects == [.announce(.numberMalformed(Country.standard))])
    #expect(walk.focus == .phone)

    walk.happen(.fieldEdited(.phone, "9812345678"))
    #expect(walk.registration?.numberFault == nil)
    walk.press(.register)
    #expect(walk.isCalling)
  }

  @Test(
    "R-11 a name of 100 characters is accepted, a longer or forged name is reported at its field",
    arguments: [
      (String(repeating: "न", count: 99), true), (String(repeating: "न", count: 100), true),
      (String(repeating: "न", count: 101), false), ("a\u{202E}b", false),
    ])
  func names(_ name: String, _ isOne: Bool) {
    var walk = Walk.riderAtSignUp()
    walk.happen(.fieldEdited(.name, name))
    walk.press(.register)

    #expect(walk.isCalling == isOne)
    #expect(walk.registration?.isNameMalformed == !isOne)
    #expect(walk.focus == .name)
    #expect(walk.announcements == [isOne ? .registering : .nameMalformed])
  }

  @Test("R-11 P-01 a name of spaces is a missing name", arguments: ["", " ", "   "])
  func blankName(_ name: String) {
    var walk = Walk.riderAtSignUp()
    walk.happen(.fieldEdited(.name, name))
    walk.press(.register)

    #expect(!walk.isCalling && walk.registration?.isNameMalformed == false)
    #expect(walk.registration?.missing.contains(.name) == true && walk.focus == .name)
    #expect(walk.announcements == [.fieldsMissing([.name])])
  }

  @Test("R-11 a country that is not allowed is reported beside the number")
  func country() {
    var walk = Walk.riderRegistering()

    walk.refuse(.invalidRequest)

    #expect(walk.registration?.numberFault == .country)
    #expect(walk.focus == .phone)
    #expect(walk.announcements == [.countryRefused])
    walk.happen(.fieldEdited(.country, "+91"))
    #expect(walk.registration?.numberFault == nil)
  }

  @Test(
    "R-11 too many requests, closed registration and a lost network are reported above the form")
  func refused() {
    let cases: [(ErrorCode, Notice)] = [
      (.rateLimited, .rateLimited(until: Walk.noon.adding(seconds: 30))),
      (.unauthorizedClient, .registrationClosed), (.serverError, .serverFault),
    ]
    for (code, notice) in cases {
      var walk = Walk.riderRegistering()
      walk.refuse(code) { $0.retryIn = 30 }
      #expect(walk.registration?.notice == notice)
      #expect(walk.registration?.name == "Asha Rao")
      #expect(walk.announcements == [.notice(notice)])
      walk.happen(.bannerDismissed)
      #expect(walk.registration?.notice == nil)
    }
    var walk = Walk.riderRegistering()
    walk.fail()
    #expect(walk.registration?.notice == .noConnection)
    walk.press(.register)
    #expect(walk.isCalling)
  }

  @Test("R-11 Back leaves the form and keeps the number, and a late answer changes nothing")
  func back() throws {
    var walk = Walk.riderRegistering()
    let call = try #require(walk.lastCall)
    walk.press(.back)
    #expect(walk.rider?.step == .enteringNumber)

    let before = walk.flow.stage
    walk.happen(.answered(call.id, .received(status: 202, body: .null, serverSeconds: nil)))

    #expect(walk.flow.stage == before)
  }
}
