import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow
@testable import SignInScreens

/// The screens of a lock, of the sessions, and before an idle end.
@Suite struct SessionScreenTests {
  private static let card = #"{"version":1,"name":"Tess Technician","organization":"north"}"#

  private func locked() -> ScreenDriver {
    var driver = ScreenDriver()
    driver.handle(.started(utcOffsetSeconds: 0, locale: ScreenDriver.britain))
    driver.handle(.storage(.read(.locked(card: Secret(Self.card)))))
    return driver
  }

  private func sheet(_ driver: ScreenDriver) -> (title: String, text: String, buttons: [String])? {
    for part in driver.parts {
      if case .sheet(_, let title, let text, _, let buttons) = part {
        return (title, text.plain, buttons.map { $0.id })
      }
    }
    return nil
  }

  private func menu(_ driver: ScreenDriver) -> [String] {
    driver.screen.header?.menu.items.map { $0.id } ?? []
  }

  private func text(_ driver: ScreenDriver) -> String { driver.screen.json.utf8.text }

  // MARK: The lock

  @Test("S-02 a locked app names its account and offers two ways in, with focus on the first")
  func lockedScreen() {
    let driver = locked()

    #expect(driver.screen.id == "app-lock")
    #expect(driver.text("who") == "Tess Technician")
    #expect(driver.button(.unlock)?.isBusy == false)
    #expect(driver.button(.useAnotherWay) != nil)
    #expect(driver.screen.focus?.part == "unlock")
    #expect(driver.screen.header == nil)
  }

  @Test("S-02 during unlocking the button is busy; after a cancelled prompt the screen explains")
  func unlocking() {
    var driver = locked()
    driver.press(.unlock)
    #expect(driver.button(.unlock)?.isBusy == true)

    driver.handle(.session(.unlockFailed(.cancelled)))

    #expect(driver.button(.unlock)?.isBusy == false)
    #expect(driver.banner?.text.hasPrefix("Fieldpass is still locked.") == true)
  }

  private static let passkey =
    "Your device may still list a passkey named “Fieldpass”. It opens nothing any more. "
    + "You can delete it in the settings of the device."

  @Test("S-04 P-07 after a sign-out the person reads that the passkey of the lock remains")
  func passkeyLeft() {
    var driver = locked()
    driver.press(.unlock)
    driver.handle(.session(.unlocked(.value(Secret(ScreenDriver.session)))))
    driver.press(.signOut)

    #expect(driver.banner?.text == "You're signed out. " + Self.passkey)
    #expect(driver.spoken.first?.text == driver.banner?.text)

    var without = ScreenDriver.jobs([])
    without.press(.signOut)
    #expect(without.banner?.text == "You're signed out.")
  }

  @Test("T-07 L-20 no screen without a network says that the person is still signed in")
  func notKnown() throws {
    var driver = ScreenDriver()
    driver.time = driver.time.adding(seconds: 10 * 86_400)
    driver.handle(.started(utcOffsetSeconds: 0, locale: ScreenDriver.britain))
    driver.handle(.storage(.read(.value(ScreenDriver.session), seen: ScreenDriver.seen)))
    driver.handle(.storage(.renewalClaimed(.value(ScreenDriver.session))))
    for effect in driver.effects {
      guard case .call(let id, _) = effect else { continue }
      driver.handle(.answered(id, .noNetwork))
    }
    #expect(driver.screen.id == "confirming")
    #expect(text(driver).contains("check whether your session has ended"))
    #expect(!text(driver).contains("still signed in"))

    driver = ScreenDriver()
    driver.handle(.started(utcOffsetSeconds: 0, locale: ScreenDriver.britain))
    driver.handle(.storage(.read(.temporarilyUnreadable)))
    #expect(driver.screen.id == "storage")
    #expect(!text(driver).contains("still signed in"))
  }

  @Test("P-07 a lock is offered over the home screen and can be declined")
  func offer() {
    var driver = ScreenDriver.code()
    driver.handle(.page(.fieldEdited(.code, "123456")))
    driver.answer(200, .members([JSONMember("authorization_code", "c")]))
    driver.answer(200, Self.tokens.json)

    driver.handle(.session(.lockSupportChecked(true)))

    #expect(sheet(driver)?.buttons == ["set_lock", "not_now"])
    #expect(driver.screen.focus?.part == "sheet")
    driver.press(.notNow)
    #expect(sheet(driver) == nil)
    #expect(menu(driver).contains("set_lock"))
  }

  private static let tokens = TokenAnswer(
    accessToken: Secret("a"), tokenType: "DPoP", expiresIn: 600, refreshToken: Secret("r"),
    idToken: nil, scope: "",
    session: TokenAnswer.SessionTerms(
      id: SessionID("s"), expiresAt: ScreenDriver.startTime.adding(seconds: 86400),
      idleTimeout: 3600,
      backgroundTimeout: 300, unlock: "none", organization: nil
    )
  )

  @Test("S-06 during the server check no data of the session is visible")
  func confirming() {
    var before = ScreenDriver.jobs([ScreenDriver.job("1", hours: 1)])
    before.handle(.device(.hidden))
    before.time = before.time.adding(seconds: 3600)

    before.handle(.device(.shown))

    #expect(before.screen.id == "confirming")
    #expect(!text(before).contains("Job 1"))
  }

  // MARK: Idle

  @Test(
    "S-07 before the idle timeout a sheet counts down, and one press continues the session")
  func idleWarning() {
    var driver = ScreenDriver.jobs([])
    for _ in 0..<357 { driver.pass(seconds: 10) }

    #expect(sheet(driver)?.title == "Are you still there?")
    #expect(sheet(driver)?.buttons == ["stay_signed_in", "sign_out"])
    let first = sheet(driver)?.text
    driver.pass(seconds: 1)
    #expect(sheet(driver)?.text != first)
    driver.press(.staySignedIn)
    #expect(sheet(driver) == nil)
  }

  // MARK: Other sessions of the person

  private func sessions(of account: AccountAnswer? = nil) -> ScreenDriver {
    var driver = ScreenDriver()
    driver.handle(.started(utcOffsetSeconds: 0, locale: ScreenDriver.britain))
    driver.handle(.storage(.read(.value(ScreenDriver.session), seen: ScreenDriver.seen)))
    for effect in driver.effects {
      guard case .call(let id, let call) = effect, call.path == Endpoint.me.path else { continue }
      let body = account?.json ?? .null
      driver.handle(.answered(id, .received(status: 200, body: body, serverSeconds: nil)))
    }
    driver.press(.whereSignedIn)
    let device = DeviceName(browser: "Chrome", system: "Windows")?.json ?? .null
    let entries = [("s2", false), ("s", true), ("s3", false)].map { id, isCurrent in
      JSON.members([
        JSONMember("id", id), JSONMember("client_id", "technician-app"),
        JSONMember("organization", "north"),
        JSONMember("started_at", ScreenDriver.startTime.seconds),
        JSONMember("last_used_at", ScreenDriver.startTime.seconds),
        JSONMember("expires_at", ScreenDriver.startTime.adding(seconds: 86_400).seconds),
        JSONMember("current", isCurrent), id == "s2" ? JSONMember("device", device) : nil,
      ])
    }
    driver.answer(200, .members([JSONMember("sessions", .array(entries))]))
    return driver
  }

  private func cards(_ driver: ScreenDriver) -> [ActionCard] {
    for part in driver.parts { if case .actionCards(_, let cards) = part { return cards } }
    return []
  }

  private var account: AccountAnswer {
    AccountAnswer(
      id: AccountID("a"), name: "Tess", email: nil, phone: nil, role: "technician",
      organizations: [OrganizationEntry(id: OrganizationID("north"), name: "North Service")],
      session: ScreenDriver.terms)
  }

  @Test("S-05 a session shows the name of its organization, once the account is known")
  func organization() {
    #expect(cards(sessions(of: account)).first?.lines.first?.plain == "North Service")
  }

  @Test("T-16 while the own account is changed, its fields show what is sent and cannot be edited")
  func ownAccount() {
    var driver = sessions(of: account)
    driver.press(.openOwnAccount)
    #expect(driver.screen.id == "own-account")
    #expect(driver.field(.name)?.value == "Tess" && driver.field(.name)?.isEnabled == true)
    driver.press(.saveAccount)
    #expect(driver.field(.name)?.isEnabled == false && driver.field(.contact)?.isEnabled == false)
    #expect(driver.button(.saveAccount)?.isBusy == true)
    #expect(driver.button(.sendCode)?.isBusy == false)
  }

  @Test(
    "S-08 each session has device, app, organization and last use; the current one is first")
  func sessionList() {
    let driver = sessions()

    #expect(driver.screen.id == "sessions")
    #expect(driver.screen.back == "back")
    #expect(cards(driver).map { $0.id } == ["s", "s2", "s3"])
    #expect(cards(driver).first?.badge?.text == "This device")
    #expect(cards(driver).first?.button == nil)
    #expect(cards(driver).last?.button?.item == "s3")
    #expect(cards(driver).first?.lines.first?.plain == "north")
    #expect(cards(driver)[1].title == "Chrome on Windows")
    #expect(cards(driver)[1].lines[0].plain == cards(driver)[0].title)
    #expect(driver.button(.endOtherSessions) != nil)
  }

  @Test("S-08 a session is busy while it is ended, and its end is reported")
  func endSession() {
    var driver = sessions()

    driver.handle(.home(.itemPressed(.endSession, item: "s2")))
    #expect(sheet(driver)?.title == "Sign out Chrome on Windows?")
    driver.press(.confirm)
    #expect(sheet(driver) == nil)
    #expect(cards(driver)[1].button?.isBusy == true)
    #expect(cards(driver)[2].button?.isBusy == false)
    driver.answer(204, .null)

    #expect(driver.banner?.text == "Device signed out.")
    driver.press(.back)
    #expect(driver.screen.id == "jobs")
  }

  // MARK: Account updates

  @Test(
    "A number or an address of a provider is asked about in every language",
    arguments: ContactChannel.allCases, Language.allCases)
  func proposal(_ channel: ContactChannel, _ language: Language) throws {
    var context = FlowContext()
    context.setLocale(LocalePreferences(chosen: language), WallClock())
    let localizer = Localizer(context)
    let item = AccountUpdateItem.proposal(
      AccountUpdate.Proposal(
        id: "p", channel: channel, value: "+47 900 00 012", provider: "BankID"))

    let parts = localizer.parts(of: item)

    guard case .banner(let banner) = parts.first, case .actions(_, let buttons) = parts.last else {
      Issue.record("no banner with buttons")
      return
    }
    #expect(banner.text.contains("BankID") && banner.text.contains("+47 900 00 012"))
    #expect(banner.severity == .info)
    #expect(buttons.map(\.id) == ["accept_news", "dismiss_news"])
    #expect(Set(buttons.map(\.label)).count == 2)
    if language == .english {
      let (thing, use) =
        channel == .phone ? ("phone number", "number") : ("email", "email")
      #expect(
        banner.text == "BankID says your \(thing) is now +47 900 00 012. Use it here?")
      #expect(buttons.map(\.label) == ["Use the new \(use)", "Keep the old one"])
    }
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
