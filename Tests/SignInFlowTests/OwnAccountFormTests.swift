import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("The own account in the app")
struct OwnAccountFormTests {
  private let prompt = ContactChangePrompt(
    session: Secret("handle"),
    prompt: CodePrompt(
      destination: "***-***-1999", digits: 6, expiresAt: FlowDriver.startTime,
      resendAt: FlowDriver.startTime, attemptsLeft: 5))

  private func atForm(erasureAt: Int64? = nil) -> FlowDriver {
    var driver = FlowDriver.atSessions()
    driver.press(.openOwnAccount)
    driver.answer(
      200,
      .members([
        JSONMember(.contactChanges, .array([])),
        erasureAt.map { JSONMember(.erasure, .members([JSONMember(.dueAt, $0)])) },
      ]))
    return driver
  }

  private func form(_ driver: FlowDriver) -> OwnAccountForm? {
    driver.signedIn?.sessions?.ownAccount
  }

  private func fill(_ driver: inout FlowDriver, _ field: FieldName, _ text: String) {
    driver.handle(.page(.fieldEdited(field, Secret(text))))
  }

  private func problem(_ code: ErrorCode) -> JSON { .members([JSONMember(.code, code.rawValue)]) }

  @Test("L-54 a new address with a wide at sign is an address")
  func wideAddress() throws {
    var driver = atForm()
    fill(&driver, .contact, "tara＠example.com")
    fill(&driver, .currentPassword, "words")
    driver.press(.sendCode)

    let (_, first) = try #require(driver.call(to: "/api/contact-changes"))
    #expect(
      first.body
        == .json(
          .members([
            JSONMember("email", "tara@example.com"), JSONMember("current_password", "words"),
          ])))
  }

  @Test("T-16 the code that was sent to the new number is sent back with its session")
  func contact() throws {
    var driver = atForm()
    fill(&driver, .contact, "+1 555 010 1999")
    fill(&driver, .currentPassword, "words")
    driver.press(.sendCode)
    let (_, first) = try #require(driver.call(to: "/api/contact-changes"))
    #expect(
      first.body
        == .json(
          .members([
            JSONMember("phone_number", "+15550101999"), JSONMember("current_password", "words"),
          ])))
    driver.answer(202, prompt.json)
    #expect(form(driver)?.sent == prompt && form(driver)?.current.isEmpty == true)

    fill(&driver, .code, "123456")
    driver.press(.verify)
    let (_, second) = try #require(driver.call(to: "/api/contact-changes/verify"))
    #expect(
      second.body
        == .json(.members([JSONMember("change_session", "handle"), JSONMember("otp", "123456")])))
    driver.answer(200, .members([JSONMember(.undoUntil, Int64(1))]))

    #expect(form(driver)?.message == .contactChanged)
    #expect(form(driver)?.sent == nil)
    #expect(driver.call(to: "/api/me")?.call.method == .get)
  }

  @Test("While a request is in progress, the fields keep what is sent")
  func sending() {
    var driver = atForm()
    fill(&driver, .contact, "new@example.com")
    driver.press(.sendCode)
    #expect(form(driver)?.isBusy(with: .contact) == true)
    fill(&driver, .contact, "new@example.org")
    #expect(form(driver)?.contact == "new@example.com")
  }

  @Test("Another number ends the code that was sent")
  func otherNumber() {
    var driver = atForm()
    fill(&driver, .contact, "new@example.com")
    driver.press(.sendCode)
    driver.answer(202, prompt.json)
    fill(&driver, .contact, "new@example.org")
    #expect(form(driver)?.sent == nil)
    driver.press(.verify)
    #expect(!driver.isCalling)
  }

  @Test(
    "A refusal says what to do",
    arguments: [
      (ErrorCode.recentSignInNeeded, OwnAccountMessage.signInTooOld),
      (.contactChangeClosed, .notAllowed), (.managedByProvider, .notAllowed),
      (.mailUnavailable, .notAllowed), (.ownAccount, .notAllowed), (.accountExists, .notAllowed),
      (.invalidRequest, .contactMalformed),
    ])
  func refused(_ code: ErrorCode, _ message: OwnAccountMessage) {
    var driver = atForm()
    fill(&driver, .contact, "new@example.com")
    driver.press(.sendCode)
    driver.answer(403, problem(code))
    #expect(form(driver)?.message == message)
  }

  @Test("A wrong password and a wrong code are cleared")
  func wrong() {
    var driver = atForm()
    fill(&driver, .contact, "new@example.com")
    fill(&driver, .currentPassword, "wrong")
    driver.press(.sendCode)
    driver.answer(400, problem(.invalidCredentials))
    #expect(form(driver)?.isCurrentWrong == true && form(driver)?.current.isEmpty == true)
    driver.press(.sendCode)
    driver.answer(202, prompt.json)
    fill(&driver, .code, "000000")
    driver.press(.verify)
    driver.answer(400, problem(.invalidOTP))
    #expect(form(driver)?.message == .codeRefused && form(driver)?.code.isEmpty == true)
    #expect(form(driver)?.sent == prompt)
  }

  @Test("What is neither an address nor a number is not sent, and neither is an empty field")
  func malformed() {
    var driver = atForm()
    fill(&driver, .name, "  ")
    for button in [ButtonName.sendCode, .saveAccount, .verify, .keepAccount, .confirm, .cancel] {
      driver.press(button)
    }
    driver.press(.saveAccount)
    #expect(form(driver)?.missing.contains(.name) == true && form(driver)?.isNameMalformed == false)
    fill(&driver, .contact, "12")
    driver.press(.sendCode)
    #expect(form(driver)?.message == .contactMalformed)
    #expect(!driver.isCalling)
  }

  @Test("T-16 the name is shown, and saved when it is changed")
  func name() throws {
    var driver = atForm()
    #expect(form(driver)?.name.isEmpty == false)
    fill(&driver, .name, "Tessa Lund")
    driver.press(.saveAccount)
    let (_, call) = try #require(driver.call(to: "/api/me"))
    #expect(call.body == .json(.members([JSONMember("name", "Tessa Lund")])))
    driver.answer(204, .null)
    #expect(form(driver)?.message == .nameSaved)
  }

  @Test("T-16 a saved name is in the menu, and in the form when it opens again")
  func savedName() {
    var driver = atForm()
    fill(&driver, .name, "Tessa Lund")
    driver.press(.saveAccount)
    driver.answer(204, .null)
    driver.answer(200, account("Tessa Lund"))
    #expect(driver.signedIn?.account.value?.name == "Tessa Lund")
    driver.press(.back)
    driver.press(.openOwnAccount)
    #expect(form(driver)?.name == "Tessa Lund")
  }

  @Test("A name that the server sends replaces the shown one, unless the person has edited it")
  func otherName() {
    let cases: [(typed: String?, shown: String)] = [(nil, "Tessa Lund"), ("Tess", "Tess")]
    for (typed, shown) in cases {
      var driver = atForm()
      if let typed { fill(&driver, .name, typed) }
      fill(&driver, .contact, "new@example.com")
      driver.press(.sendCode)
      driver.answer(202, prompt.json)
      fill(&driver, .code, "123456")
      driver.press(.verify)
      driver.answer(200, .members([JSONMember(.undoUntil, Int64(1))]))
      driver.answer(200, account("Tessa Lund"))
      #expect(form(driver)?.name == shown)
    }
  }

  private func account(_ name: String) -> JSON {
    let account = FlowDriver.account
    return AccountAnswer(
      id: account.id, name: name, email: account.email, phone: account.phone, role: account.role,
      organizations: account.organizations, session: account.session
    ).json
  }

  @Test("The erasure is requested after a question, and cancelled")
  func erasure() {
    var driver = atForm()
    driver.press(.eraseAccount)
    driver.press(.cancel)
    #expect(form(driver)?.isAsking == false && !driver.isCalling)
    driver.press(.eraseAccount)
    driver.press(.confirm)
    driver.answer(202, .members([JSONMember(.dueAt, Int64(1_900_000_000))]))
    let due = Instant(seconds: 1_900_000_000)
    #expect(form(driver)?.erasureAt == due && form(driver)?.message == .erasureRequested(due))
    driver.press(.eraseAccount)
    #expect(form(driver)?.isAsking == false)
    driver.press(.keepAccount)
    driver.answer(204, .null)
    #expect(form(driver)?.erasureAt == nil && form(driver)?.message == .accountStays)
  }

  @Test("A waiting erasure is shown although another request was sent before its answer")
  func lateOpening() throws {
    var driver = FlowDriver.atSessions()
    driver.press(.openOwnAccount)
    let (opening, _) = try #require(driver.lastCall)
    driver.press(.eraseAccount)
    driver.press(.saveAccount)
    let erasure = JSON.members([
      JSONMember(.contactChanges, .array([])),
      JSONMember(.erasure, .members([JSONMember(.dueAt, Int64(1_900_000_000))])),
    ])
    driver.handle(.answered(opening, .received(status: 200, body: erasure, serverSeconds: nil)))
    #expect(form(driver)?.erasureAt == Instant(seconds: 1_900_000_000))
    #expect(form(driver)?.isAsking == false && form(driver)?.isBusy(with: .name) == true)
  }

  @Test("An erasure that is due cannot be cancelled, and the form does not say that it is")
  func tooLate() {
    var driver = atForm(erasureAt: 1_900_000_000)
    driver.press(.keepAccount)
    driver.answer(404, problem(.changeNotFound))
    #expect(form(driver)?.erasureAt != nil && form(driver)?.message == .failed(.serverFault))
  }

  @Test("A waiting erasure is shown when the form opens, and Back returns to the devices")
  func opened() {
    var driver = atForm(erasureAt: 1_900_000_000)
    #expect(form(driver)?.erasureAt == Instant(seconds: 1_900_000_000))
    #expect(driver.signedIn?.place == "devices/account")
    driver.press(.back)
    #expect(form(driver) == nil)
    #expect(driver.signedIn?.sessions != nil)
  }

  @Test("S-09 the address of another form replaces the open one")
  func otherForm() {
    var driver = FlowDriver.atSessions()
    for place in ["devices/account", "devices/password", "devices/account", "devices"] {
      driver.handle(.home(.placeOpened(place)))
      #expect(driver.signedIn?.place == place)
    }
  }
}
