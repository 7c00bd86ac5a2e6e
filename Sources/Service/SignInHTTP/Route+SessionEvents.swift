import HTTPServer
import SignInModel
import SignInService
import SignInWire

extension Route {
  /// Answers when the session differs from the version that the app has seen, or after some time.
  ///
  /// Thousands of requests wait here at the same time, so their async frames must be small. A frame
  /// stores the variables of everything that is inlined into it, so the first steps are in `enter`.
  static func sessionEvents(_ call: Call, _ claim: consuming SessionClaim) async -> HTTPResponse {
    switch enter(call, claim.session) {
    case .refusal(let response): return response
    case .waiting(let seen, let ticket):
      defer { call.handler.waiters.leave(ticket) }
      return await update(of: claim, unlike: seen, ticket, call.handler)
    }
  }

  private enum Entry {
    case refusal(HTTPResponse)
    case waiting(seen: String?, ticket: Int64)
  }

  @inline(never) private static func enter(_ call: Call, _ session: SessionID) -> Entry {
    let seen: String?
    do throws(Form.Fault) {
      seen = try Form(parsing: Array((call.request.query ?? "").utf8))["seen"]
    } catch {
      return .refusal(.dataRefusal(ErrorAnswer(.invalidRequest, "the query is malformed")))
    }
    guard let ticket = call.handler.waiters.enter(session) else {
      return .refusal(.dataRefusal(.tooManyWaitingRequests))
    }
    return .waiting(seen: seen, ticket: ticket)
  }

  private static func update(
    of claim: SessionClaim, unlike seen: String?, _ ticket: Int64, _ handler: FieldpassHandler
  ) async -> HTTPResponse {
    let deadline = handler.world.clock.now().adding(seconds: SessionWaiters.waitSeconds)
    while true {
      switch await poll(claim, unlike: seen, ticket, until: deadline, handler) {
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
  ) async -> PollResult {
    let (world, waiters) = (handler.world, handler.waiters)
    switch await readSession(claim, in: world) {
    case .refusal(let refusal): return .answer(.dataRefusal(refusal))
    case .success(let update):
      let isOver = world.clock.now() >= deadline || waiters.isClosed
      guard isOver || update.version != seen || waiters.mustComplete(ticket) else {
        return .wait(until: min(deadline, update.endsAt))
      }
      return .answer(.json(update.json))
    }
  }
}

extension ErrorAnswer {
  /// The pause prevents clients from asking again immediately, which would keep the server busy.
  fileprivate static var tooManyWaitingRequests: ErrorAnswer {
    var answer = ErrorAnswer(.temporarilyUnavailable, "too many open requests; try again later")
    answer.retryIn = SessionWaiters.waitSeconds
    return answer
  }
}
