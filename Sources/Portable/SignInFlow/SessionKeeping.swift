import JSONText
public import SignInModel
public import SignInWire

/// A signed-in person: what the home screen shows, and a session that renews itself until the
/// server ends it.
///
/// Renewal is one at a time, in this app and across tabs: claim ─▶ call ─▶ save ─▶ release. What
/// storage holds at the claim decides: another tab may have renewed already, or signed out.
public struct SessionKeeping: Equatable, Sendable {
  /// An access token is renewed this long before it ends.
  static let renewalMarginSeconds: Int64 = 30
  static let firstRetrySeconds: Int64 = 5
  static let lastRetrySeconds: Int64 = 60

  public enum Jobs: Equatable, Sendable {
    case unknown
    case listed([JobEntry], asOf: Instant)
    case dashboard(DashboardAnswer, asOf: Instant)
  }

  enum Ending: Equatable, Sendable {
    /// The server, or another tab, ended the session.
    case over(Notice)
    /// The person signed out here: the server must still learn that this token is to end.
    case left(Secret)
  }

  enum Renewal: Equatable, Sendable {
    case idle
    case claiming
    case calling(RequestID)
  }

  public private(set) var record: SessionRecord
  public private(set) var account: AccountAnswer?
  public private(set) var jobs: Jobs = .unknown
  /// What the person waits for, when they wait.
  public private(set) var loading: Wait?
  /// Why the last reading of the jobs failed.
  public private(set) var problem: Notice?
  public private(set) var notice: Notice?
  public private(set) var isMenuOpen = false
  /// Set once the session is over, with what to say about it.
  private(set) var ending: Ending?

  private var renewal: Renewal = .idle
  private var accountRequest: RequestID?
  /// False when storage refused the session: then nothing but this page knows it.
  private var isKept = true
  private var isTokenDoubted = false
  private var failures: Int64 = 0
  private var retryAt: Instant?

  init(_ record: SessionRecord) { self.record = record }

  public var isOffline: Bool { problem == .noConnection }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .answered(let id, let answer): return answered(id, answer, &context)
    case .renewalClaimed(let reading) where renewal == .claiming: return renew(reading, &context)
    case .buttonPressed(.refresh):
      guard loading == nil else { return [] }
      return [.announce(.updatingJobs)] + load(&context)
    case .buttonPressed(.accountMenu): isMenuOpen.toggle()
    case .buttonPressed(.signOut): return signOut()
    case .bannerDismissed: notice = nil
    case .sessionSaveRefused:
      notice = .sessionNotKept
      isKept = false
    case .networkReturned:
      guard problem != nil, loading == nil else { return [] }
      return load(&context)
    case .ticked: return tick(&context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .verifierMade, .renewalClaimed:
      break
    }
    return []
  }

  private mutating func tick(_ context: inout FlowContext) -> [Effect] {
    if let retryAt, retryAt <= context.now { return load(&context) }
    return loading?.announcements(context) ?? []
  }

  // MARK: Jobs

  mutating func load(_ context: inout FlowContext) -> [Effect] {
    retryAt = nil
    isMenuOpen = false
    let freshUntil = record.accessExpiresAt.adding(seconds: -Self.renewalMarginSeconds)
    if isTokenDoubted || freshUntil <= context.now {
      loading = Wait(request: nil, since: loading?.since ?? context.now)
      guard renewal == .idle else { return [] }
      renewal = .claiming
      return [.claimRenewal]
    }
    return read(&context)
  }

  private mutating func read(_ context: inout FlowContext) -> [Effect] {
    let since = loading?.since ?? context.now
    let (jobsID, jobsCall) = context.start(
      .get(context.app.homePath, token: record.accessToken))
    loading = Wait(request: jobsID, since: since)
    guard account == nil else { return [jobsCall] }
    let (accountID, accountCall) = context.start(.get(Endpoint.me, token: record.accessToken))
    accountRequest = accountID
    return [jobsCall, accountCall]
  }

  private mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [Effect] {
    if case .calling(let request) = renewal, request == id { return renewed(answer, &context) }
    if accountRequest == id {
      accountRequest = nil
      if let body = answer.success { account = AccountAnswer(json: body) }
      return []
    }
    guard let loading, loading.isFor(id) else { return [] }
    if let body = answer.success, let home = home(body, context) {
      return show(home.jobs, count: home.count)
    }
    // A token may end before its time. It is doubted once; a fresh one that is refused too means
    // that something else is wrong, and asking again would never stop.
    if answer.status == 401, !isTokenDoubted {
      isTokenDoubted = true
      return load(&context)
    }
    return fail(answer.notice(at: context.now), &context)
  }

  /// Nil when the answer is not what this app's home screen shows.
  private func home(_ body: JSON, _ context: FlowContext) -> (jobs: Jobs, count: Int64)? {
    switch context.app {
    case .technician:
      guard let entries = body["jobs"]?.elements else { return nil }
      var known: [JobEntry] = []
      for entry in entries { if let job = JobEntry(json: entry) { known.append(job) } }
      return (.listed(known, asOf: context.now), Int64(known.count))
    case .rider:
      guard let dashboard = DashboardAnswer(json: body) else { return nil }
      return (.dashboard(dashboard, asOf: context.now), Int64(dashboard.deliveries.count))
    }
  }

  private mutating func show(_ home: Jobs, count: Int64) -> [Effect] {
    let wasKnown = jobs != .unknown || problem != nil
    jobs = home
    loading = nil
    problem = nil
    failures = 0
    isTokenDoubted = false
    return wasKnown ? [.announce(.jobsListed(count))] : []
  }

  /// Keeps what is known, says why it is not newer, and tries again later by itself.
  private mutating func fail(_ reason: Notice, _ context: inout FlowContext) -> [Effect] {
    let isNews = problem != reason
    loading = nil
    problem = reason
    isTokenDoubted = false
    var wait = Self.firstRetrySeconds
    for _ in 0..<failures where wait < Self.lastRetrySeconds { wait *= 2 }
    if wait > Self.lastRetrySeconds { wait = Self.lastRetrySeconds }
    if wait < Self.lastRetrySeconds { failures += 1 }
    // The milliseconds of the moment scatter many devices that failed together.
    let scatter = context.now.milliseconds % 1000
    retryAt = context.now.adding(seconds: wait).adding(milliseconds: scatter)
    return isNews ? [.announce(.notice(reason))] : []
  }

  // MARK: Renewal

  private mutating func renew(
    _ reading: StorageReading, _ context: inout FlowContext
  ) -> [Effect] {
    renewal = .idle
    switch reading {
    case .absent where isKept:
      ending = .over(.signedOut)
      return [.releaseRenewal]
    case .value(let text):
      if Farewell(text: text) != nil {
        ending = .over(.signedOut)
        return [.releaseRenewal]
      }
      guard let stored = SessionRecord(text: text) else { return waitForStorage(context) }
      if stored != record {
        adopt(stored)
        return [.releaseRenewal] + load(&context)
      }
    case .cannotTell where isKept: return waitForStorage(context)
    case .absent, .cannotTell: break
    }
    guard let refreshToken = record.refreshToken else {
      ending = .over(.sessionEnded)
      return [.eraseSession, .releaseRenewal]
    }
    let (id, effect) = context.start(
      .post(
        Endpoint.token,
        Form([
          .init("grant_type", "refresh_token"),
          .init("client_id", context.app.rawValue),
          .init("refresh_token", refreshToken.revealed),
        ]),
        .proof
      ))
    renewal = .calling(id)
    return [effect]
  }

  /// Another tab may have renewed since, and an older token would be taken for a stolen one.
  private mutating func waitForStorage(_ context: FlowContext) -> [Effect] {
    retryAt = context.now.adding(seconds: Self.firstRetrySeconds)
    return [.releaseRenewal]
  }

  /// Another tab renewed, or another person signed in there.
  private mutating func adopt(_ stored: SessionRecord) {
    if stored.terms.id != record.terms.id {
      account = nil
      jobs = .unknown
    }
    record = stored
    isTokenDoubted = false
  }

  private mutating func renewed(_ answer: Answer, _ context: inout FlowContext) -> [Effect] {
    renewal = .idle
    if let body = answer.success, let tokens = TokenAnswer(json: body) {
      record = SessionRecord(tokens, at: context.now)
      return [.saveSession(record.text), .releaseRenewal] + read(&context)
    }
    switch answer.refusal {
    case .invalidGrant:
      let isDeactivated = answer.error?.reason == "account_deactivated"
      ending = .over(isDeactivated ? .accountDeactivated : .sessionEnded)
      return [.eraseSession, .releaseRenewal]
    case .accountDeactivated:
      ending = .over(.accountDeactivated)
      return [.eraseSession, .releaseRenewal]
    default: return [.releaseRenewal] + fail(answer.notice(at: context.now), &context)
    }
  }

  // MARK: Ending

  /// Signing out succeeds with no network too: what is stored is replaced before anything else.
  private mutating func signOut() -> [Effect] {
    ending = .left(record.refreshToken ?? record.accessToken)
    return renewal == .idle ? [] : [.releaseRenewal]
  }
}
