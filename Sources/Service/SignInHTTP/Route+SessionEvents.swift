import HTTPServer
import SignInModel
import SignInService
import SignInWire

extension Route {
  /// Answers when the session differs from the version that the app has seen, or after some time.
  ///
  /// Thousands of requests wait here at the same time, so their async frames must be small. A frame
  /// stores the variables of everything that is inlined into it, so the first steps are in `enter`.
  static func sessionEvents(_ call: Call, _ claim: consuming SessionClaim) async throws(Refusal)
    -> HTTPResponse
  {
    let (seen, ticket) = try enter(call, claim.session)
    defer { call.handler.waiters.leave(ticket) }
    return try await update(of: claim, unlike: seen, ticket, call.handler)
  }

  @inline(never) private static func enter(
    _ call: Call, _ session: SessionID
  ) throws(Refusal) -> (seen: String?, ticket: Int64) {
    let seen = SessionEventsQuery(try call.query()).seen
    guard let ticket = call.handler.waiters.enter(session) else {
      throw Refusal.tooManyWaitingRequests
    }
    return (seen, ticket)
  }

  private static func update(
    of claim: SessionClaim, unlike seen: String?, _ ticket: Int64, _ handler: FieldpassHandler
  ) async throws(Refusal) -> HTTPResponse {
    let deadline = handler.world.clock.now().adding(seconds: SessionWaiters.waitSeconds)
    while true {
      switch try await poll(claim, unlike: seen, ticket, until: deadline, handler) {
      case .answer(let response): return response
      case .wait(let end): await handler.waiters.wait(ticket, until: end)
      }
    }
  }

  private enum PollResult {
    case answer(HTTPResponse)
    case wait(until: Instant)
  }

  private static func poll(
    _ claim: SessionClaim, unlike seen: String?, _ ticket: Int64, until deadline: Instant,
    _ handler: FieldpassHandler
  ) async throws(Refusal) -> PollResult {
    let (world, waiters) = (handler.world, handler.waiters)
    let update = try await readSession(claim, in: world)
    let isOver = world.clock.now() >= deadline || waiters.isClosed
    guard isOver || update.answer.version != seen || waiters.mustComplete(ticket) else {
      return .wait(until: min(deadline, update.endsAt))
    }
    return .answer(.json(update.answer.json))
  }
}

extension Refusal {
  /// The refusal for too many waiting requests.
  ///
  /// It names a pause, because a client that repeats at once would keep the server busy.
  fileprivate static var tooManyWaitingRequests: Refusal {
    .overloaded(
      "too many open requests; try again later", retrySeconds: SessionWaiters.waitSeconds)
  }
}
