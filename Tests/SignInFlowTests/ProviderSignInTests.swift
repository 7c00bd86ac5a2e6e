import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// A sign-in at an identity provider, as the app sees it (P-02, P-10, L-27, L-47).
@Suite("Sign-in at a provider, in the app")
struct ProviderSignInTests {
  private static let address =
    "/oauth/authorize?client_id=mentor-app"
    + "&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3Ar1"

  private func notice<Home>(_ driver: AppDriver<Home>) -> Notice? { driver.signIn?.notice }

  @Test("The app asks for its providers once and stores them for the next start")
  func menu() {
    var driver = MentorDriver.mentorOpened()
    driver.handle(.storage(.read(.absent)))
    #expect(driver.lastCall?.call.path == "/apps/mentor-app")
    driver.answer(200, FlowDriver.mentorApp.json)
    #expect(driver.flow.context.providerMenu.providers.map(\.name) == ["bankid", "vipps", "city"])
    guard case .saveProviderMenu(let text)? = driver.effects.first else {
      Issue.record("the menu is not stored")
      return
    }
    var next = MentorDriver()
    next.handle(.started(utcOffsetSeconds: 0, app: .mentor, providers: text))
    let known = next.flow.context.providerMenu
    #expect(known.providers.map(\.label) == ["BankID", "Vipps", "City"])
    #expect(known.providers.map(\.isAvailable) == [true, true, false])
    #expect(known.findsByEmail)
  }

  @Test("An app without providers stores nothing")
  func noMenu() {
    var driver = MentorDriver.mentorOpened()
    driver.handle(.storage(.read(.absent)))
    let entry = AppEntry(
      id: "mentor-app", name: "Mentors", defaultCountry: nil, providers: [],
      findsProviderByEmail: false)
    driver.answer(200, entry.json)
    #expect(driver.effects.isEmpty)
  }

  @Test("P-10 a person without a phone number and an identity is told what is missing")
  func phoneMissing() {
    var driver = FlowDriver.submitting()
    driver.refuse(.redirectToWeb) { $0.reason = "phone_missing" }
    #expect(notice(driver) == .atProvider(.phoneMissing))
  }

  private static let signOutAnswer = JSON.object([
    JSONMember("end_session_uri", "https://login.example/logout?client_id=c")
  ])
  private static let signOutPage = Effect.openSignOutPage(
    "https://login.example/logout?client_id=c")

  @Test("P-10 after a sign-out the browser opens the sign-out of the provider")
  func signOutPage() {
    var driver = FlowDriver.signedIn()
    driver.press(.signOut)
    driver.answer(200, Self.signOutAnswer)
    #expect(driver.effects.contains(Self.signOutPage))
    #expect(driver.signIn?.notice == .signedOut)
  }

  @Test("P-10 a rider who signed out also signs out of the provider")
  func riderSignOutPage() {
    var driver = RiderDriver.riderSignedIn()
    driver.press(.signOut)
    driver.answer(200, Self.signOutAnswer)
    #expect(driver.effects.contains(Self.signOutPage))
  }

  @Test("P-10 a person who types after a sign-out stays on the page")
  func signOutPageTooLate() {
    var driver = FlowDriver.signedIn()
    driver.press(.signOut)
    let id = driver.call(to: Endpoint.revoke.path)?.id
    driver.handle(.page(.fieldEdited(.email, "a")))
    if let id {
      driver.handle(
        .answered(id, .received(status: 200, body: Self.signOutAnswer, serverSeconds: nil)))
    }
    #expect(id != nil)
    #expect(!driver.effects.contains(Self.signOutPage))
  }

  @Test("P-10 no page opens for a session that ended in another way")
  func noSignOutPage() {
    var driver = FlowDriver.signedIn()
    driver.press(.signOut)
    driver.answer(200, .object([]))
    #expect(!driver.effects.contains(Self.signOutPage))
    var ended = FlowDriver.opened()
    ended.handle(.storage(.read(.value(#"{"version":1,"revoke":"left"}"#))))
    ended.answer(200, Self.signOutAnswer)
    #expect(!ended.effects.contains(Self.signOutPage))
  }

  @Test("A damaged stored menu is empty", arguments: ["", "{", "[]", #"{"providers":[{}]}"#])
  func damagedMenu(_ text: String) {
    #expect(ProviderMenu(text: text).providers.isEmpty)
  }

  @Test("The browser opens only after the sign-in is stored")
  func order() {
    var driver = MentorDriver.requestingProvider()
    let form = driver.lastCall?.call.form
    #expect(form?["provider"] == "bankid")
    #expect(form?["state"] == "challenge")
    #expect(form?["code_challenge"] == "challenge")
    #expect(form?["password"] == nil)
    driver.redirectToWeb()
    #expect(driver.storedSignIn() != nil)
    #expect(!driver.effects.contains(.openBrowser(Self.address)))
    driver.handle(.storage(.pendingSignInSaved(true)))
    #expect(driver.effects == [.openBrowser(Self.address)])
  }

  @Test("Without a safe place for the sign-in the browser does not open")
  func notStored() {
    var driver = MentorDriver.savingProvider()
    driver.handle(.storage(.pendingSignInSaved(false)))
    #expect(notice(driver) == .atProvider(.notStored))
  }

  @Test("A new run of the app redeems the result with the stored verifier")
  func newRun() throws {
    let stored = try #require(MentorDriver.savingProvider().storedSignIn())
    var driver = MentorDriver.mentorOpened()
    driver.comeBack("code=c1&state=challenge")
    #expect(driver.effects.isEmpty)
    driver.handle(.storage(.read(.absent, pending: stored)))
    let form = driver.call(to: Endpoint.token.path)?.call.form
    #expect(form?["code"] == "c1")
    #expect(form?["code_verifier"] == "verifier")
    let id = try #require(driver.call(to: Endpoint.token.path)?.id)
    let tokens = FlowDriver.tokens(1, expiresIn: 300).json
    driver.handle(
      .answered(id, .received(status: 200, body: tokens, serverSeconds: driver.time.seconds)))
    #expect(driver.signedIn != nil)
    #expect(driver.effects.contains(.erasePendingSignIn))
    #expect(driver.flow.context.providerMenu.lastUsed == "bankid")
  }

  @Test("The provider of the last sign-in is the first")
  func lastUsed() {
    var menu = ProviderMenu()
    menu.update(FlowDriver.mentorApp.json)
    menu.use("vipps")
    #expect(menu.providers.map(\.name) == ["vipps", "bankid", "city"])
    #expect(ProviderMenu(text: menu.text).providers.map(\.name) == ["vipps", "bankid", "city"])
  }

  @Test("The same run of the app redeems the result too")
  func sameRun() {
    var driver = MentorDriver.redeemingProvider()
    driver.answer(200, FlowDriver.tokens(1, expiresIn: 300).json)
    #expect(driver.signedIn != nil)
  }

  @Test("After a start without a result the person learns that the sign-in is not complete")
  func interrupted() throws {
    let stored = try #require(MentorDriver.savingProvider().storedSignIn())
    var driver = MentorDriver.mentorOpened()
    driver.handle(.storage(.read(.absent, pending: stored)))
    #expect(notice(driver) == .atProvider(.interrupted))
    #expect(driver.flow.context.providerLabel == "BankID")
    driver.comeBack("code=c1&state=challenge")
    #expect(driver.lastCall?.call.path == Endpoint.token.path)
  }

  @Test("A person who goes back from the provider sees the form, and a late result still counts")
  func wentBack() {
    var driver = MentorDriver.atProvider()
    driver.handle(.device(.shown))
    #expect(notice(driver) == .atProvider(.interrupted))
    driver.comeBack("code=c1&state=challenge")
    #expect(driver.lastCall?.call.path == Endpoint.token.path)
  }

  @Test("A stored sign-in ends after half an hour")
  func expiry() throws {
    let stored = try #require(MentorDriver.savingProvider().storedSignIn())
    for (seconds, isOver) in [(1799 as Int64, false), (1800, true)] {
      var driver = MentorDriver.mentorOpened()
      driver.elapse(seconds: seconds)
      driver.comeBack("code=c1&state=challenge")
      driver.handle(.storage(.read(.absent, pending: stored)))
      #expect((driver.call(to: Endpoint.token.path) == nil) == isOver)
      #expect(driver.effects.contains(.erasePendingSignIn) == isOver)
    }
  }

  @Test(
    "A result of another sign-in is not used, and the pending one remains",
    arguments: ["code=c1&state=other", "code=c1", "", "state=challenge&state=challenge", "%"])
  func foreign(_ query: String) {
    var driver = MentorDriver.atProvider()
    driver.comeBack(query)
    #expect(driver.call(to: Endpoint.token.path) == nil)
    #expect(notice(driver) == .atProvider(.unknown))
    #expect(driver.storedSignIn(after: Secret("text")) != nil)
    driver.comeBack("code=c1&state=challenge")
    #expect(driver.lastCall?.call.path == Endpoint.token.path)
  }

  @Test("A result without a stored sign-in is not used")
  func unknown() {
    var driver = MentorDriver.mentorOpened()
    driver.comeBack("code=c1&state=challenge")
    driver.handle(.storage(.read(.absent)))
    #expect(notice(driver) == .atProvider(.unknown))
  }

  @Test("A result does not replace a session", arguments: [true, false])
  func signedInAlready(isEarly: Bool) {
    var driver = MentorDriver.mentorOpened()
    if isEarly { driver.comeBack("code=c1&state=challenge") }
    driver.handle(.storage(.read(.value(FlowDriver.stored(1, expiresIn: 300)))))
    if !isEarly { driver.comeBack("code=c1&state=challenge") }
    #expect(driver.call(to: Endpoint.token.path) == nil)
    #expect(driver.signedIn != nil)
  }

  @Test("Each reason has its own notice", arguments: JourneyError.allCases)
  func reasons(_ reason: JourneyError) {
    var driver = MentorDriver.atProvider()
    driver.comeBack("error=\(reason.code)&reason=\(reason.rawValue)&state=challenge")
    let expected: Notice =
      switch reason {
      case .cancelled: .atProvider(.cancelled)
      case .providerUnavailable: .atProvider(.unavailable)
      case .providerMisconfigured: .atProvider(.misconfigured)
      case .untrustedAnswer: .atProvider(.untrusted)
      case .accountNotRegistered: .atProvider(.notRegistered)
      case .accountExists: .atProvider(.accountExists)
      case .accountDeactivated: .accountDeactivated
      case .wrongRole: .atProvider(.wrongRole)
      case .phoneMissing: .atProvider(.phoneMissing)
      case .serverUnavailable: .serviceBusy
      }
    #expect(notice(driver) == expected)
    #expect(driver.effects.contains(.erasePendingSignIn))
    #expect(driver.announcements == [.notice(expected)])
  }

  @Test("An unknown reason is a fault of the server")
  func unknownReason() {
    var driver = MentorDriver.atProvider()
    driver.comeBack("error=access_denied&reason=later_version&state=challenge")
    #expect(notice(driver) == .serverFault)
  }

  @Test("Without an answer the code can be sent again")
  func again() {
    var driver = MentorDriver.waitingProvider()
    #expect(driver.providerSignIn?.step == .waiting(.serviceUnreachable))
    driver.press(.tryAgain)
    #expect(driver.lastCall?.call.form?["code"] == "c1")
    driver.answer(200, FlowDriver.tokens(1, expiresIn: 300).json)
    #expect(driver.signedIn != nil)
  }

  @Test("A refused code leads back to the form")
  func refusedCode() {
    var driver = MentorDriver.redeemingProvider()
    driver.refuse(.invalidGrant)
    #expect(notice(driver) == .signInExpired)
    #expect(driver.effects.contains(.erasePendingSignIn))
  }

  @Test("If the organization requires a code too, the code screen follows")
  func secondFactor() {
    var driver = MentorDriver.redeemingProvider()
    driver.sendCode()
    driver.handle(.page(.fieldEdited(.code, "123456")))
    driver.answer(200, .members([JSONMember("authorization_code", "code-2")]))
    #expect(driver.lastCall?.call.form?["code"] == "code-2")
    #expect(driver.lastCall?.call.form?["code_verifier"] == "verifier")
    driver.answer(200, FlowDriver.tokens(1, expiresIn: 300).json)
    #expect(driver.signedIn != nil)
  }

  @Test("Cancel leads back to the form with the typed text and ends the stored sign-in")
  func cancel() {
    var driver = MentorDriver.atProviders()
    driver.handle(.page(.fieldEdited(.email, "mia@example.com")))
    driver.handle(.home(.itemPressed(.provider, item: "bankid")))
    driver.handle(.signIn(.verifierMade(verifier: Secret("verifier"), challenge: "challenge")))
    driver.redirectToWeb()
    driver.handle(.storage(.pendingSignInSaved(true)))
    driver.press(.cancel)
    #expect(driver.signIn?.email == "mia@example.com")
    #expect(notice(driver) == nil)
    #expect(driver.effects.contains(.erasePendingSignIn))
    driver.comeBack("code=c1&state=challenge")
    #expect(notice(driver) == .atProvider(.unknown))
  }

  @Test("A provider that is not available cannot be chosen")
  func unavailable() {
    let driver = MentorDriver.preparingProvider("city")
    #expect(driver.effects.isEmpty)
    #expect(driver.providerSignIn == nil)
  }

  @Test("An e-mail address without a password leads to the provider of its domain")
  func byEmail() {
    var driver = MentorDriver.atProviders()
    driver.handle(.page(.fieldEdited(.email, "mia@city.example")))
    driver.submit()
    let form = driver.lastCall?.call.form
    #expect(form?["username"] == "mia@city.example")
    #expect(form?["password"] == nil)
    driver.redirectToWeb()
    driver.handle(.storage(.pendingSignInSaved(true)))
    #expect(driver.effects == [.openBrowser(Self.address)])
  }

  @Test("If no provider has the domain, the person needs a password")
  func passwordNeeded() {
    var driver = MentorDriver.atProviders()
    driver.handle(.page(.fieldEdited(.email, "mia@example.com")))
    driver.submit()
    driver.refuse(.invalidRequest)
    #expect(driver.signIn?.email == "mia@example.com")
    #expect(driver.signIn?.missing.contains(.password) == true)
    #expect(driver.announcements == [.fieldsMissing([.password])])
  }

  @Test("Without providers an empty password is missing, and no request is sent")
  func noProviders() {
    var driver = MentorDriver.atProviders(
      AppEntry(
        id: "mentor-app", name: "Mentors", defaultCountry: nil, providers: [],
        findsProviderByEmail: false))
    driver.handle(.page(.fieldEdited(.email, "mia@example.com")))
    driver.press(.login)
    #expect(!driver.isCalling)
    #expect(driver.signIn?.missing.contains(.password) == true)
  }

  @Test("A rider can use a provider too")
  func rider() {
    var driver = RiderDriver()
    driver.handle(.started(utcOffsetSeconds: 3600, app: .rider))
    driver.handle(.storage(.read(.absent)))
    driver.answer(
      200,
      AppEntry(
        id: "rider-app", name: "Riders", defaultCountry: "+47",
        providers: FlowDriver.mentorApp.providers, findsProviderByEmail: false
      ).json)
    driver.handle(.home(.itemPressed(.provider, item: "vipps")))
    driver.handle(.signIn(.verifierMade(verifier: Secret("verifier"), challenge: "challenge")))
    #expect(driver.lastCall?.call.form?["provider"] == "vipps")
  }

  @Test("A second choice replaces the stored sign-in of the first")
  func secondChoice() {
    var driver = MentorDriver.atProvider()
    driver.handle(.device(.shown))
    driver.handle(.home(.itemPressed(.provider, item: "vipps")))
    #expect(driver.effects.contains(.erasePendingSignIn))
    driver.comeBack("code=c1&state=challenge")
    #expect(driver.call(to: Endpoint.token.path) == nil)
  }
}
