import EngineTesting
import JSONText
import SignInEngine
import SignInFlow
import SignInModel

@testable import SignInWire

/// One person's steps through the app as events.
///
/// The time is the device's.
struct AppDriver<Home: AppHome>: SessionDriver {
  var flow = AppFlow<Home>()
  var time = Self.startTime
  var serverAheadSeconds: Int64 = 0
  var output: [AppEffect<Home.Page>] = []
  var steady: Int64?

  mutating func handle(_ event: Event) {
    output = flow.receive(event.asJustSeen(at: time), at: time, steady: steady)
  }

  mutating func press(_ button: ButtonName) { handle(.page(.buttonPressed(button))) }

  mutating func pass(seconds: Int64) {
    elapse(seconds: seconds)
    handle(.ticked)
  }

  mutating func refuse(_ code: ErrorCode, _ change: (inout Refusal) -> Void = { _ in }) {
    var error = Refusal(code)
    change(&error)
    answer(Int64(code.status), error.json)
  }

  mutating func fail(_ answer: Answer = .noNetwork) {
    guard let id = lastCall?.id else { return }
    handle(.answered(id, answer))
  }

  // MARK: Reading

  /// The effects of the engine; a test sets earlier ones to answer their requests.
  var effects: [Effect] {
    get { output.compactMap { $0.ofEngine } }
    set { output = newValue.inApp() }
  }

  /// The newest request; the one for public information only if there is no other.
  var lastCall: (id: RequestID, call: Call)? {
    var information: (id: RequestID, call: Call)?
    for effect in effects.reversed() {
      guard case .call(let id, let call) = effect else { continue }
      if !effect.readsInformation { return (id, call) }
      information = (id, call)
    }
    return information
  }

  /// The effects without the request for public information about the app.
  var ownEffects: [Effect] { effects.filter { !$0.readsInformation } }

  /// Whether there is a request, apart from the one for public information.
  var isCalling: Bool {
    ownEffects.contains { if case .call = $0 { true } else { false } }
  }

  var announcements: [Announcement] {
    output.compactMap { ($0 as? PageEffect)?.announcement }
  }

  var signIn: TechnicianSignIn? {
    if case .signedOut(let form) = flow.stage { form as? TechnicianSignIn } else { nil }
  }

  var entry: CodeStep? {
    if case .enteringCode(let code)? = signIn?.step { code.entryAtRest } else { nil }
  }

  var signedIn: SignedIn<Home>? {
    if case .signedIn(let signedIn) = flow.stage { signedIn } else { nil }
  }

  var renewingSession: RenewingSession? { signedIn?.renewingSession }

  var focus: PagePart? { flow.context.focus?.part }

  // MARK: Places to start from

  static func opened() -> Self {
    var driver = Self()
    driver.handle(.started(utcOffsetSeconds: 3600))
    return driver
  }

  static func atCredentials() -> Self {
    var driver = opened()
    driver.handle(.storage(.read(.absent)))
    return driver
  }

  static func typed(password: String = "demo-Technician-1") -> Self {
    var driver = atCredentials()
    driver.handle(.page(.fieldEdited(.email, "tech@example.com")))
    driver.handle(.page(.fieldEdited(.password, password)))
    return driver
  }

  static func submitting() -> Self {
    var driver = typed()
    driver.submit()
    return driver
  }

  mutating func submit() {
    press(.login)
    handle(.signIn(.verifierMade(verifier: Secret("verifier"), challenge: "challenge")))
  }

  static func atCode() -> Self {
    var driver = submitting()
    driver.sendCode()
    return driver
  }

  static func checking() -> Self {
    var driver = atCode()
    driver.handle(.page(.fieldEdited(.code, "123456")))
    return driver
  }

  static func resending() -> Self {
    var driver = atCode()
    driver.pass(seconds: 60)
    driver.press(.resend)
    return driver
  }

  static func redeeming() -> Self {
    var driver = checking()
    driver.answer(200, .members([JSONMember("authorization_code", "code-1")]))
    return driver
  }

  static func signedIn() -> Self {
    var driver = redeeming()
    driver.answer(200, tokens(1, expiresIn: 300).json)
    return driver
  }

  /// From the login screen to the first screen after it, with its requests.
  mutating func signInAgain(_ number: Int64 = 1) {
    handle(.page(.fieldEdited(.email, "tech@example.com")))
    handle(.page(.fieldEdited(.password, "demo-Technician-1")))
    submit()
    sendCode()
    handle(.page(.fieldEdited(.code, "123456")))
    answer(200, .members([JSONMember("authorization_code", "code-1")]))
    answer(200, Self.tokens(number, expiresIn: 300).json)
  }

  static func atJobs() -> Self {
    var driver = signedIn()
    driver.answerJobs()
    return driver
  }

  mutating func answerJobs() {
    let calls = effects
    if calls.readsScreenState { handle(.home(.screenStateRead(nil))) }
    for effect in calls {
      guard case .call(let id, let call) = effect, call.path != Endpoint.sessionEvents.path else {
        continue
      }
      let body = call.path == Endpoint.me.path ? Self.account.json : jobsBody
      handle(.answered(id, .received(status: 200, body: body, serverSeconds: serverNow.seconds)))
    }
  }

  static func locked(minutes: Int64 = 15) -> Self {
    var driver = submitting()
    driver.lockOut(minutes: minutes)
    return driver
  }

  // MARK: Answers of the server

  var jobsBody: JSON {
    let job = JobEntry(
      id: "j1", title: "Boiler inspection", customer: "A. Larsen", place: "12 Harbour Road",
      startsAt: serverNow, endsAt: serverNow.adding(seconds: 3600), status: "scheduled"
    )
    return .members([JSONMember("jobs", .array([job.json]))])
  }
}

/// A technician, whose app most tests use.
typealias FlowDriver = AppDriver<JobsHome>

extension FlowDriver {
  var jobs: FetchedValue<JobsAnswer>? { signedIn?.home.answer.fetched }
}

extension AppFlow {
  /// Handles an event of the tests.
  ///
  /// An app that draws its own screens has no pages, so no action on one can happen in it.
  mutating func receive(
    _ event: SignInFlow.Event, at time: Instant, steady: Int64? = nil
  ) -> [AppEffect<Home.Page>] {
    guard let event = event as? AppEvent<Home.Page> ?? event.withoutPage as? AppEvent<Home.Page>
    else { return [] }
    return handle(event, at: time, steady: steady)
  }
}

extension AppEvent {
  /// The same event for an app without pages; `nil` for an action on a page.
  fileprivate var withoutPage: AppEvent<NoPage>? {
    switch self {
    case .started(let offset, let app, let page, let place, let locale, let changes, let menu):
      .started(
        utcOffsetSeconds: offset, app: app, page: page, place: place, locale: locale,
        clockChanges: changes, providers: menu)
    case .signIn(let event): .signIn(event)
    case .storage(let event): .storage(event)
    case .session(let event): .session(event)
    case .answered(let id, let answer): .answered(id, answer)
    case .ticked: .ticked
    case .device(let event): .device(event)
    case .home(let event): event.withoutPage.map { .home($0) }
    case .intent(let intent): .intent(intent)
    case .page: nil
    }
  }
}

extension AppEvent.Home {
  fileprivate var withoutPage: AppEvent<NoPage>.Home? {
    switch self {
    case .networkChanged: .networkChanged
    case .placeOpened(let place): .placeOpened(place)
    case .offlineCopy(let event): .offlineCopy(event)
    case .screenStateRead(let text): .screenStateRead(text)
    case .requestMade(let request, let ticket): .requestMade(request, ticket: ticket)
    case .tokenAsked(let ticket): .tokenAsked(ticket: ticket)
    case .itemPressed, .rowsShown: nil
    }
  }
}

extension PageEffect {
  /// What a screen reader says; `nil` for an effect that the shell runs.
  var announcement: Announcement? {
    switch self {
    case .page(let announcement): announcement
    case .engine(.report(let report)): .report(report)
    case .engine: nil
    }
  }
}

extension Announcement {
  static var signingIn: Self { .report(.signingIn) }
  static var takingLong: Self { .report(.takingLong) }
  static var takingVeryLong: Self { .report(.takingVeryLong) }
  static var signedIn: Self { .report(.signedIn) }
  static var appLocked: Self { .report(.appLocked) }
  static var unlocking: Self { .report(.unlocking) }
  static var switchingOrganization: Self { .report(.switchingOrganization) }

  static func notice(_ notice: Notice) -> Self { .report(.notice(notice)) }
  static func codeSent(destination: String) -> Self { .report(.codeSent(destination: destination)) }
  static func idleWarning(until: Instant) -> Self { .report(.idleWarning(until: until)) }
  static func accountUpdate(_ item: AccountUpdateItem) -> Self { .report(.accountUpdate(item)) }
}

extension Effect {
  var readsInformation: Bool {
    if case .call(_, let call) = self { call.path.hasPrefix("/apps/") } else { false }
  }
}

extension [Effect] {
  var readsScreenState: Bool {
    contains { if case .readScreenState = $0 { true } else { false } }
  }
}

extension CodeStep {
  /// `nil` while a request is in progress.
  var entryAtRest: CodeStep? { verification.activity == .entering ? self : nil }

  var prompt: CodePrompt { verification.prompt }

  func canResend(at now: Instant) -> Bool { verification.canResend(at: now) }
}
