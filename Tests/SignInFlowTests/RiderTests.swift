import Foundation
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow

@Suite struct RiderTests {
  @Test("R-01 number, code and tokens lead to the dashboard, with the rider app's client id")
  func wholeWay() throws {
    var walk = Walk.riderSending()
    let first = try #require(walk.lastCall?.call.form)
    #expect(first["client_id"] == "rider-app")
    #expect(first["phone_number"] == "+919812345678")
    #expect(first["code_challenge"] == "challenge")

    walk = .riderChecking()
    #expect(walk.lastCall?.call.form?["otp"] == "123456")
    walk = .riderRedeeming()
    #expect(walk.lastCall?.call.form?["code_verifier"] == "verifier")
    #expect(walk.lastCall?.call.form?["client_id"] == "rider-app")
    walk = .riderSignedIn()
    let home = try #require(walk.call(to: Endpoint.dashboard))
    #expect(walk.call(to: Endpoint.jobs) == nil)
    let dashboard = walk.dashboardAnswer
    walk.happen(
      .answered(home.id, .received(status: 200, body: dashboard.json, serverSeconds: nil)))

    #expect(walk.dashboard?.value == dashboard)
    #expect(walk.dashboard?.asOf == walk.serverNow)
  }

  @Test("R-01 signing out ends the rider's session and leads back to the number")
  func signOut() {
    var walk = Walk.riderSignedIn()

    walk.press(.signOut)

    #expect(walk.rider?.notice == .signedOut)
    #expect(walk.call(to: Endpoint.revoke)?.call.form?["client_id"] == "rider-app")
  }

  @Test("R-02 a number that is not registered is reported and can be corrected")
  func notRegistered() {
    var walk = Walk.riderSending()

    walk.refuse(.accountNotRegistered)

    #expect(walk.rider?.step == .enteringNumber)
    #expect(walk.rider?.notice == .notRegistered)
    #expect(walk.rider?.number.text == "98123 45678")
    #expect(walk.focus == .phone)
    #expect(walk.announcements == [.notice(.notRegistered)])
  }

  @Test("R-03 a wrong code clears the field, keeps the number and gets the focus")
  func wrongCode() {
    var walk = Walk.riderChecking()

    walk.refuse(.invalidOTP) { $0.attemptsLeft = 2 }

    #expect(walk.riderEntry?.text == "")
    #expect(walk.riderEntry?.isRefused == true)
    #expect(walk.riderEntry?.isExpired == false)
    #expect(walk.focus == .code)
    #expect(walk.announcements == [.codeRefused(attemptsLeft: 2)])
  }

  @Test("R-04 a lockout at the request and at the code stops both until it ends")
  func lock() {
    for var walk in [Walk.riderSending(), .riderChecking()] {
      walk.lock(minutes: 15)
      #expect(walk.rider?.step == .locked(until: walk.serverNow.adding(seconds: 900)))
      walk.press(.sendCode)
      walk.press(.verify)
      #expect(!walk.isCalling)

      walk.pass(seconds: 899)
      #expect(walk.announcements.isEmpty)
      walk.pass(seconds: 1)

      #expect(walk.rider?.step == .enteringNumber)
      #expect(walk.announcements == [.lockEnded])
    }
  }

  @Test("R-05 another request too early brings the code field back, with the seconds to wait")
  func tooSoon() {
    var walk = Walk.riderAtCode()
    walk.pass(seconds: 15)
    walk.press(.changeNumber)
    #expect(walk.rider?.step == .enteringNumber)
    walk.press(.sendCode)
    walk.happen(.verifierMade(verifier: Secret("other"), challenge: "other"))
    walk.refuse(.resendTooSoon) { $0.retryIn = 45 }

    #expect(walk.riderEntry?.notice == .codeTooSoon(until: walk.serverNow.adding(seconds: 45)))
    walk.happen(.fieldEdited(.code, "123456"))
    walk.press(.verify)
    walk.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    #expect(walk.lastCall?.call.form?["code_verifier"] == "verifier")
  }

  @Test("R-05 a number for which another device has just requested a code must also wait")
  func tooSoonElsewhere() {
    var walk = Walk.riderSending()

    walk.refuse(.resendTooSoon) { $0.retryIn = 45 }

    #expect(walk.rider?.step == .enteringNumber)
    #expect(walk.rider?.notice == .codeTooSoon(until: walk.serverNow.adding(seconds: 45)))
  }

  @Test(
    "R-06 an expired code and a wrong code have different messages, and a new code can be requested"
  )
  func expired() {
    var walk = Walk.riderAtCode()
    walk.pass(seconds: 300)
    walk.happen(.fieldEdited(.code, "123456"))
    walk.press(.verify)
    walk.refuse(.otpExpired)
    #expect(walk.riderEntry?.isExpired == true)
    #expect(walk.announcements == [.codeExpired])

    walk.press(.resend)
    #expect(walk.lastCall?.call.form?["resend"] == "true")
    walk.sendCode()

    #expect(walk.riderEntry?.isExpired == false)
    #expect(walk.riderEntry?.notice == .newCodeSent)
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
      ("IN", "+47 +900 00 055", nil), ("IN", "+358 0401234567", nil),
      ("IN", "+358 401234567", "+358401234567"),
      ("IN", "+4790000055", "+4790000055"), ("IN", "+47 900 00 055", "+4790000055"),
      ("IN", "004790000055", "+4790000055"), ("IN", "+47 9000005", nil),
      ("IN", "+47 900000555", nil), ("NO", "90000055", "+4790000055"),
      ("IN", "+999 1234567", "+9991234567"), ("IN", "+999 1234", nil),
      ("DE", "0151 23456789", "+4915123456789"), ("RU", "8 912 345 67 89", "+79123456789"),
      ("IT", "312 345 6789", "+393123456789"), ("US", "1 (201) 555-0123", "+12015550123"),
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
    var walk = Walk.riderAtNumber()
    let id = try #require(walk.call(to: "/apps/rider-app")?.id)
    #expect(walk.rider?.number.country == Country.standard)
    walk.answerAboutApp(id, country: "+47")
    #expect(walk.rider?.number.country.region == "NO")
    walk.happen(.fieldEdited(.phone, "90000055"))
    #expect(walk.rider?.number.parsed?.e164 == "+4790000055")
    #expect(!walk.isCalling)

    walk = Walk.riderAtNumber()
    walk.happen(.fieldEdited(.country, "SE"))
    walk.answerAboutApp(id, country: "+47")
    #expect(walk.rider?.number.country.region == "SE")

    walk = Walk.riderAtNumber()
    walk.happen(.fieldEdited(.phone, "98"))
    walk.answerAboutApp(id, country: "+47")
    #expect(walk.rider?.number.country == Country.standard)
  }

  @Test("R-07 an incomplete number sends no request")
  func incomplete() {
    var walk = Walk.riderTyped("98123")

    walk.press(.sendCode)

    #expect(walk.rider?.isNumberMalformed == true)
    #expect(walk.effects == [.announce(.numberMalformed(Country.standard))])
    #expect(walk.focus == .phone)
  }

  @Test(
    "R-07 the last attempt, a lost network and an expired sign-in each lead to the right screen")
  func otherAnswers() {
    var walk = Walk.riderChecking()
    walk.refuse(.invalidOTP) { $0.attemptsLeft = 0 }
    #expect(walk.rider?.notice == .codeRefused)

    walk = .riderChecking()
    walk.fail()
    #expect(walk.riderEntry?.notice == .noConnection)
    #expect(walk.riderEntry?.text == "123456")

    walk = .riderResending()
    walk.refuse(.invalidSession)
    #expect(walk.rider?.notice == .signInExpired)
  }
}
