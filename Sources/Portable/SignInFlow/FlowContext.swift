public import SignInModel
import SignInWire

/// What all state machines share: the time, the running requests, and the keyboard focus.
public struct FlowContext: Equatable, Sendable {
  private var time = EventTime()
  public private(set) var focus: FocusRequest?
  public private(set) var locale = LocalePreferences()
  public private(set) var wallClock = WallClock()
  public private(set) var app = AppProfile.technician

  /// The owner of the offline copies; `nil` until a person is signed in.
  private(set) var copyOwner: OfflineCopyOwner?
  /// Whether this device can verify its owner; `nil` until the shell has said so.
  public private(set) var isLockPossible: Bool?

  private(set) var visibility = Visibility()

  /// The session that the stored place and the typed text belong to.
  private(set) var sessionName = ""

  /// A random name for this run of the app.
  private(set) var page = ""

  /// The place that is opened as soon as a person is signed in; empty for the first page.
  public private(set) var place = ""

  /// The organization whose session showed the place; `nil` if the person opened its address.
  private var placeOwner: PlaceOwner?

  private struct PlaceOwner: Equatable, Sendable {
    let organization: OrganizationID?
  }

  private var information = PublicInformation()

  /// The name for people of the provider of the last sign-in in this run; `nil` if the e-mail
  /// address decided.
  public private(set) var providerLabel: String?

  /// The e-mail of the last sign-in on this device, or the number of the last sign-up; empty after
  /// a sign-out.
  private(set) var username = ""

  /// The invitation from the link that opened the app, until it is used.
  private(set) var invitation: Secret?

  /// The query of the address that the browser came back to, until it is used.
  private var providerResult: Secret?

  private var requests = RequestQueue()

  /// The replies to the embedding app that it has not taken yet.
  private var replies: [TicketReply] = []

  typealias QueuedRequest = RequestQueue.QueuedRequest

  init() {}

  mutating func setTime(at device: Instant, steady: Int64? = nil) {
    time.set(at: device, steady: steady)
  }

  /// The best estimate of the server's time.
  public var now: Instant { time.now }

  mutating func setApp(_ app: AppProfile, page: String, providers: String? = nil) {
    self.app = app
    self.page = page
    if let providers { information.restore(providers: providers) }
  }

  mutating func setLocale(_ locale: LocalePreferences, _ wallClock: WallClock) {
    self.locale = locale
    self.wallClock = wallClock
  }

  /// Opens the place of an address that the person opened, as soon as they are signed in.
  mutating func open(place: String) { (self.place, placeOwner) = (place, nil) }

  /// Opens the place that a session has shown when it continues, or at the next sign-in to the same
  /// organization (S-05).
  mutating func reopen(place: String, of record: SessionRecord) {
    self.place = place
    placeOwner = PlaceOwner(organization: record.terms.organization)
  }

  mutating func takePlace(in record: SessionRecord) -> String {
    defer { open(place: "") }
    guard let placeOwner else { return place }
    return placeOwner.organization == record.terms.organization ? place : ""
  }

  mutating func setLanguage(_ language: Language) { locale.choose(language) }

  mutating func setOwner(_ owner: OfflineCopyOwner?) { copyOwner = owner }

  var clockReadings: LastActivity.ClockReadings { time.readings }

  /// Starts with the time difference that an earlier run of the app learned.
  mutating func restoreTime(serverAheadMilliseconds: Int64?) {
    if let serverAheadMilliseconds { time.restore(aheadMilliseconds: serverAheadMilliseconds) }
  }

  /// How far the server's time is ahead of the device's clock, as known now.
  var serverAheadMilliseconds: Int64 { time.serverAheadMilliseconds }

  /// Whether the moment is after the last event, and not after this one.
  func hasJustPassed(_ moment: Instant) -> Bool { time.hasJustPassed(moment) }

  mutating func moveFocus(to target: FocusTarget) {
    focus = FocusRequest(target: target, serial: (focus?.serial ?? 0) + 1)
  }

  /// Whether the app is hidden now, in any stage.
  var isHidden: Bool { visibility.hiddenAt != nil }

  mutating func watch(_ event: DeviceEvent) {
    switch event {
    case .hidden: visibility.hide(at: clockReadings)
    case .shown: visibility.show()
    case .userActiveInOtherTab: restartHiddenTime()
    case .used, .networkReturned: break
    }
  }

  /// Marks the app as visible, because the person did something in it.
  mutating func use() { if isHidden { visibility.show() } }

  mutating func watch(_ event: SignInEvent) {
    switch event {
    case .invited(let invitation): self.invitation = invitation
    case .providerReturned(let query): providerResult = query
    case .verifierMade: break
    }
  }

  mutating func forgetInvitation() { invitation = nil }

  var hasProviderResult: Bool { providerResult != nil }

  mutating func takeProviderResult() -> Secret? {
    defer { providerResult = nil }
    return providerResult
  }

  /// Starts with the username that an earlier run of the app stored.
  mutating func restore(username: Secret?) { self.username = username?.revealed ?? "" }

  mutating func remember(username: String) -> [Effect] {
    self.username = username
    return storeUsername()
  }

  /// Stores the username again, because the end of a session erases everything beside it.
  func storeUsername() -> [Effect] {
    username.isEmpty ? [] : [.saveUsername(Secret(username))]
  }

  mutating func forgetUsername() -> [Effect] {
    guard !username.isEmpty else { return [] }
    username = ""
    return [.saveUsername(nil)]
  }

  mutating func setProvider(label: String?) { providerLabel = label }

  /// The calling code of the server's configuration; `nil` until the server has sent it.
  var callingCode: String? { information.callingCode }

  /// The identity providers of this app.
  public var providerMenu: ProviderMenu { information.providerMenu }

  /// Remembers the provider of a completed sign-in.
  mutating func useProvider(_ name: String) -> [Effect] { information.use(name) }

  /// Restarts the hidden time, because the person was active just now although this tab is hidden.
  mutating func restartHiddenTime() { visibility.restartHiddenTime(at: clockReadings) }

  mutating func name(session: String) { sessionName = session }

  mutating func learnLock(isPossible: Bool) { isLockPossible = isPossible }

  // MARK: Requests

  mutating func start(_ call: Call) -> (id: RequestID, effect: Effect) {
    let id = requests.next()
    return (id, start(call, as: id))
  }

  mutating func start(_ call: Call, as id: RequestID) -> Effect {
    requests.start(call, as: id, at: now)
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
    guard information.needsRequest else { return [] }
    let (id, effect) = start(.publicInformation(about: app))
    information.begin(id)
    return [effect]
  }

  /// Handles the answer to `askAboutApp`; `nil` for the answer to another request.
  ///
  /// If the request failed, the known values remain.
  mutating func takeAboutApp(_ id: RequestID, _ answer: Answer) -> [Effect]? {
    information.take(id, answer)
  }

  // MARK: API requests and answers

  /// Adds an API request for the signed-in account.
  ///
  /// The session sends it.
  mutating func ask(_ apiRequest: APIRequest) -> RequestID { requests.add(apiRequest) }

  mutating func reply(_ content: TicketReply.Content, to ticket: Int64) {
    replies.append(TicketReply(ticket: ticket, content: content))
  }

  mutating func takeReplies() -> [TicketReply] {
    defer { replies = [] }
    return replies
  }

  mutating func takeQueuedRequests() -> [QueuedRequest] { requests.takeQueued() }

  /// Makes an idempotency key that no other request of this app has, also not after a restart.
  mutating func makeIdempotencyKey() -> String {
    page + "-" + String(now.milliseconds) + "-" + String(requests.next().number)
  }

  /// What to do with an answer: ignore it, send the request again, or handle it.
  enum ReceivedAnswer { case late, repeated(Effect), counts }

  /// Learns the server's time from the answer.
  ///
  /// If the server refuses a proof, the request is sent again once, with the time just learned.
  /// Only the device's clock was wrong (RFC 9449, section 11.1).
  mutating func receive(_ id: RequestID, _ answer: Answer) -> ReceivedAnswer {
    guard let call = requests.take(id) else { return .late }
    if case .received(_, _, let seconds?) = answer { time.learn(serverSeconds: seconds) }
    guard answer.refusal == .invalidProof, let effect = requests.sendAgain(call, at: now) else {
      return .counts
    }
    return .repeated(effect)
  }

  /// Removes this request, so that its answer is ignored.
  mutating func forget(_ id: RequestID) { requests.forget(id) }

  /// Removes all running requests, so that their answers are ignored.
  ///
  /// Only revocations continue, because they do not belong to the signed-in account.
  mutating func forgetCalls() { requests.forgetAll() }
}
