import SignInModel

/// The API requests of a session, and the embedding app's requests for an access token.
///
///     waiting ──valid token──▶ running ──answered──▶ delivered
///        ▲                        │
///        └──── refused once ──────┘
struct SessionRequests: Equatable, Sendable {
  struct Request: Equatable, Sendable {
    let id: RequestID
    let apiRequest: APIRequest
    /// The token that the request was sent with.
    fileprivate(set) var token: Secret?
    fileprivate var isRepeated = false

    fileprivate init(_ queued: FlowContext.QueuedRequest) {
      (id, apiRequest) = (queued.id, queued.apiRequest)
    }
  }

  /// The answer to an API request, for the screen or the app that sent it.
  struct RoutedAnswer: Equatable, Sendable {
    let id: RequestID
    let answer: Answer
  }

  private var waiting: [Request] = []
  private var running: [Request] = []
  /// The tickets with which the embedding app waits for a valid access token.
  private var tickets: [Int64] = []

  /// Whether a request or the embedding app needs a valid token.
  var needToken: Bool { !waiting.isEmpty || !tickets.isEmpty }

  mutating func add(_ queued: FlowContext.QueuedRequest) { waiting.append(Request(queued)) }

  mutating func add(ticket: Int64) { tickets.append(ticket) }

  /// Removes a request, because its answer has no use any more.
  mutating func drop(_ id: RequestID) {
    waiting.removeAll { $0.id == id }
    running.removeAll { $0.id == id }
  }

  /// Uses a valid token for all that wait for one.
  mutating func send(with token: Secret, _ context: inout FlowContext) -> [Effect] {
    for ticket in tickets { context.reply(.token(token), to: ticket) }
    tickets = []
    var effects: [Effect] = []
    for var request in waiting {
      request.token = token
      running.append(request)
      effects.append(context.start(Call(request.apiRequest, token: token), as: request.id))
    }
    waiting = []
    return effects
  }

  /// Removes the running request with this identifier, because it was answered.
  mutating func take(_ id: RequestID) -> Request? {
    running.firstIndex { $0.id == id }.map { running.remove(at: $0) }
  }

  /// Lets a refused request wait for another token; returns false if it was repeated before.
  mutating func sendAgain(_ request: Request) -> Bool {
    guard !request.isRepeated else { return false }
    var request = request
    request.isRepeated = true
    waiting.append(request)
    return true
  }

  /// Allows each waiting request one more repetition.
  mutating func allowRefusal() {
    for index in waiting.indices { waiting[index].isRepeated = false }
  }

  /// Gives this answer to all that wait for a token, because there is none.
  mutating func fail(_ answer: Answer, _ context: inout FlowContext) -> [RoutedAnswer] {
    for ticket in tickets { context.reply(.answer(answer), to: ticket) }
    tickets = []
    defer { waiting = [] }
    return waiting.map { RoutedAnswer(id: $0.id, answer: answer) }
  }
}
