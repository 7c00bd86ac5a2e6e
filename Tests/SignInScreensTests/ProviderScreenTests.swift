import JSONText
import SignInEngine
import SignInFlow
import SignInModel
import Testing

@testable import SignInScreens
@testable import SignInWire

/// The buttons of the providers, and the screens of a sign-in at one of them (P-03, P-10).
@Suite struct ProviderScreenTests {
  private static let providers = [
    AppEntry.Provider(name: "bankid", label: "BankID", isAvailable: true),
    AppEntry.Provider(name: "vipps", label: "Vipps", isAvailable: true),
    AppEntry.Provider(name: "city", label: "City", isAvailable: false),
  ]

  private func opened(
    lastUsed: String? = nil, byEmail: Bool = false, locale: [String] = ["en-GB"]
  ) -> AppScreenDriver<ActivitiesHome> {
    opened(.mentor, lastUsed: lastUsed, byEmail: byEmail, locale: locale)
  }

  private func opened<Home: HomeScreen>(
    _ app: AppProfile, lastUsed: String? = nil, byEmail: Bool = false,
    locale: [String] = ["en-GB"]
  ) -> AppScreenDriver<Home> {
    let known = JSON.members([
      JSONMember("providers", .array(Self.providers.map { $0.json })),
      JSONMember("provider_by_email", byEmail), JSONMember("last", ifPresent: lastUsed),
    ])
    var driver = AppScreenDriver<Home>()
    driver.handle(
      .started(
        utcOffsetSeconds: 0, app: app, locale: LocalePreferences(listed: locale),
        providers: String(decoding: known.utf8, as: UTF8.self)))
    driver.handle(.storage(.read(.absent)))
    return driver
  }

  private func buttons<Home>(_ driver: AppScreenDriver<Home>) -> [Button] {
    for case .actions("providers", let buttons) in driver.screen.parts { return buttons }
    return []
  }

  private func choose<Home>(_ name: String, _ driver: inout AppScreenDriver<Home>) {
    driver.handle(.home(.itemPressed(.provider, item: name)))
  }

  @Test("P-10 the last used provider is the first, and one that is not available says so")
  func order() {
    let buttons = buttons(opened(lastUsed: "vipps"))
    #expect(
      buttons.map(\.label) == ["Sign in with Vipps", "Sign in with BankID", "Sign in with City"])
    #expect(buttons.map(\.reason) == ["Last used", nil, "Not available now"])
    #expect(buttons.map(\.isEnabled) == [true, true, false])
    #expect(buttons.map(\.item) == ["vipps", "bankid", "city"])
  }

  @Test("P-10 an app without providers shows neither buttons nor a line")
  func none() {
    let screen = ScreenDriver.credentials().screen
    #expect(!screen.parts.contains { if case .divider = $0 { true } else { false } })
    #expect(buttons(ScreenDriver.credentials()).isEmpty)
  }

  @Test("P-10 a rider sees the providers too")
  func rider() {
    let driver: RiderScreenDriver = opened(.rider)

    #expect(buttons(driver).count == 3)
  }

  @Test("P-10 only if an address can find a provider, the password may be empty")
  func help() {
    for byEmail in [true, false] {
      var driver = opened(byEmail: byEmail)
      driver.handle(.page(.fieldEdited(.email, "mia@example.com")))
      var help: String?
      var isEnabled = false
      for part in driver.screen.parts {
        if case .field(let field) = part, field.id == "password" { help = field.help }
        if case .button(let button) = part, button.id == "login" { isEnabled = button.isEnabled }
      }
      #expect((help != nil) == byEmail)
      #expect(isEnabled == byEmail)
    }
  }

  @Test("P-03 while a request runs, no provider can be chosen")
  func busy() {
    var driver = opened()
    driver.handle(.page(.fieldEdited(.email, "mia@example.com")))
    driver.handle(.page(.fieldEdited(.password, "x")))
    driver.press(.login)
    #expect(buttons(driver).allSatisfy { !$0.isEnabled })
  }

  @Test(
    "P-02 the screens of a sign-in name the provider and can be left", arguments: [true, false])
  func screens(isComing: Bool) {
    var driver = opened()
    choose("bankid", &driver)
    driver.handle(.signIn(.verifierMade(verifier: Secret("v"), challenge: "c")))
    if isComing {
      var error = Refusal(.redirectToWeb)
      error.requestURI = "urn:r"
      driver.refuse(error)
      driver.handle(.storage(.pendingSignInSaved(true)))
      driver.handle(.signIn(.providerReturned(Secret("code=c1&state=c"))))
    }
    let screen = driver.screen
    #expect(screen.title == "Sign in with BankID – Fieldpass")
    #expect(screen.back == "cancel")
    var label: String?
    for case .progress(_, let text) in screen.parts { label = text }
    #expect(label == (isComing ? "Completing the sign-in…" : "Opening the sign-in page…"))
  }

  @Test("P-03 a notice names the provider, in the person's language")
  func notice() {
    var driver = opened(locale: ["nb-NO"])
    choose("vipps", &driver)
    driver.handle(.signIn(.verifierMade(verifier: Secret("v"), challenge: "c")))
    driver.refuse(Refusal(.invalidRequest))
    var text: String?
    for case .lead(_, _, let banner) in driver.screen.parts { text = banner?.text }
    #expect(text == "Innlogging med Vipps er ikke satt opp riktig. Kontakt administratoren.")
  }

  @Test("P-10 if the address decided, a notice speaks of the organization")
  func organization() {
    var driver = opened(byEmail: true)
    driver.handle(.page(.fieldEdited(.email, "mia@example.com")))
    driver.press(.login)
    driver.handle(.signIn(.verifierMade(verifier: Secret("v"), challenge: "c")))
    #expect(driver.screen.title == "Sign in with your organization – Fieldpass")
  }
}
