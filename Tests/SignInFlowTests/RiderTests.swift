import EngineTesting
import Foundation
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite struct RiderTests {
  @Test("R-01 number, code and tokens lead to the dashboard, with the rider app's client id")
  func wholeWay() throws {
    var driver = RiderDriver.riderSending()
    let first = try #require(driver.lastCall?.call.form)
    #expect(first["client_id"] == "rider-app")
    #expect(first["phone_number"] == "+919812345678")
    #expect(first["code_challenge"] == "challenge")

    driver = .riderChecking()
    #expect(driver.lastCall?.call.form?["otp"] == "123456")
    driver = .riderRedeeming()
    #expect(driver.lastCall?.call.form?["code_verifier"] == "verifier")
    #expect(driver.lastCall?.call.form?["client_id"] == "rider-app")
    driver = .riderSignedIn()
    let home = try #require(driver.call(to: Endpoint.dashboard.path))
    #expect(driver.call(to: Endpoint.jobs.path) == nil)
    let dashboard = driver.dashboardAnswer
    driver.handle(
      .answered(home.id, .received(status: 200, body: dashboard.json, serverSeconds: nil)))

    #expect(driver.dashboard?.value == dashboard)
    #expect(driver.dashboard?.asOf == driver.serverNow)
  }

  @Test("R-01 signing out ends the rider's session and leads back to the number")
  func signOut() {
    var driver = RiderDriver.riderSignedIn()

    driver.press(.signOut)

    #expect(driver.rider?.notice == .signedOut)
    #expect(driver.call(to: Endpoint.revoke.path)?.call.form?["client_id"] == "rider-app")
  }

  @Test("R-02 a number that is not registered is reported and can be corrected")
  func notRegistered() {
    var driver = RiderDriver.riderSending()

    driver.refuse(.accountNotRegistered)

    #expect(driver.rider?.step == .enteringNumber)
    #expect(driver.rider?.notice == .notRegistered)
    #expect(driver.rider?.number.text == "98123 45678")
    #expect(driver.focus == .phone)
    #expect(driver.announcements == [.notice(.notRegistered)])
  }

  @Test("R-03 a wrong code clears the field, keeps the number and gets the focus")
  func wrongCode() {
    var driver = RiderDriver.riderChecking()

    driver.refuse(.invalidOTP) { $0.attemptsLeft = 2 }

    #expect(driver.riderEntry?.text == "")
    #expect(driver.riderEntry?.fault == .refused(attemptsLeft: 2))
    #expect(driver.focus == .code)
    #expect(driver.announcements == [.codeRefused(attemptsLeft: 2)])
  }

  @Test("R-04 a lockout at the request and at the code stops both until it ends")
  func lock() {
    for var driver in [RiderDriver.riderSending(), .riderChecking()] {
      driver.lockOut(minutes: 15)
      #expect(driver.rider?.step == .locked(until: driver.serverNow.adding(seconds: 900)))
      driver.press(.sendCode)
      driver.press(.verify)
      #expect(!driver.isCalling)

      driver.pass(seconds: 899)
      #expect(driver.announcements.isEmpty)
      driver.pass(seconds: 1)

      #expect(driver.rider?.step == .enteringNumber)
      #expect(driver.announcements == [.lockEnded])
    }
  }

  @Test("R-05 another request too early brings the code field back, with the seconds to wait")
  func tooSoon() {
    var driver = RiderDriver.riderAtCode()
    driver.pass(seconds: 15)
    driver.press(.changeNumber)
    #expect(driver.rider?.step == .enteringNumber)
    driver.press(.sendCode)
    driver.handle(.signIn(.verifierMade(verifier: Secret("other"), challenge: "other")))
    driver.refuse(.resendTooSoon) { $0.retryIn = 45 }

    #expect(driver.riderEntry?.notice == .codeTooSoon(until: driver.serverNow.adding(seconds: 45)))
    driver.handle(.page(.fieldEdited(.code, "123456")))
    driver.press(.verify)
    driver.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    #expect(driver.lastCall?.call.form?["code_verifier"] == "verifier")
  }

  @Test("R-05 a number for which another device has just requested a code must also wait")
  func tooSoonElsewhere() {
    var driver = RiderDriver.riderSending()

    driver.refuse(.resendTooSoon) { $0.retryIn = 45 }

    #expect(driver.rider?.step == .enteringNumber)
    #expect(driver.rider?.notice == .codeTooSoon(until: driver.serverNow.adding(seconds: 45)))
  }

  @Test(
    "R-06 an expired code and a wrong code have different messages, and a new code can be requested"
  )
  func expired() {
    var driver = RiderDriver.riderAtCode()
    driver.pass(seconds: 300)
    driver.handle(.page(.fieldEdited(.code, "123456")))
    driver.press(.verify)
    driver.refuse(.otpExpired)
    #expect(driver.riderEntry?.fault == .expired)
    #expect(driver.announcements == [.codeExpired])

    driver.press(.resend)
    #expect(driver.lastCall?.call.form?["resend"] == "true")
    driver.sendCode()

    #expect(driver.riderEntry != nil && driver.riderEntry?.fault == nil)
    #expect(driver.riderEntry?.notice == .newCodeSent)
  }

  @Test(
    "R-07 ten digits are checked for +91, other countries have their own count",
    arguments: [
      ("+91", "981234567", nil), ("+91", "9812345678", "+919812345678"),
      ("+91", "98123456789", nil), ("+91", "098123-45678", "+919812345678"),
      ("+65", "81234567", "+6581234567"), ("+65", "812345678", nil),
      ("+91", "+1 555 010 1234", "+15550101234"), ("+1", "+919812345678", "+919812345678"),
      ("+91", "９８１２３４５６７８", "+919812345678"), ("+91", "९८१२३४५६७८", "+919812345678"),
      ("+91", "٩٨١٢٣٤٥٦٧٨", "+919812345678"), ("+91", "۹۸۱۲۳۴۵۶۷۸", "+919812345678"),
      ("IN", "Tel. +47 900 00 055", "+4790000055"), ("IN", "-+4790000055", "+4790000055"),
      ("IN", "(mobil) +47 900 00 055", "+4790000055"), ("IN", "＋47 900 00 055", "+4790000055"),
      ("IN", "００ 47 900 00 055", "+4790000055"), ("IN", "0+47 900 00 055", nil),
      ("IN", "+47 +900 00 055", nil), ("IN", "+358 0401234567", "+358401234567"),
      ("IN", "+358 401234567", "+358401234567"),
      ("IN", "+4790000055", "+4790000055"), ("IN", "+47 900 00 055", "+4790000055"),
      ("IN", "004790000055", "+4790000055"), ("IN", "+47 9000005", nil),
      ("IN", "+47 900000555", nil), ("NO", "90000055", "+4790000055"),
      ("IN", "+999 1234567", "+9991234567"), ("IN", "+999 1234", nil),
      ("DE", "0151 23456789", "+4915123456789"), ("RU", "8 912 345 67 89", "+79123456789"),
      ("IT", "312 345 6789", "+393123456789"), ("IN", "+44 (0)7400 123456", "+447400123456"),
      ("IN", "+91 0 98123 45678", "+919812345678"), ("IN", "९८१२३ ४५६७८", "+919812345678"),
      ("IN", "98123\u{2011}45678", "+919812345678"), ("IN", "+39 (0)347 1234567", nil),
      ("IN", "\u{200E}+47 900 00 055", "+4790000055"), ("US", "1 (201) 555-0123", "+12015550123"),
    ] as [(String, String, String?)])
  func digits(_ code: String, _ typed: String, _ e164: String?) {
    var number = MobileNumber()

    number.choose(code)
    number.edit(typed)

    #expect(number.parsed?.e164 == e164)
  }

  @Test("R-07 a complete number of any country stays that number and selects its country")
  func wholeNumbers() throws {
    let lines = try String(contentsOfFile: Self.data, encoding: .utf8).split(separator: "\n")
    for line in lines.dropFirst() {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      let whole = "+\(columns[1])\(columns[5])"
      var number = MobileNumber()
      number.edit(whole)
      #expect(number.country.callingCode == "+\(columns[1])", "\(line)")
      // The shortest numbers of some islands have fewer digits than the limit here.
      let isLongEnough = PhoneNumber.digitLimits.contains(whole.utf8.count - 1)
      #expect(number.parsed?.e164 == (isLongEnough ? whole : nil), "\(line)")
    }
    #expect(Country.all.count == lines.count - 1)
    #expect(Country.all.count > 240)
  }

  private static let data = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Resources/calling-codes.tsv").path

  @Test("R-07 no calling code begins with another, so a complete number belongs to one country")
  func prefixes() {
    let codes = Set(Country.all.map(\.callingCode))
    for code in codes {
      #expect(codes.filter { $0 != code && $0.hasPrefix(code) }.isEmpty, "\(code)")
    }
  }

  @Test(
    "R-07 the digits select the region of a shared calling code, or else the chosen region applies",
    arguments: [
      ("IN", "+1 242 359 1234", "BS"), ("IN", "+1 201 555 0123", "US"),
      ("CA", "+1 506 234 5678", "CA"), ("CA", "+1 242 359 1234", "BS"),
      ("IN", "+7 771 000 9998", "KZ"), ("IN", "+44 7400 123456", "GB"),
    ])
  func sharedCodes(_ chosen: String, _ typed: String, _ region: String) {
    var number = MobileNumber()
    number.choose(chosen)
    number.edit(typed)
    #expect(number.country.region == region)
  }

  @Test("R-07 choosing a country removes the calling code of another country from the number")
  func chosenAfter() {
    var number = MobileNumber()
    number.edit("+47 900")
    #expect(number.country.region == "NO")
    number.choose("SE")
    #expect(number.text == "900")
    number.choose("no such country")
    #expect(number.country.region == "SE")
  }

  @Test("R-07 the server's country is filled in, unless the person has already typed or chosen")
  func filledIn() throws {
    var driver = RiderDriver.riderAtNumber()
    let id = try #require(driver.call(to: "/apps/rider-app")?.id)
    #expect(driver.rider?.number.country == Country.standard)
    driver.answerAboutApp(id, country: "+47")
    #expect(driver.rider?.number.country.region == "NO")
    driver.handle(.page(.fieldEdited(.phone, "90000055")))
    #expect(driver.rider?.number.parsed?.e164 == "+4790000055")
    #expect(!driver.isCalling)

    driver = RiderDriver.riderAtNumber()
    driver.handle(.page(.fieldEdited(.country, "SE")))
    driver.answerAboutApp(id, country: "+47")
    #expect(driver.rider?.number.country.region == "SE")

    driver = RiderDriver.riderAtNumber()
    driver.handle(.page(.fieldEdited(.phone, "98")))
    driver.answerAboutApp(id, country: "+47")
    #expect(driver.rider?.number.country == Country.standard)
  }

  @Test("L-54 a zero that may not belong to the number is named, and no request is sent")
  func doubtfulZero() {
    var driver = RiderDriver.riderTyped("+39 (0)347 1234567")

    driver.press(.sendCode)

    #expect(driver.rider?.isNumberMalformed == true)
    #expect(driver.rider?.number.hasDoubtfulZero == true)
    #expect(driver.output == [.announce(.numberZeroDoubtful)])
  }

  @Test("R-07 an incomplete number sends no request")
  func incomplete() {
    var driver = RiderDriver.riderTyped("98123")

    driver.press(.sendCode)

    #expect(driver.rider?.isNumberMalformed == true)
    #expect(driver.output == [.announce(.numberMalformed(region: Country.standard.region))])
    #expect(driver.focus == .phone)
  }

  @Test(
    "R-07 the last attempt, a lost network and an expired sign-in each lead to the right screen")
  func otherAnswers() {
    var driver = RiderDriver.riderChecking()
    driver.refuse(.invalidOTP) { $0.attemptsLeft = 0 }
    #expect(driver.rider?.notice == .codeRefused)

    driver = .riderChecking()
    driver.fail()
    #expect(driver.riderEntry?.notice == .noConnection)
    #expect(driver.riderEntry?.text == "123456")

    driver = .riderResending()
    driver.refuse(.invalidSession)
    #expect(driver.rider?.notice == .signInExpired)
  }
}
