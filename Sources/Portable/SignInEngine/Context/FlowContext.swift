public import SignInModel
import SignInWire

/// What all state machines share: the time, the running requests, and the part of
/// the page that was opened last.
public struct FlowContext: Equatable, Sendable {
  private(set) var time = DeviceTime()
  private var personLocale = PersonLocale()
  public private(set) var shownPart: ShownPart?
  var run = AppRun()
  /// The open session; `nil` until a person is signed in.
  private(set) var session: SessionScope?
  var hints = SignInHints()
  private var requests = RequestQueue()

  typealias QueuedRequest = RequestQueue.QueuedRequest

  init() {}

  public var app: AppProfile { run.profile }
  public var locale: LocalePreferences { personLocale.preferences }
  public var wallClock: WallClock { personLocale.wallClock }
  /// Whether this device can verify its owner; `nil` until the shell has said so.
  public var isLockPossible: Bool? { run.isLockPossible }
  /// The place that is opened as soon as a person is signed in; empty for the first page.
  public var place: String { run.opened.place }

  // MARK: Time

  mutating func setTime(at device: Instant, steady: Int64? = nil) {
    time.clocks.set(at: device, steady: steady)
  }

  /// The best estimate of the server's time.
  public var now: Instant { time.clocks.now }

  var clockReadings: LastActivity.ClockReadings { time.clocks.readings }

  /// Starts with the time difference that an earlier run of the app learned.
  mutating func restoreTime(serverAheadMilliseconds: Int64?) {
    if let serverAheadMilliseconds {
      time.clocks.restore(aheadMilliseconds: serverAheadMilliseconds)
    }
  }

  /// How far the server's time is ahead of the device's clock, as known now.
  var serverAheadMilliseconds: Int64 { time.clocks.serverAheadMilliseconds }

  /// Whether the moment is after the last event, and not after this one.
  package func hasJustPassed(_ moment: Instant) -> Bool { time.clocks.hasJustPassed(moment) }

  /// Whether the app is hidden now, in any stage.
  var isHidden: Bool { time.isHidden }

  mutating func watch(_ event: DeviceEvent) { time.watch(event) }

  /// Records that the app is open, visible or in the background.
  mutating func opened() { time.opened() }

  /// Marks the app as visible, because the person did something in it.
  mutating func use() { time.use() }

  /// Restarts the hidden time, because the person was active just now although this tab is hidden.
  mutating func restartHiddenTime() { time.restartHiddenTime() }

  // MARK: App, person and session

  mutating func setApp(_ app: AppProfile, page: String, providers: String? = nil) {
    run.profile = app
    run.page = page
    if let providers { hints.information.restore(providers: providers) }
  }

  mutating func setLocale(_ locale: LocalePreferences, _ wallClock: WallClock) {
    personLocale = PersonLocale(preferences: locale, wallClock: wallClock)
  }

  mutating func setLanguage(_ language: Language) { personLocale.preferences.choose(language) }

  mutating func open(_ record: SessionRecord) {
    session = SessionScope(record, clientID: app.clientID)
  }

  /// The session that the stored place and the typed text belong to.
  package var sessionName: String { session?.name ?? "" }

  /// The owner of the offline copies; `nil` if the access token does not name the account.
  package var copyOwner: OfflineCopyOwner? { session?.copyOwner }

  /// A random name that no other run and no other tab has.
  package var runName: String { run.page }

  package mutating func show(_ part: PagePart) {
    shownPart = ShownPart(part: part, serial: (shownPart?.serial ?? 0) + 1)
  }

  /// Remembers the username of a sign-up for the next run of the app.
  package mutating func remember(username: String) -> [Effect] {
    hints.remember(username: username)
  }

  /// Forgets that username, because the person can sign in.
  package mutating func forgetUsername() -> [Effect] { hints.forgetUsername() }

  /// Forgets the invitation of the opened address, because the person has used or refused it.
  package mutating func forgetInvitation() { run.opened.invitation = nil }

  /// The name for people of the provider of the last sign-in in this run; `nil` if the e-mail
  /// address decided.
  public var providerLabel: String? { hints.providerLabel }

  /// Whether the session that ended in this run left the passkey of its lock on the device.
  public var hasLeftPasskey: Bool { hints.hasLeftPasskey }

  /// The identity providers of this app.
  public var providerMenu: ProviderMenu { hints.information.providerMenu }

  // MARK: Requests

  package mutating func start(_ call: Call) -> (id: RequestID, effect: Effect) {
    let id = requests.next()
    return (id, start(call, as: id))
  }

  mutating func start(_ call: Call, as id: RequestID) -> Effect {
    requests.start(call, as: id, at: now)
  }

  /// Starts a renewal of the session, for which the app has the claim.
  mutating func startRenewal(_ call: Call) -> (id: RequestID, effect: Effect) {
    let id = requests.next()
    return (id, requests.start(call, as: id, at: now, isRenewal: true))
  }

  /// The first request of a sign-in, without the credentials.
  ///
  /// `challenge` is the S256 code challenge of a verifier that only this device has (RFC 7636,
  /// section 4.3).
  func signInForm(challenge: String) -> ChallengeForm {
    var form = ChallengeForm(clientID: app.clientID, scope: app.scope, s256Challenge: challenge)
    form.uiLocales = locale.uiLocales
    return form
  }

  mutating func startSignIn(_ form: ChallengeForm) -> (id: RequestID, effect: Effect) {
    start(.post(.challenge, form.form, .proof))
  }

  /// Requests the server's public information about this app, once.
  mutating func askAboutApp() -> [Effect] {
    guard hints.information.needsRequest else { return [] }
    let (id, effect) = start(.publicInformation(about: app))
    hints.information.begin(id)
    return [effect]
  }

  // MARK: API requests and answers

  /// Adds an API request for the signed-in account.
  ///
  /// The session sends it.
  package mutating func ask(_ apiRequest: APIRequest) -> RequestID { requests.add(apiRequest) }

  mutating func reply(_ content: TicketReply.Content, to ticket: Int64) {
    requests.reply(TicketReply(ticket: ticket, content: content))
  }

  mutating func takeReplies() -> [TicketReply] { requests.takeReplies() }

  mutating func takeQueuedRequests() -> [QueuedRequest] { requests.takeQueued() }

  /// Makes an idempotency key that no other request of this app has, also not after a restart.
  package mutating func makeIdempotencyKey() -> String {
    run.page + "-" + String(now.milliseconds) + "-" + String(requests.next().number)
  }

  /// What to do with an answer: send the request again, or handle it.
  ///
  /// A late answer is not awaited any more. It can only release a claim.
  enum ReceivedAnswer { case late, repeated(Effect), counts }

  /// Learns the server's time from the answer.
  ///
  /// If the server refuses a proof, the request is sent again once, with the time just learned.
  /// Only the device's clock was wrong (RFC 9449, section 11.1).
  mutating func receive(_ id: RequestID, _ answer: Answer) -> ReceivedAnswer {
    guard let call = requests.take(id) else { return .late }
    if case .received(_, _, let seconds?) = answer { time.clocks.learn(serverSeconds: seconds) }
    guard answer.refusal == .invalidProof, let effect = requests.sendAgain(call, at: now) else {
      return .counts
    }
    return .repeated(effect)
  }

  /// Removes this request, so that its answer is ignored.
  mutating func forget(_ id: RequestID) { requests.forget(id) }

  /// Removes all running requests.
  ///
  /// Their answers are ignored, but the answer to a renewal still releases its claim
  /// (`ForgottenRenewal`). Only revocations and the request for public information continue,
  /// because they do not belong to the signed-in account.
  package mutating func forgetCalls() { requests.forgetAll(except: hints.information.request) }

  /// Whether the claim of a forgotten renewal lasts until its request has ended.
  var hasForgottenRenewal: Bool { requests.hasForgottenRenewal }

  /// Delays a claim in the effects until the request of a forgotten renewal has ended.
  mutating func delayClaim<Page>(in effects: [AppEffect<Page>]) -> [AppEffect<Page>] {
    requests.delayClaim(in: effects)
  }

  /// Releases the claim of a forgotten renewal, if its request has ended with this late answer.
  mutating func releaseClaim(of id: RequestID) -> [Effect] { requests.release(id) }
}
