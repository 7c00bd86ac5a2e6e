public import SignInModel
import SignInWire

/// A session that renews its tokens until the server ends it, and the API requests that need them.
///
/// It knows nothing about screens. Only one renewal runs at a time, in this app and across tabs
/// (L-22):
///
///     idle ──token needed──▶ claiming ──storage read──▶ calling ──answered, saved──▶ idle
///                             ▲     │
///                         time│     │storage cannot be read, or a second renewal
///                             └ due ┘  after a lock follows
///
/// What storage contains at the claim decides, because another tab may have renewed or signed out.
/// As long as storage contains the session, only the stored tokens are renewed. So an app that is
/// killed at any step finds a token that the server still accepts (L-23).
///
/// The claim of a renewal lasts until its request has ended, even if the session ends or changes
/// before (`ForgottenRenewal`). Only the claim of a closed tab ends earlier (decision 36).
public struct RenewingSession: Equatable, Sendable {
  /// An access token is renewed this long before it expires.
  static let renewalMarginSeconds: Int64 = 30
  /// How long to wait before storage is read again after it could not be read.
  static let storageRetrySeconds: Int64 = 5
  /// How many renewals follow after a lock was set.
  ///
  /// The server accepts the token before the newest one until the newest one is used. So only the
  /// second renewal ends the token that was stored without the lock.
  static let renewalsAfterLock = 2
  /// How long the second renewal after a lock waits.
  ///
  /// Another tab may have sent the token that was stored without the lock. Then it locked, and the
  /// web app loaded it again. If the request reached the server after two renewals, the token would
  /// look like a stolen one. After this time the request has ended.
  static let secondRenewalSeconds = APIRequest.usualTimeoutSeconds

  /// Indirect, because each state contains it and is copied often, and it is almost always `nil`.
  indirect enum Ending: Equatable, Sendable {
    /// The server or another tab ended the session.
    ///
    /// `remains` replaces it in storage, if the server must still end earlier sessions.
    case ended(Notice, remains: PendingRevocations? = nil)
    /// Another tab has signed out, and the server may not have confirmed it.
    ///
    /// `unconfirmed` is this session's own revocation, if the other tab revoked a different
    /// session.
    case signedOutElsewhere(PendingRevocations, unconfirmed: PendingRevocations?)
    /// The session ended on this device, and the server must still end it.
    case left(PendingRevocations, Notice)
    /// The session is sealed, and this app does not have its key.
    case locked(card: AppLock.LockedContent)
  }

  typealias RoutedAnswer = SessionRequests.RoutedAnswer

  /// What happened to the session, and concerns more than its requests.
  enum Update: Equatable, Sendable {
    case ended(Ending)
    case replaced(Change)
    /// The session is still of the same organization, and the person must learn why.
    case switchFailed(Notice)
  }

  /// How another session replaced this one.
  enum Change: Equatable, Sendable {
    /// Storage contains another session, because a person was active in another tab.
    case adopted
    /// A renewal returned a session of another organization.
    case succeeded
  }

  private enum Renewal: Equatable, Sendable {
    case idle
    /// At this moment storage is read, because it could not be read before, or because the second
    /// renewal after a lock follows.
    case due(Instant)
    case claiming
    case calling(RequestID)
  }

  private enum Persistence: Equatable, Sendable {
    /// The session was sent to storage, and was not read from there yet.
    case unconfirmed
    case stored
    /// The session replaced a stored one, and was not read from storage itself yet.
    case storedUnderOldID
    /// Only this page has the session, because storage refused it or does not contain it.
    ///
    /// In its place, storage may contain revocations of other sessions.
    case memoryOnly(beside: PendingRevocations? = nil)
  }

  public private(set) var record: SessionRecord
  private var persistence: Persistence
  private var renewal: Renewal = .idle
  private var reasons = RenewalReasons()
  private var requests = SessionRequests()
  private var connectivity = Connectivity()
  private var update: Update?

  init(_ record: SessionRecord, isStored: Bool) {
    self.record = record
    persistence = isStored ? .stored : .unconfirmed
  }

  /// The same session without running requests.
  ///
  /// It continues to wait for a claim or for a planned renewal. The renewals that a lock requires
  /// still follow.
  func restarted() -> RenewingSession {
    var fresh = RenewingSession(record, isStored: true)
    fresh.persistence = persistence
    fresh.reasons.renewalsLeft = reasons.renewalsLeft
    switch renewal {
    case .idle, .calling: break
    case .due, .claiming: fresh.renewal = renewal
    }
    return fresh
  }

  /// The last answer of the server before it became unreachable; `nil` while it can be reached.
  public var offlineSince: Instant? { connectivity.offlineSince }

  /// The organization that the session is switching to.
  public var wantedOrganization: OrganizationID? { reasons.organization }

  /// How the session ended; `nil` while it is active.
  var ending: Ending? { if case .ended(let ending)? = update { ending } else { nil } }

  var isClaiming: Bool { renewal == .claiming }

  /// Releases the claim of this forgotten session, if its renewal was answered just now.
  ///
  /// No later answer will release it.
  func releaseAfterAnswer(_ context: FlowContext) -> [Effect] {
    guard case .calling = renewal, !context.hasForgottenRenewal else { return [] }
    return [.releaseRenewal]
  }

  /// Releases a claim that was granted just now and that nothing will use.
  mutating func releaseUnusedClaim() -> [Effect] {
    renewal = .idle
    return [.releaseRenewal]
  }

  var isRenewing: Bool {
    switch renewal {
    case .idle, .due: false
    case .claiming, .calling: true
    }
  }

  /// Whether only this page has the session.
  var isMemoryOnly: Bool { if case .memoryOnly = persistence { true } else { false } }

  /// Storage refused the session.
  ///
  /// If a session was stored before, storage still contains its earlier tokens. The server accepts
  /// them too, because their successor was not used.
  mutating func markNotStored() { if persistence == .unconfirmed { persistence = .memoryOnly() } }

  /// Returns each update once; an end is returned every time.
  mutating func takeUpdate() -> Update? {
    defer { if ending == nil { update = nil } }
    return update
  }

  mutating func tick(_ context: FlowContext) -> [Effect] {
    guard case .due(let moment) = renewal, moment <= context.now else { return [] }
    renewal = .idle
    return claim()
  }

  /// Renews before the next request, because only the server knows whether the session is active.
  mutating func markTokenUncertain() { reasons.isTokenUncertain = true }

  /// Renews the tokens that were stored without a lock, as soon as there is a network.
  mutating func lockSet() -> [Effect] {
    reasons.renewalsLeft = Self.renewalsAfterLock
    return claim()
  }

  /// Stores the account of the session, so that the app does not request it again.
  mutating func learn(_ person: SessionRecord.Person) -> [Effect] {
    rewrite { $0.person = person }
  }

  /// Removes the unreadable session, because it has ended or is not a session of this account.
  mutating func clearUnreadableSession() -> [Effect] {
    rewrite { $0.revocations.unreadableSession = nil }
  }

  /// Removes an earlier token, because the server has answered its revocation.
  mutating func confirmRevocation(of token: Secret) -> [Effect] {
    rewrite { $0.revocations.confirm(token) }
  }

  /// Removes the revocations of sessions that remain; storage does not contain this record.
  mutating func removeRevocations(of tokens: [Secret]) {
    for token in tokens { record.revocations.confirm(token) }
  }

  /// Adds sessions that this one replaced in storage, so that the server ends them.
  mutating func addRevocations(_ left: PendingRevocations) -> [Effect] {
    rewrite { $0.revocations.addReplaced(left) }
  }

  /// Changes the record, and stores it if it is different.
  ///
  /// It does not write during a claim, because the claim is about to read storage.
  private mutating func rewrite(_ change: (inout SessionRecord) -> Void) -> [Effect] {
    let before = record
    change(&record)
    guard record != before, !isClaiming else { return [] }
    return [replacing(before)]
  }

  private func replacing(_ before: SessionRecord) -> Effect {
    StoredSession.session(before).replaced(by: .session(record))
  }

  /// The text that storage contains, if it contains this session.
  var storedText: Secret { StoredSession.text(of: record) }

  /// Adopts changed terms, because the organization may change its policy during a session.
  mutating func learn(_ terms: TokenAnswer.SessionTerms) -> [Effect] {
    guard terms.id == record.terms.id, terms != record.terms, !isRenewing else { return [] }
    return rewrite { $0.terms = terms }
  }

  /// Removes a request, because its answer has no use any more.
  mutating func drop(_ id: RequestID) { requests.drop(id) }

  // MARK: Requests

  /// Sends the new requests, or delays them until the token is renewed.
  mutating func send(_ context: inout FlowContext) -> [Effect] {
    for queued in context.takeQueuedRequests() { requests.add(queued) }
    return sendWaitingRequests(&context)
  }

  /// The next `send` gives the embedding app an access token, renewed first if necessary.
  mutating func askToken(_ ticket: Int64) { requests.add(ticket: ticket) }

  private mutating func sendWaitingRequests(_ context: inout FlowContext) -> [Effect] {
    guard requests.needToken || reasons.organization != nil else { return [] }
    let freshUntil = record.accessExpiresAt.adding(seconds: -Self.renewalMarginSeconds)
    if reasons.forbidToken || freshUntil <= context.now { return claim() }
    return isRenewing ? [] : requests.send(with: record.accessToken, &context)
  }

  private mutating func claim() -> [Effect] {
    guard renewal == .idle else { return [] }
    renewal = .claiming
    return [.claimRenewal]
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> (effects: [Effect], deliveries: [RoutedAnswer]) {
    connectivity.learn(answer, at: context.now)
    if renewal == .calling(id) { return renewed(answer, &context) }
    guard let request = requests.take(id) else { return ([], []) }
    guard answer.status == 401 else { return ([], [RoutedAnswer(id: id, answer: answer)]) }
    // The server may refuse a token before it expires, so renew and repeat the request once. A
    // second refusal has another cause, and repeating would never stop. "The session has ended"
    // always needs a renewal: this device may have switched to another organization, in another tab
    // or by a request without an answer. The renewal then returns the new session (S-05).
    let reason = answer.endReason
    if request.token == record.accessToken { reasons.isTokenUncertain = true }
    reasons.endNotice = reason ?? reasons.endNotice
    guard requests.sendAgain(request) else {
      return (reason == nil ? [] : claim(), [RoutedAnswer(id: id, answer: answer)])
    }
    return (sendWaitingRequests(&context), [])
  }

  // MARK: Renewal

  mutating func renewalClaimed(
    _ reading: StorageReading, _ context: inout FlowContext
  ) -> [Effect] {
    guard renewal == .claiming else { return [.releaseRenewal] }
    renewal = .idle
    let stored = StoredSession(reading)
    switch stored {
    case .unavailable where isMemoryOnly: return renew(&context)
    case .unavailable, .ofLaterVersion:
      waitForStorage(context)
      return [.releaseRenewal]
    // The session was written, but is not there. Only the server knows whether a person has signed
    // out since.
    case .none where persistence != .stored: return renewAlone(beside: nil, &context)
    // The stored text cannot be read, so only this app still has the session.
    case .damaged: return renewAlone(beside: nil, &context)
    case .signedOut(let revocations) where !isOurs(revocations):
      return renewAlone(beside: revocations, &context)
    case .none, .session, .signedOut, .sealed: break
    }
    guard let effects = compare(stored, &context) else {
      persistence = .stored
      return renew(&context)
    }
    return [.releaseRenewal] + effects
  }

  /// Storage contains something else than the text that this session wanted to replace.
  mutating func stored(_ reading: StorageReading, _ context: inout FlowContext) -> [Effect] {
    let stored = StoredSession(reading)
    if let effects = compare(stored, &context) { return effects }
    if stored == .session(record) { persistence = .stored }
    guard persistence == .unconfirmed else { return [] }
    if stored == .unavailable {
      // Another tab may have found the session in storage and continued with it. A planned renewal
      // reads storage too.
      if renewal == .idle { waitForStorage(context) }
      return []
    }
    // A person may have signed out just after this session was written. Only the server knows, so
    // renew once.
    return claim()
  }

  /// Whether the stored revocations end this session.
  ///
  /// If this session was never seen in storage, revocations there may belong to earlier sessions.
  private func isOurs(_ revocations: PendingRevocations) -> Bool {
    switch persistence {
    case .stored, .storedUnderOldID: true
    case .unconfirmed, .memoryOnly: revocations.tokens.contains(record.endingToken)
    }
  }

  /// Follows what storage contains; `nil` if that is this session unchanged, or if nothing is
  /// known.
  private mutating func compare(
    _ stored: StoredSession, _ context: inout FlowContext
  ) -> [Effect]? {
    switch stored {
    case .unavailable, .ofLaterVersion, .damaged: return nil
    // If storage was never seen to contain the session, its absence means nothing (L-34).
    case .none where persistence != .stored: return nil
    case .none:
      end(.ended(.signedOut))
      return []
    case .sealed(let card):
      end(.locked(card: card))
      return []
    case .signedOut(let left):
      guard isOurs(left) else { return nil }
      // Another record may have replaced this session: the late revocation of an earlier session,
      // or what a tab stored that could not read this session. Then only this tab still has the
      // token.
      let isOwn = left.tokens.contains(record.endingToken)
      end(.signedOutElsewhere(left, unconfirmed: isOwn ? nil : record.ownRevocations))
      return []
    case .session(let stored): return stored == record ? nil : adopt(stored, &context)
    }
  }

  /// Renews a session that storage does not contain, and keeps it in memory only.
  private mutating func renewAlone(
    beside revocations: PendingRevocations?, _ context: inout FlowContext
  ) -> [Effect] {
    persistence = .memoryOnly(beside: revocations)
    return renew(&context)
  }

  private mutating func renew(_ context: inout FlowContext) -> [Effect] {
    guard let refreshToken = record.refreshToken else {
      return [end(for: reasons.endNotice ?? .sessionEnded), .releaseRenewal]
    }
    var form = TokenForm(clientID: context.app.clientID, refreshToken: refreshToken)
    form.organization = reasons.organization?.text
    let (id, effect) = context.startRenewal(.post(.token, form.form, .proof))
    renewal = .calling(id)
    return [effect]
  }

  /// Waits until storage can be read, because another tab may have renewed since.
  ///
  /// An older token would then look like a stolen one (L-10).
  private mutating func waitForStorage(_ context: FlowContext) {
    renewal = .due(context.now.adding(seconds: Self.storageRetrySeconds))
  }

  /// Adopts what storage contains: another tab renewed, or another person signed in there.
  ///
  /// In the second case, the requests of this person must not be sent for the other one (L-24).
  private mutating func adopt(
    _ stored: SessionRecord, _ context: inout FlowContext
  ) -> [Effect] {
    reasons.isTokenUncertain = false
    persistence = .stored
    if stored.terms.id != record.terms.id {
      switchAccount(.adopted, &context)
      // The answer to a renewal of the other session has no use.
      if case .calling = renewal { renewal = .idle }
    }
    record = stored
    // The stored token may be older than the refused one. Only a renewal proves an end.
    requests.allowRefusal()
    // A newer stored record does not replace the renewals that a lock requires.
    let effects = reasons.mustReplaceToken ? claim() : sendWaitingRequests(&context)
    planSecondRenewal(context)
    return effects
  }

  /// Plans the second renewal after a lock, unless it is complete, planned or running.
  ///
  /// An app that is unlocked or started again has no such plan, and its next regular renewals end
  /// the token that was stored without the lock. This is acceptable: that token needs the device's
  /// key, its stored text was overwritten, and its use by a thief ends the session as soon as the
  /// app renews again (L-10).
  private mutating func planSecondRenewal(_ context: FlowContext) {
    guard renewal == .idle, reasons.mustRenewAgain else { return }
    renewal = .due(context.now.adding(seconds: Self.secondRenewalSeconds))
  }

  private mutating func switchAccount(_ change: Change, _ context: inout FlowContext) {
    update = .replaced(change)
    reasons.endNotice = nil
    reasons.organization = nil
    requests = SessionRequests()
    context.forgetCalls()
  }

  private mutating func renewed(
    _ answer: Answer, _ context: inout FlowContext
  ) -> (effects: [Effect], deliveries: [RoutedAnswer]) {
    renewal = .idle
    if let body = answer.success, let tokens = TokenAnswer(json: body) {
      let before = record
      record = SessionRecord(
        tokens, at: context.now, person: before.person, revocations: before.revocations)
      reasons.isTokenUncertain = false
      reasons.endNotice = nil
      // Another tab found this session in storage, continued with it, and then signed out.
      if case .memoryOnly(let left?) = persistence, left.tokens.contains(record.endingToken) {
        end(.signedOutElsewhere(left, unconfirmed: nil))
        return ([.releaseRenewal], [])
      }
      // The answer to a switch may have been lost before. Then this is a session of another
      // organization (S-05).
      if tokens.session.id != before.terms.id {
        switchAccount(.succeeded, &context)
        if persistence == .stored { persistence = .storedUnderOldID }
      }
      let save: [Effect] = [replacing(before), .releaseRenewal]
      if reasons.renewalsLeft > 0 { reasons.renewalsLeft -= 1 }
      planSecondRenewal(context)
      return (save + sendWaitingRequests(&context), [])
    }
    if let reason = answer.endReason {
      return ([end(for: reason), .releaseRenewal], [])
    }
    if reasons.organization != nil {
      reasons.organization = nil
      let reason = answer.notice(at: context.now)
      update = .switchFailed(answer.refusal == .notAMember ? .session(.notAMember) : reason)
    }
    planSecondRenewal(context)
    return ([.releaseRenewal], requests.fail(answer, &context))
  }

  // MARK: Organizations

  /// Switches to the organization with the next renewal, which begins another session (S-05).
  mutating func enter(_ organization: OrganizationID) {
    if record.terms.organization != organization { reasons.organization = organization }
  }

  // MARK: Ending

  private mutating func end(_ ending: Ending) { update = .ended(ending) }

  /// Ends the session, because the server has ended it.
  private mutating func end(for reason: Notice) -> Effect {
    let remains = record.revocations.isEmpty ? nil : record.revocations
    end(.ended(reason, remains: remains))
    return StoredSession.session(record)
      .replaced(by: remains.map { .signedOut($0) } ?? StoredSession.none)
  }

  /// Signs out, also without a network: storage changes before the revocation is sent (L-32).
  mutating func leave(saying notice: Notice = .signedOut) {
    end(.left(record.ownRevocations, notice))
  }
}
