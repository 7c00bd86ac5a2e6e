import SignInModel
import SignInWire

/// A session that renews itself until the server ends it, and the calls made in its name.
///
/// It knows nothing of what is shown. Renewal is one at a time, in this app and across tabs:
/// claim ─▶ call ─▶ save ─▶ release. What storage holds at the claim decides: another tab may have
/// renewed already, or signed out.
public struct SessionKeeping: Equatable, Sendable {
  /// An access token is renewed this long before it ends.
  static let renewalMarginSeconds: Int64 = 30
  /// Storage that could not be read is asked again after this long.
  static let storageRetrySeconds: Int64 = 5

  enum Ending: Equatable, Sendable {
    /// The server, or another tab, ended the session.
    case over(Notice)
    /// The person signed out here: the server must still learn that this token is to end.
    case left(Secret)
  }

  /// An answer for whoever asked.
  struct Delivery: Equatable, Sendable {
    let id: RequestID
    let answer: Answer
  }

  private enum Renewal: Equatable, Sendable {
    case idle
    case claiming
    case calling(RequestID)
  }

  /// An errand under way, or held until there is a token for it.
  private struct Job: Equatable, Sendable {
    let id: RequestID
    let errand: Errand
    var token: Secret?
    var isRepeated = false
  }

  public private(set) var record: SessionRecord
  /// Set once the session is over, with what to say about it.
  private(set) var ending: Ending?

  private var renewal: Renewal = .idle
  private var held: [Job] = []
  private var underWay: [Job] = []
  /// False when storage refused the session: then nothing but this page knows it.
  private var isKept = true
  private var isTokenDoubted = false
  private var isOtherPerson = false
  private var claimAt: Instant?

  init(_ record: SessionRecord) { self.record = record }

  mutating func remainUnkept() { isKept = false }

  /// Whether the session in storage became another one; true once.
  mutating func takeChangeOfPerson() -> Bool {
    defer { isOtherPerson = false }
    return isOtherPerson
  }

  mutating func tick(_ context: FlowContext) -> [Effect] {
    guard let claimAt, claimAt <= context.now else { return [] }
    self.claimAt = nil
    return claim()
  }

  // MARK: Errands

  /// Sends what was asked for since the last time, or holds it until the token is renewed.
  mutating func send(_ context: inout FlowContext) -> [Effect] {
    for asked in context.takeAsked() { held.append(Job(id: asked.id, errand: asked.errand)) }
    return sendHeld(&context)
  }

  private mutating func sendHeld(_ context: inout FlowContext) -> [Effect] {
    guard !held.isEmpty else { return [] }
    let freshUntil = record.accessExpiresAt.adding(seconds: -Self.renewalMarginSeconds)
    if isTokenDoubted || freshUntil <= context.now { return claim() }
    guard renewal == .idle else { return [] }
    var effects: [Effect] = []
    for var job in held {
      job.token = record.accessToken
      underWay.append(job)
      effects.append(context.start(Call(job.errand, token: record.accessToken), as: job.id))
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
    if case .calling(let request) = renewal, request == id { return renewed(answer, &context) }
    guard let index = underWay.firstIndex(where: { $0.id == id }) else { return ([], []) }
    var job = underWay.remove(at: index)
    // A token may end before its time. It is doubted once; a fresh one that is refused too means
    // that something else is wrong, and asking again would never stop.
    guard answer.status == 401, !job.isRepeated else {
      return ([], [Delivery(id: id, answer: answer)])
    }
    isTokenDoubted = isTokenDoubted || job.token == record.accessToken
    job.isRepeated = true
    held.append(job)
    return (sendHeld(&context), [])
  }

  // MARK: Renewal

  mutating func renewalClaimed(
    _ reading: StorageReading, _ context: inout FlowContext
  ) -> [Effect] {
    guard renewal == .claiming else { return [] }
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
      if stored != record { return [.releaseRenewal] + adopt(stored, &context) }
    case .cannotTell where isKept: return waitForStorage(context)
    case .absent, .cannotTell: break
    }
    return renew(&context)
  }

  private mutating func renew(_ context: inout FlowContext) -> [Effect] {
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
    claimAt = context.now.adding(seconds: Self.storageRetrySeconds)
    return [.releaseRenewal]
  }

  /// Another tab renewed, or another person signed in there: then nothing that was asked for here
  /// may be done in their name.
  private mutating func adopt(
    _ stored: SessionRecord, _ context: inout FlowContext
  ) -> [Effect] {
    isTokenDoubted = false
    if stored.terms.id != record.terms.id {
      isOtherPerson = true
      held = []
      underWay = []
      context.forgetCalls()
    }
    record = stored
    return sendHeld(&context)
  }

  private mutating func renewed(
    _ answer: Answer, _ context: inout FlowContext
  ) -> (effects: [Effect], deliveries: [Delivery]) {
    renewal = .idle
    if let body = answer.success, let tokens = TokenAnswer(json: body) {
      record = SessionRecord(tokens, at: context.now)
      isTokenDoubted = false
      return ([.saveSession(record.text), .releaseRenewal] + sendHeld(&context), [])
    }
    switch answer.refusal {
    case .invalidGrant:
      let isDeactivated = answer.error?.reason == "account_deactivated"
      ending = .over(isDeactivated ? .accountDeactivated : .sessionEnded)
      return ([.eraseSession, .releaseRenewal], [])
    case .accountDeactivated:
      ending = .over(.accountDeactivated)
      return ([.eraseSession, .releaseRenewal], [])
    default:
      let failed = held.map { Delivery(id: $0.id, answer: answer) }
      held = []
      return ([.releaseRenewal], failed)
    }
  }

  // MARK: Ending

  /// Signing out succeeds with no network too: what is stored is replaced before anything else.
  mutating func leave() -> [Effect] {
    ending = .left(record.refreshToken ?? record.accessToken)
    return renewal == .idle ? [] : [.releaseRenewal]
  }
}
