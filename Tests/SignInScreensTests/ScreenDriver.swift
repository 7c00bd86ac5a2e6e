import JSONText
import SignInEngine
import SignInFlow
import SignInModel

@testable import SignInScreens
@testable import SignInWire

/// An app on one screen, with easy access to the parts of the screen.
struct AppScreenDriver<Home: HomeScreen> {
  static var startTime: Instant { Instant(seconds: 1_700_000_000) }

  var flow = AppFlow<Home>()
  var time = Self.startTime
  var output: [PageEffect] = []

  var screen: Screen { flow.screen }

  mutating func handle(_ event: Event) { output = flow.handle(event, at: time) }

  mutating func press(_ button: ButtonName) { handle(.page(.buttonPressed(button))) }

  mutating func pass(seconds: Int64) {
    time = time.adding(seconds: seconds)
    handle(.ticked)
  }

  mutating func answer(_ status: Int64, _ body: JSON) {
    for effect in effects.reversed() {
      guard case .call(let id, _) = effect else { continue }
      handle(.answered(id, .received(status: status, body: body, serverSeconds: time.seconds)))
      return
    }
  }

  mutating func refuse(_ error: Refusal) { answer(Int64(error.code.status), error.json) }

  // MARK: Steps

  static func credentials() -> Self {
    var driver = Self()
    driver.handle(.started(utcOffsetSeconds: 0, locale: britain))
    driver.handle(.storage(.read(.absent)))
    return driver
  }

  /// A person with the 24-hour format.
  static var britain: LocalePreferences { LocalePreferences(listed: ["en-GB"]) }

  static func submitting() -> Self {
    var driver = credentials()
    driver.handle(.page(.fieldEdited(.email, "tech@example.com")))
    driver.handle(.page(.fieldEdited(.password, "demo-Technician-1")))
    driver.press(.login)
    driver.handle(.signIn(.verifierMade(verifier: Secret("v"), challenge: "c")))
    return driver
  }

  static func refused(_ code: ErrorCode) -> Self {
    var driver = submitting()
    driver.refuse(Refusal(code))
    return driver
  }

  static func code(attemptsLeft: Int64 = 5) -> Self {
    var driver = submitting()
    driver.sendCode(attemptsLeft: attemptsLeft)
    return driver
  }

  mutating func sendCode(attemptsLeft: Int64 = 5) {
    var error = Refusal(.insufficientAuthorization)
    error.authSession = Secret("s")
    error.challenge = CodePrompt(
      destination: "***-***-1234", digits: 6, expiresAt: time.adding(seconds: 300),
      resendAt: time.adding(seconds: 60), attemptsLeft: attemptsLeft
    )
    refuse(error)
  }

  static func wrongCode(attemptsLeft: Int64) -> Self {
    var driver = code()
    driver.handle(.page(.fieldEdited(.code, "000000")))
    var error = Refusal(.invalidOTP)
    error.attemptsLeft = attemptsLeft
    driver.refuse(error)
    return driver
  }

  static func locked(minutes: Int64 = 15) -> Self {
    var driver = submitting()
    var error = Refusal(.accountLocked)
    error.lockedUntil = driver.time.adding(seconds: minutes * 60)
    driver.refuse(error)
    return driver
  }

  static func reset() -> Self {
    var driver = credentials()
    driver.handle(.page(.fieldEdited(.email, "tech@example.com")))
    driver.press(.forgotPassword)
    return driver
  }

  static func resetCode() -> Self {
    var driver = reset()
    driver.press(.sendCode)
    let prompt = CodePrompt(
      destination: "***-***-1234", digits: 6, expiresAt: driver.time.adding(seconds: 300),
      resendAt: driver.time.adding(seconds: 60), attemptsLeft: 5
    )
    driver.answer(200, ResetAnswer(resetSession: Secret("s"), challenge: prompt).json)
    return driver
  }

  static func changingPassword() -> Self {
    var driver = resetCode()
    driver.handle(.page(.fieldEdited(.code, "123456")))
    driver.handle(.page(.fieldEdited(.newPassword, "qwertyui")))
    driver.press(.verify)
    return driver
  }

  /// A record of use at the start time.
  static var seen: String {
    let clockReadings =
      #"{"device":\#(startTime.milliseconds),"server":\#(startTime.milliseconds),"told":false}"#
    return #"{"version":1,"shown":\#(clockReadings),"used":\#(clockReadings)}"#
  }

  static func jobs(_ jobs: [JobEntry], utcOffsetSeconds: Int64 = 0) -> Self {
    var driver = Self()
    driver.handle(.started(utcOffsetSeconds: utcOffsetSeconds, locale: britain))
    driver.handle(.storage(.read(.value(session), seen: seen)))
    for effect in driver.effects {
      guard case .call(let id, let call) = effect, call.path == Endpoint.jobs.path else { continue }
      let body = JSON.members([JSONMember("jobs", .array(jobs.map { $0.json }))])
      driver.handle(.answered(id, .received(status: 200, body: body, serverSeconds: nil)))
    }
    return driver
  }

  static func job(_ id: String, hours: Int64, status: String = "scheduled") -> JobEntry {
    let start = startTime.adding(seconds: hours * 3600)
    return JobEntry(
      id: id, title: "Job \(id)", customer: "A. Larsen", place: "12 Harbour Road",
      startsAt: start, endsAt: start.adding(seconds: 3600), status: status
    )
  }

  static var terms: TokenAnswer.SessionTerms {
    TokenAnswer.SessionTerms(
      id: SessionID("s"), expiresAt: startTime.adding(seconds: 86400), idleTimeout: 3600,
      backgroundTimeout: 300, unlock: "none", organization: OrganizationID("north")
    )
  }

  static var session: String {
    let json = JSON.members([
      JSONMember("version", 2),
      JSONMember("access_token", "a"),
      JSONMember("access_expires_at", startTime.adding(seconds: 3600).seconds),
      JSONMember("refresh_token", "r"),
      JSONMember("session", terms.json),
    ])
    return String(decoding: json.utf8, as: UTF8.self)
  }

  // MARK: Parts

  /// The effects of the engine; a test sets earlier ones to answer their requests.
  var effects: [Effect] {
    get { output.compactMap { $0.ofEngine } }
    set { output = newValue.inApp() }
  }

  /// The parts of the screen, those of a list, and those of the opened item.
  var parts: [Part] {
    var parts: [Part] = []
    for part in screen.parts {
      if case .split(_, let list, let opened, _) = part { parts += list + opened }
      parts.append(part)
    }
    return parts
  }

  var banner: Banner? {
    for part in parts {
      switch part {
      case .lead(_, _, let banner): if let banner { return banner }
      case .banner(let banner): return banner
      default: continue
      }
    }
    return nil
  }

  func field(_ name: FieldName) -> Field? {
    for part in parts {
      if case .field(let field) = part, field.id == name.rawValue { return field }
    }
    return nil
  }

  func button(_ name: ButtonName) -> Button? {
    for part in parts {
      switch part {
      case .button(let button) where button.id == name.rawValue: return button
      case .toolbar(_, _, let button) where button.id == name.rawValue: return button
      default: continue
      }
    }
    return nil
  }

  func text(_ id: String) -> String? {
    for part in parts {
      switch part {
      case .title(id, let text), .note(id, let text, _): return text
      case .text(id, let phrase, _), .fact(id, _, let phrase, _), .lead(id, let phrase, _):
        return phrase.plain
      default: continue
      }
    }
    return nil
  }

  var sections: [Section] {
    for part in parts { if case .sections(_, let sections) = part { return sections } }
    return []
  }

  /// The announcements of the last event.
  var spoken: [LocalizedAnnouncement] {
    output.compactMap { effect in
      let announcement: Announcement
      switch effect {
      case .page(let said): announcement = said
      case .engine(.report(let report)): announcement = .report(report)
      case .engine: return nil
      }
      return LocalizedAnnouncement(announcement, in: flow.context, of: Home.self)
    }
  }
}

/// A technician, whose app most tests use.
typealias ScreenDriver = AppScreenDriver<JobsHome>

typealias RiderScreenDriver = AppScreenDriver<DashboardHome>

extension Phrase {
  /// The text, with `⟨…⟩` around each moment.
  var plain: String {
    var text = ""
    for piece in pieces {
      switch piece {
      case .words(let words), .unbroken(let words): text += words
      case .moment(let moment): text += "⟨\(moment.text)⟩"
      case .place(let place): text += "⟨\(place.town ?? "") \(place.country)⟩"
      }
    }
    return text
  }
}
