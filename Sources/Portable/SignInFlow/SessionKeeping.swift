public import SignInModel
import SignInWire

/// A session that renews itself until the server ends it, and the calls made in its name.
///
/// It knows nothing of what is shown. Renewal is one at a time, in this app and across tabs:
/// claim ─▶ call ─▶ save ─▶ release. What storage holds at the claim decides: another tab may have
/// renewed already, or signed out. Only what storage holds is ever renewed, so that an app killed
/// anywhere on this way finds a token the server still takes (L-23).
public struct SessionKeeping: Equatable, Sendable {
  /// An access token is renewed this long before it ends.
  static let renewalMarginSeconds: Int64 = 30
  /// Storage that could not be read is asked again after this long.
  static let storageRetrySeconds: Int64 = 5
  /// Renewals right after a lock was set.
  ///
  /// The server takes the token before the newest one until
  /// the newest is used, so only the second one ends the token that was stored without the lock.
  static let renewalsAfterLock = 2

  /// Indirect, because it is copied with every state and hardly ever there.
  indirect enum Ending: Equatable, Sendable {
    /// The server, or another tab, ended the session. What remains stands in its place: what it had
    /// still to tell the server.
    case over(Notice, remains: Farewell? = nil)
    /// Somebody has signed out in another window; the server may not know yet. What they left was
    /// not this session when there is one that is still untold.
    case followed(Farewell, untold: Farewell?)
    /// The session ends here: the server must still learn of it.
    case left(Farewell, Notice)
    /// It is sealed, and the key to it is not in this app's hands.
    case locked(card: String)
  }

  /// An answer for whoever asked.
  struct Delivery: Equatable, Sendable {
    let id: RequestID
    let answer: Answer
  }

  /// What the person must hear of, though no screen asked.
  enum News: Equatable, Sendable { case switchFailed(Notice) }

  /// How the session became another one.
  enum Change: Equatable, Sendable {
    /// Storage holds another one: somebody was at another window.
    case adopted
    /// A renewal led into another organization.
    case succeeded
  }

  private enum Renewal: Equatable, Sendable {
    case idle
    case claiming
    case calling(RequestID)
  }

  private enum Keeping: Equatable, Sendable {
    /// Storage has been told to keep it, and has not yet been seen to.
    case unproved
    case kept
    /// It came out of one that storage kept, and has not yet been seen there itself.
    case moved
    /// Storage refused it, or was seen not to hold it: nothing but this page knows it.
    case fleeting
  }

  /// A request under way, or held until there is a token for it.
  private struct Job: Equatable, Sendable {
    let id: RequestID
    let apiRequest: APIRequest
    var token: Secret?
    var isRepeated = false
  }

  public private(set) var record: SessionRecord
  /// When the server was last heard of, while it cannot be reached.
  public private(set) var offlineSince: Instant?
  /// The organization the session is on its way into.
  public private(set) var wantedOrganization: OrganizationID?
  /// Set once the session is over, with what to say about it.
  private(set) var ending: Ending?
  private(set) var news: News?

  private var renewal: Renewal = .idle
  private var held: [Job] = []
  /// The embedding app waits for a token that is still good, by the numbers of its tickets.
  private var tokenTickets: [Int64] = []
  private var underWay: [Job] = []
  private var keeping: Keeping
  private var isTokenDoubted = false
  /// How many renewals are still to follow a lock that was set.
  private var renewalsOwed = 0
  private var change: Change?
  /// Why an answer to a call says that the session is over.
  private var saidOver: Notice?
  /// Stands where storage should hold the session, and was left by somebody else.
  private var farewellInPlace: Secret?
  private var claimAt: Instant?
  private var lastHeard: Instant?

  init(_ record: SessionRecord, isStored: Bool) {
    self.record = record
    keeping = isStored ? .kept : .unproved
  }

  /// The same session with nothing under way.
  func restarted() -> SessionKeeping {
    var fresh = SessionKeeping(record, isStored: true)
    fresh.keeping = keeping
    return fresh
  }

  var isClaiming: Bool { renewal == .claiming }

  var isRenewing: Bool { renewal != .idle }

  /// Nothing but this page knows the session.
  var isFleeting: Bool { keeping == .fleeting }

  /// Storage refused the session.
  ///
  /// Once it has held one, it still holds the one before, which the server takes as well: its
  /// successor was not used.
  mutating func remainUnkept() { if keeping == .unproved { keeping = .fleeting } }

  /// Tells once that the session became another one.
  mutating func takeChangeOfSession() -> Change? {
    defer { change = nil }
    return change
  }

  mutating func takeNews() -> News? {
    defer { news = nil }
    return news
  }

  mutating func tick(_ context: FlowContext) -> [Effect] {
    guard let claimAt, claimAt <= context.now else { return [] }
    self.claimAt = nil
    return claim()
  }

  /// Renews before anything else is asked: only the server knows whether the session stands.
  mutating func doubt() { isTokenDoubted = true }

  /// The session is stored behind a lock from now on: what was stored without it shall become
  /// useless.
  ///
  /// Without a network the renewals wait for the next call.
  mutating func lockSet() -> [Effect] {
    renewalsOwed = Self.renewalsAfterLock
    return claim()
  }

  /// Whose session it is, known from now on without asking.
  mutating func learn(_ person: SessionRecord.Person) -> [Effect] {
    guard record.person != person else { return [] }
    let before = record.text
    record.person = person
    return rewriting(before)
  }

  /// What was left behind is over at the server, or is nothing of this person's.
  mutating func forgetLeftBehind() -> [Effect] {
    guard record.leftBehind != nil else { return [] }
    let before = record.text
    record.leftBehind = nil
    return rewriting(before)
  }

  /// The server has been told of a sign-out before this session.
  mutating func forget(owed token: Secret) -> [Effect] {
    guard record.owed.contains(token) else { return [] }
    let before = record.text
    record.owed.removeAll { $0 == token }
    return rewriting(before)
  }

  /// Storage held other sessions where this one stands now: the server is to learn of their end.
  mutating func owe(_ left: Farewell) -> [Effect] {
    let before = record.text
    record.owed += left.tokens.filter { !record.owed.contains($0) }
    record.leftBehind = record.leftBehind ?? left.leftBehind
    return record.text == before ? [] : rewriting(before)
  }

  /// What a claim is about to read is not written meanwhile.
  private func rewriting(_ before: Secret) -> [Effect] {
    isClaiming ? [] : [.replaceSession(before, with: record.text)]
  }

  /// The organization may change what it asks of a session that stands.
  mutating func learn(_ terms: TokenAnswer.SessionTerms) -> [Effect] {
    guard terms.id == record.terms.id, terms != record.terms, renewal == .idle else { return [] }
    let before = record.text
    record.terms = terms
    return [.replaceSession(before, with: record.text)]
  }

  /// Nobody waits for this request any more.
  mutating func drop(_ id: RequestID) {
    held.removeAll { $0.id == id }
    underWay.removeAll { $0.id == id }
  }

  // MARK: Requests

  /// Sends what was asked for since the last time, or holds it until the token is renewed.
  mutating func send(_ context: inout FlowContext) -> [Effect] {
    for asked in context.takeAsked() {
      held.append(Job(id: asked.id, apiRequest: asked.apiRequest))
    }
    return sendHeld(&context)
  }

  /// The next sending hands over an access token, renewed first where it must be.
  mutating func askToken(_ ticket: Int64) { tokenTickets.append(ticket) }

  private mutating func sendHeld(_ context: inout FlowContext) -> [Effect] {
    guard !held.isEmpty || !tokenTickets.isEmpty || wantedOrganization != nil else { return [] }
    let freshUntil = record.accessExpiresAt.adding(seconds: -Self.renewalMarginSeconds)
    let isWanted = isTokenDoubted || renewalsOwed > 0 || wantedOrganization != nil
    if isWanted || freshUntil <= context.now { return claim() }
    guard renewal == .idle else { return [] }
    var effects = tokenTickets.map { Effect.handOverToken(ticket: $0, record.accessToken) }
    tokenTickets = []
    for var job in held {
      job.token = record.accessToken
      underWay.append(job)
      effects.append(context.start(Call(job.apiRequest, token: record.accessToken), as: job.id))
    }
    held = []
    return effects
  }

  private mutating func claim() -> [Effect] {
    guard renewal == .idle, claimAt == nil else { return [] }
    renewal = .claiming
    return [.claimRenewal]
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> (effects: [Effect], deliveries: [Delivery]) {
    hear(answer, context)
    if case .calling(let request) = renewal, request == id { return renewed(answer, &context) }
    guard let index = underWay.firstIndex(where: { $0.id == id }) else { return ([], []) }
    var job = underWay.remove(at: index)
    guard answer.status == 401 else { return ([], [Delivery(id: id, answer: answer)]) }
    // A token may end before its time. It is doubted once; a fresh one that is refused too means
    // that something else is wrong, and asking again would never stop. A session that is said to
    // be over is doubted as well: this device may have left it for another organization, in
    // another window or with the answer lost, and a renewal leads there (S-05).
    let reason = answer.endReason
    if job.isRepeated, let reason {
      return ([end(for: reason)], [])
    }
    guard !job.isRepeated else { return ([], [Delivery(id: id, answer: answer)]) }
    isTokenDoubted = isTokenDoubted || job.token == record.accessToken
    saidOver = reason ?? saidOver
    job.isRepeated = true
    held.append(job)
    return (sendHeld(&context), [])
  }

  /// An answer of our own server alone tells whether there is a network (L-25).
  private mutating func hear(_ answer: Answer, _ context: FlowContext) {
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
    switch reading {
    case .cannotTell where !isFleeting: return waitForStorage(context)
    case .cannotTell: return renew(&context)
    // It was written, and is not there: the server knows whether somebody has signed out since.
    case .absent where keeping != .kept: return renewAlone(beside: nil, &context)
    // This app alone still knows the session: what is stored tells nothing of it any more.
    case .damaged: return renewAlone(beside: nil, &context)
    case .absent: break
    case .value(let text):
      if let farewell = Farewell(text: text) {
        if !isOurs(farewell) { return renewAlone(beside: farewell, &context) }
      } else if SessionRecord(text: text) == nil {
        guard SessionRecord.isOfLaterVersion(text) else {
          return renewAlone(beside: nil, &context)
        }
        return waitForStorage(context)
      }
    case .locked: break
    }
    guard let effects = compare(reading, &context) else {
      keeping = .kept
      return renew(&context)
    }
    return [.releaseRenewal] + effects
  }

  /// Storage does not hold what was to be replaced.
  mutating func stored(_ reading: StorageReading, _ context: inout FlowContext) -> [Effect] {
    if let effects = compare(reading, &context) { return effects }
    if case .value(let text) = reading, SessionRecord(text: text) == record { keeping = .kept }
    if keeping == .unproved, reading == .cannotTell {
      // Another window may have found it there, and gone on with it.
      claimAt = context.now.adding(seconds: Self.storageRetrySeconds)
    }
    // Somebody may have signed out just after this session was written: the server knows, and is
    // asked once.
    return keeping == .unproved && reading != .cannotTell ? claim() : []
  }

  /// One that was there before this session, which storage then did not take, is another's.
  private func isOurs(_ farewell: Farewell) -> Bool {
    guard keeping == .unproved || keeping == .fleeting else { return true }
    return farewell.token == record.endingToken
  }

  /// Follows what storage holds; nil when that is this session as it is, or nothing is known.
  private mutating func compare(
    _ reading: StorageReading, _ context: inout FlowContext
  ) -> [Effect]? {
    switch reading {
    case .cannotTell, .damaged: return nil
    // Storage that never was seen to hold it says nothing about it (L-34).
    case .absent where keeping != .kept: return nil
    case .absent:
      ending = .over(.signedOut)
      return []
    case .locked(let card):
      ending = .locked(card: card)
      return []
    case .value(let text):
      if let farewell = Farewell(text: text) {
        guard isOurs(farewell) else { return nil }
        // Another window could not open the lock any more; this one still knows the token.
        let own = Farewell(record)
        if farewell.token == nil {
          ending = .left(own, .session(.lockChanged))
        } else {
          // A farewell to an earlier session may be late, and take the place of this one: then
          // nobody but this window knows the token any more.
          ending = .followed(farewell, untold: farewell.token == own.token ? nil : own)
        }
        return []
      }
      guard let stored = SessionRecord(text: text), stored != record else { return nil }
      return adopt(stored, &context)
    }
  }

  /// Renews what storage does not hold, and will not be told of again.
  private mutating func renewAlone(
    beside farewell: Farewell?, _ context: inout FlowContext
  ) -> [Effect] {
    keeping = .fleeting
    farewellInPlace = farewell?.text
    return renew(&context)
  }

  private mutating func renew(_ context: inout FlowContext) -> [Effect] {
    guard let refreshToken = record.refreshToken else {
      return [end(for: saidOver ?? .sessionEnded), .releaseRenewal]
    }
    var fields: [Form.Field] = [
      .init("grant_type", "refresh_token"),
      .init("client_id", context.app.clientID),
      .init("refresh_token", refreshToken.revealed),
    ]
    if let wantedOrganization { fields.append(.init("organization", wantedOrganization.text)) }
    let (id, effect) = context.start(.post(Endpoint.token, Form(fields), .proof))
    renewal = .calling(id)
    return [effect]
  }

  /// Another tab may have renewed since, and an older token would be taken for a stolen one.
  private mutating func waitForStorage(_ context: FlowContext) -> [Effect] {
    claimAt = context.now.adding(seconds: Self.storageRetrySeconds)
    return [.releaseRenewal]
  }

  /// Another tab renewed, or another person signed in there: then nothing that was asked for here
  /// may be done in their name (L-24).
  private mutating func adopt(
    _ stored: SessionRecord, _ context: inout FlowContext
  ) -> [Effect] {
    isTokenDoubted = false
    keeping = .kept
    if stored.terms.id != record.terms.id { becomeOther(.adopted, &context) }
    record = stored
    // What storage holds may be older than what was refused: only a renewal proves an end.
    for index in held.indices { held[index].isRepeated = false }
    // A renewal that a lock needs is not forgotten because storage held a newer record.
    return renewalsOwed > 0 ? claim() : sendHeld(&context)
  }

  private mutating func becomeOther(_ change: Change, _ context: inout FlowContext) {
    self.change = change
    saidOver = nil
    wantedOrganization = nil
    held = []
    tokenTickets = []
    underWay = []
    context.forgetCalls()
  }

  private mutating func renewed(
    _ answer: Answer, _ context: inout FlowContext
  ) -> (effects: [Effect], deliveries: [Delivery]) {
    renewal = .idle
    if let body = answer.success, let tokens = TokenAnswer(json: body) {
      let (before, terms) = (record.text, record.terms)
      record = SessionRecord(
        tokens, at: context.now, person: record.person, leftBehind: record.leftBehind,
        owed: record.owed)
      isTokenDoubted = false
      saidOver = nil
      // Another window had found this session in storage, went on with it, and signed out of that.
      if let text = farewellInPlace, let left = Farewell(text: text.revealed),
        left.tokens.contains(record.endingToken)
      {
        ending = .followed(left, untold: nil)
        return ([.releaseRenewal], [])
      }
      // An answer to a switch may have been lost before: what follows is another session (S-05).
      if tokens.session.id != terms.id {
        becomeOther(.succeeded, &context)
        if keeping == .kept { keeping = .moved }
      }
      let save: [Effect] = [.replaceSession(before, with: record.text), .releaseRenewal]
      if renewalsOwed > 0 { renewalsOwed -= 1 }
      return (save + (renewalsOwed > 0 ? claim() : sendHeld(&context)), [])
    }
    if let reason = answer.endReason {
      return ([end(for: reason), .releaseRenewal], [])
    }
    if wantedOrganization != nil {
      wantedOrganization = nil
      let reason = answer.notice(at: context.now)
      news = .switchFailed(answer.refusal == .notAMember ? .session(.notAMember) : reason)
    }
    let failed = held.map { Delivery(id: $0.id, answer: answer) }
    let refused = tokenTickets.map { Effect.handOver(ticket: $0, answer) }
    held = []
    tokenTickets = []
    return ([.releaseRenewal] + refused, failed)
  }

  // MARK: Organizations

  /// The next renewal leads into the organization: there the session is another one (S-05).
  mutating func enter(_ organization: OrganizationID) {
    if record.terms.organization != organization { wantedOrganization = organization }
  }

  // MARK: Ending

  /// The server has ended it.
  private mutating func end(for reason: Notice) -> Effect {
    let isAlone = record.owed.isEmpty && record.leftBehind == nil
    let remains = isAlone ? nil : Farewell(record)
    ending = .over(reason, remains: remains)
    return remains.map { .replaceSession(record.text, with: $0.text) } ?? .eraseIfStill(record.text)
  }

  /// Signing out succeeds with no network too: what is stored is replaced before anything else.
  mutating func leave(saying notice: Notice = .signedOut) -> [Effect] {
    ending = .left(Farewell(record), notice)
    return renewal == .idle ? [] : [.releaseRenewal]
  }
}
