public import SignInModel
import SignInWire

/// A session that renews its tokens until the server ends it, and the API requests that need them.
///
/// It knows nothing about screens. Only one renewal runs at a time, in this app and across tabs
/// (L-22): claim ─▶ call ─▶ save ─▶ release. What storage contains at the claim decides, because
/// another tab may have renewed or signed out. As long as storage contains the session, only the
/// stored tokens are renewed. So an app that is killed at any step finds a token that the server
/// still accepts (L-23).
public struct RenewingSession: Equatable, Sendable {
  /// An access token is renewed this long before it expires.
  static let renewalMarginSeconds: Int64 = 30
  /// How long to wait before storage is read again after it could not be read.
  static let storageRetrySeconds: Int64 = 5
  /// How many renewals follow directly after a lock was set.
  ///
  /// The server accepts the token before the newest one until the newest one is used. So only the
  /// second renewal ends the token that was stored without the lock.
  static let renewalsAfterLock = 2

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

  /// The answer to an API request, for the screen or the app that sent it.
  struct RoutedAnswer: Equatable, Sendable {
    let id: RequestID
    let answer: Answer
  }

  /// A failure that the person must learn about, although no screen sent a request.
  enum Update: Equatable, Sendable { case switchFailed(Notice) }

  /// How another session replaced this one.
  enum Change: Equatable, Sendable {
    /// Storage contains another session, because a person was active in another tab.
    case adopted
    /// A renewal returned a session of another organization.
    case succeeded
  }

  private enum Renewal: Equatable, Sendable {
    case idle
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
    case memoryOnly
  }

  /// A request that is running, or that waits for a token.
  private struct PendingRequest: Equatable, Sendable {
    let id: RequestID
    let apiRequest: APIRequest
    var token: Secret?
    var isRepeated = false
  }

  public private(set) var record: SessionRecord
  /// When the server last answered, while it cannot be reached.
  public private(set) var offlineSince: Instant?
  /// The organization that the session is switching to.
  public private(set) var wantedOrganization: OrganizationID?
  /// How the session ended; `nil` while it is active.
  private(set) var ending: Ending?
  private(set) var update: Update?

  private var renewal: Renewal = .idle
  private var waitingRequests: [PendingRequest] = []
  /// The tickets with which the embedding app waits for a valid access token.
  private var tokenTickets: [Int64] = []
  private var inProgress: [PendingRequest] = []
  private var persistence: Persistence
  private var isTokenUncertain = false
  /// How many renewals must still follow because a lock was set.
  private var renewalsLeft = 0
  private var change: Change?
  /// Why the session has ended, as an answer says; a renewal must confirm it.
  private var endNotice: Notice?
  /// The revocations of other sessions, which storage contains in place of this session.
  private var revocationsInPlace: PendingRevocations?
  private var claimAt: Instant?
  private var lastHeard: Instant?

  init(_ record: SessionRecord, isStored: Bool) {
    self.record = record
    persistence = isStored ? .stored : .unconfirmed
  }

  /// The same session without running requests.
  func restarted() -> RenewingSession {
    var fresh = RenewingSession(record, isStored: true)
    fresh.persistence = persistence
    return fresh
  }

  var isClaiming: Bool { renewal == .claiming }

  var isRenewing: Bool { renewal != .idle }

  /// Whether only this page has the session.
  var isMemoryOnly: Bool { persistence == .memoryOnly }

  /// Storage refused the session.
  ///
  /// If a session was stored before, storage still contains its earlier tokens. The server accepts
  /// them too, because their successor was not used.
  mutating func markNotStored() { if persistence == .unconfirmed { persistence = .memoryOnly } }

  /// Returns once that another session replaced this one.
  mutating func takeChangeOfSession() -> Change? {
    defer { change = nil }
    return change
  }

  mutating func takeUpdate() -> Update? {
    defer { update = nil }
    return update
  }

  mutating func tick(_ context: FlowContext) -> [Effect] {
    guard let claimAt, claimAt <= context.now else { return [] }
    self.claimAt = nil
    return claim()
  }

  /// Renews before the next request, because only the server knows whether the session is active.
  mutating func markTokenUncertain() { isTokenUncertain = true }

  /// Renews the tokens that were stored without a lock, as soon as there is a network.
  mutating func lockSet() -> [Effect] {
    renewalsLeft = Self.renewalsAfterLock
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
    guard terms.id == record.terms.id, terms != record.terms, renewal == .idle else { return [] }
    return rewrite { $0.terms = terms }
  }

  /// Removes a request, because its answer has no use any more.
  mutating func drop(_ id: RequestID) {
    waitingRequests.removeAll { $0.id == id }
    inProgress.removeAll { $0.id == id }
  }

  // MARK: Requests

  /// Sends the new requests, or delays them until the token is renewed.
  mutating func send(_ context: inout FlowContext) -> [Effect] {
    for asked in context.takeQueuedRequests() {
      waitingRequests.append(PendingRequest(id: asked.id, apiRequest: asked.apiRequest))
    }
    return sendWaitingRequests(&context)
  }

  /// The next `send` gives the embedding app an access token, renewed first if necessary.
  mutating func askToken(_ ticket: Int64) { tokenTickets.append(ticket) }

  private mutating func sendWaitingRequests(_ context: inout FlowContext) -> [Effect] {
    guard !waitingRequests.isEmpty || !tokenTickets.isEmpty || wantedOrganization != nil else {
      return []
    }
    let freshUntil = record.accessExpiresAt.adding(seconds: -Self.renewalMarginSeconds)
    let isWanted = isTokenUncertain || renewalsLeft > 0 || wantedOrganization != nil
    if isWanted || freshUntil <= context.now { return claim() }
    guard renewal == .idle else { return [] }
    for ticket in tokenTickets { context.reply(.token(record.accessToken), to: ticket) }
    tokenTickets = []
    var effects: [Effect] = []
    for var pending in waitingRequests {
      pending.token = record.accessToken
      inProgress.append(pending)
      effects.append(
        context.start(Call(pending.apiRequest, token: record.accessToken), as: pending.id))
    }
    waitingRequests = []
    return effects
  }

  private mutating func claim() -> [Effect] {
    guard renewal == .idle, claimAt == nil else { return [] }
    renewal = .claiming
    return [.claimRenewal]
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> (effects: [Effect], deliveries: [RoutedAnswer]) {
    handle(answer, context)
    if case .calling(let request) = renewal, request == id { return renewed(answer, &context) }
    guard let index = inProgress.firstIndex(where: { $0.id == id }) else { return ([], []) }
    var pending = inProgress.remove(at: index)
    guard answer.status == 401 else { return ([], [RoutedAnswer(id: id, answer: answer)]) }
    // The server may refuse a token before it expires, so renew and repeat the request once. A
    // second refusal has another cause, and repeating would never stop. "The session has ended"
    // always needs a renewal: this device may have switched to another organization, in another tab
    // or by a request without an answer. The renewal then returns the new session (S-05).
    let reason = answer.endReason
    isTokenUncertain = isTokenUncertain || pending.token == record.accessToken
    endNotice = reason ?? endNotice
    if pending.isRepeated {
      return (reason == nil ? [] : claim(), [RoutedAnswer(id: id, answer: answer)])
    }
    pending.isRepeated = true
    waitingRequests.append(pending)
    return (sendWaitingRequests(&context), [])
  }

  /// Records whether the server can be reached, which only its own answers show (L-25).
  private mutating func handle(_ answer: Answer, _ context: FlowContext) {
    switch answer {
    case .received:
      lastHeard = context.now
      offlineSince = nil
    case .noNetwork, .unreachable, .timedOut:
      offlineSince = offlineSince ?? lastHeard ?? context.now
    }
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
    case .unavailable, .ofLaterVersion: return waitForStorage(context)
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
    if let effects = compare(stored, &context) {
      return ending == nil ? effects : abandonRenewal() + effects
    }
    if stored == .session(record) { persistence = .stored }
    guard persistence == .unconfirmed else { return [] }
    if stored == .unavailable {
      // Another tab may have found the session in storage and continued with it.
      claimAt = context.now.adding(seconds: Self.storageRetrySeconds)
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
    guard persistence == .unconfirmed || persistence == .memoryOnly else { return true }
    return revocations.tokens.contains(record.endingToken)
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
      ending = .ended(.signedOut)
      return []
    case .sealed(let card):
      ending = .locked(card: card)
      return []
    case .signedOut(let left):
      guard isOurs(left) else { return nil }
      let own = record.ownRevocations
      if left.unreadableSession == record.terms.id {
        // Another tab could not open the lock, so it has no token of this session. This tab has it.
        ending = .left(own, .session(.lockChanged))
      } else {
        // The late revocation of an earlier session may have replaced this session. Then only this
        // tab still has the token.
        let isOwn = left.tokens.contains(record.endingToken)
        ending = .signedOutElsewhere(left, unconfirmed: isOwn ? nil : own)
      }
      return []
    case .session(let stored): return stored == record ? nil : adopt(stored, &context)
    }
  }

  /// Renews a session that storage does not contain, and keeps it in memory only.
  private mutating func renewAlone(
    beside revocations: PendingRevocations?, _ context: inout FlowContext
  ) -> [Effect] {
    persistence = .memoryOnly
    revocationsInPlace = revocations
    return renew(&context)
  }

  private mutating func renew(_ context: inout FlowContext) -> [Effect] {
    guard let refreshToken = record.refreshToken else {
      return [end(for: endNotice ?? .sessionEnded), .releaseRenewal]
    }
    var form = TokenForm(clientID: context.app.clientID, refreshToken: refreshToken)
    form.organization = wantedOrganization?.text
    let (id, effect) = context.start(.post(.token, form.form, .proof))
    renewal = .calling(id)
    return [effect]
  }

  /// Waits until storage can be read, because another tab may have renewed since.
  ///
  /// An older token would then look like a stolen one (L-10).
  private mutating func waitForStorage(_ context: FlowContext) -> [Effect] {
    claimAt = context.now.adding(seconds: Self.storageRetrySeconds)
    return [.releaseRenewal]
  }

  /// Adopts what storage contains: another tab renewed, or another person signed in there.
  ///
  /// In the second case, the requests of this person must not be sent for the other one (L-24).
  private mutating func adopt(
    _ stored: SessionRecord, _ context: inout FlowContext
  ) -> [Effect] {
    isTokenUncertain = false
    persistence = .stored
    var release: [Effect] = []
    if stored.terms.id != record.terms.id {
      switchAccount(.adopted, &context)
      release = abandonRenewal()
    }
    record = stored
    // The stored token may be older than the refused one. Only a renewal proves an end.
    for index in waitingRequests.indices { waitingRequests[index].isRepeated = false }
    // A newer stored record does not replace the renewals that a lock requires.
    return release + (renewalsLeft > 0 ? claim() : sendWaitingRequests(&context))
  }

  /// Releases the claim of a renewal whose answer has no use any more.
  ///
  /// Otherwise the other tabs would wait for it.
  private mutating func abandonRenewal() -> [Effect] {
    guard case .calling = renewal else { return [] }
    renewal = .idle
    return [.releaseRenewal]
  }

  private mutating func switchAccount(_ change: Change, _ context: inout FlowContext) {
    self.change = change
    endNotice = nil
    wantedOrganization = nil
    waitingRequests = []
    tokenTickets = []
    inProgress = []
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
      isTokenUncertain = false
      endNotice = nil
      // Another tab found this session in storage, continued with it, and then signed out.
      if let left = revocationsInPlace, left.tokens.contains(record.endingToken) {
        ending = .signedOutElsewhere(left, unconfirmed: nil)
        return ([.releaseRenewal], [])
      }
      // The answer to a switch may have been lost before. Then this is a session of another
      // organization (S-05).
      if tokens.session.id != before.terms.id {
        switchAccount(.succeeded, &context)
        if persistence == .stored { persistence = .storedUnderOldID }
      }
      let save: [Effect] = [replacing(before), .releaseRenewal]
      if renewalsLeft > 0 { renewalsLeft -= 1 }
      return (save + (renewalsLeft > 0 ? claim() : sendWaitingRequests(&context)), [])
    }
    if let reason = answer.endReason {
      return ([end(for: reason), .releaseRenewal], [])
    }
    if wantedOrganization != nil {
      wantedOrganization = nil
      let reason = answer.notice(at: context.now)
      update = .switchFailed(answer.refusal == .notAMember ? .session(.notAMember) : reason)
    }
    let failed = waitingRequests.map { RoutedAnswer(id: $0.id, answer: answer) }
    for ticket in tokenTickets { context.reply(.answer(answer), to: ticket) }
    waitingRequests = []
    tokenTickets = []
    return ([.releaseRenewal], failed)
  }

  // MARK: Organizations

  /// Switches to the organization with the next renewal, which begins another session (S-05).
  mutating func enter(_ organization: OrganizationID) {
    if record.terms.organization != organization { wantedOrganization = organization }
  }

  // MARK: Ending

  /// Ends the session, because the server has ended it.
  private mutating func end(for reason: Notice) -> Effect {
    let remains = record.revocations.isEmpty ? nil : record.revocations
    ending = .ended(reason, remains: remains)
    return StoredSession.session(record)
      .replaced(by: remains.map { .signedOut($0) } ?? StoredSession.none)
  }

  /// Signs out, also without a network: storage changes before the revocation is sent (L-32).
  mutating func leave(saying notice: Notice = .signedOut) -> [Effect] {
    ending = .left(record.ownRevocations, notice)
    return renewal == .idle ? [] : [.releaseRenewal]
  }
}
