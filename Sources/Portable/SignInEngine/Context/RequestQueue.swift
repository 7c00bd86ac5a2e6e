import SignInModel
import SignInWire

/// The requests that are queued until the session sends them, and those that were sent and not
/// answered; and the replies that the embedding app has not taken.
struct RequestQueue: Equatable, Sendable {
  /// An API request that is not sent yet, and the identifier that its answer will have.
  struct QueuedRequest: Equatable, Sendable {
    let id: RequestID
    let apiRequest: APIRequest
  }

  struct UnansweredCall: Equatable, Sendable {
    let id: RequestID
    fileprivate(set) var call: Call
    /// Whether it renews the session, so that the app has the claim until it has ended.
    fileprivate let isRenewal: Bool
    fileprivate var isRepeated = false
  }

  private var queued: [QueuedRequest] = []
  private var unanswered: [UnansweredCall] = []
  private var forgottenRenewal: ForgottenRenewal?
  private var replies: [TicketReply] = []
  private var last: Int64 = 0

  mutating func next() -> RequestID {
    last += 1
    return RequestID(last)
  }

  /// Adds an API request, which the session sends.
  mutating func add(_ apiRequest: APIRequest) -> RequestID {
    let id = next()
    queued.append(QueuedRequest(id: id, apiRequest: apiRequest))
    return id
  }

  mutating func takeQueued() -> [QueuedRequest] {
    defer { queued = [] }
    return queued
  }

  mutating func reply(_ reply: TicketReply) { replies.append(reply) }

  mutating func takeReplies() -> [TicketReply] {
    defer { replies = [] }
    return replies
  }

  mutating func start(
    _ call: Call, as id: RequestID, at now: Instant, isRenewal: Bool = false
  ) -> Effect {
    var call = call
    call.issuedAt = now.seconds
    unanswered.append(UnansweredCall(id: id, call: call, isRenewal: isRenewal))
    return .call(id, call)
  }

  /// Removes an answered call; returns `nil` if it was not sent, or is not awaited any more.
  mutating func take(_ id: RequestID) -> UnansweredCall? {
    unanswered.firstIndex { $0.id == id }.map { unanswered.remove(at: $0) }
  }

  /// Sends the call once more, with a proof that was issued now; `nil` if that was done before.
  mutating func sendAgain(_ answered: UnansweredCall, at now: Instant) -> Effect? {
    guard !answered.isRepeated else { return nil }
    var again = answered
    again.isRepeated = true
    again.call.issuedAt = now.seconds
    unanswered.append(again)
    return .call(again.id, again.call)
  }

  /// Removes this request, so that its answer is ignored.
  mutating func forget(_ id: RequestID) {
    unanswered.removeAll { $0.id == id }
    queued.removeAll { $0.id == id }
  }

  /// Removes all requests.
  ///
  /// Their answers are ignored, but the answer to a renewal still releases its claim
  /// (`ForgottenRenewal`). Only revocations and the `kept` request continue, because they do not
  /// belong to the signed-in account.
  mutating func forgetAll(except kept: RequestID?) {
    if let renewal = unanswered.first(where: { $0.isRenewal }) {
      forgottenRenewal = ForgottenRenewal(renewal.id)
    }
    unanswered.removeAll { $0.call.path != Endpoint.revoke.path && $0.id != kept }
    queued = []
  }

  // MARK: The claim of a forgotten renewal

  var hasForgottenRenewal: Bool { forgottenRenewal != nil }

  mutating func delayClaim<Page>(in effects: [AppEffect<Page>]) -> [AppEffect<Page>] {
    forgottenRenewal?.delayClaim(in: effects) ?? effects
  }

  /// Releases the claim, if this request is the forgotten renewal.
  mutating func release(_ id: RequestID) -> [Effect] {
    guard let forgotten = forgottenRenewal, forgotten.request == id else { return [] }
    forgottenRenewal = nil
    return forgotten.release
  }
}
