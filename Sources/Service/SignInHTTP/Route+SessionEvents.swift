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
      return await news(of: claim, unlike: seen, ticket, call.handler)
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

  private static func news(
    of claim: SessionClaim, unlike seen: String?, _ ticket: Int64, _ handler: FieldpassHandler
  ) async -> HTTPResponse {
    let deadline = handler.world.clock.now().adding(seconds: SessionWaiters.waitSeconds)
    while true {
      switch await look(claim, unlike: seen, ticket, until: deadline, handler) {
      case .answer(let response): return response
      case .wait(let end): await handler.waiters.wait(ticket, until: end)
      }
    }
  }

  private enum Look {
    case answer(HTTPResponse)
    case wait(until: Instant)
  }

  private static func look(
    _ claim: SessionClaim, unlike seen: String?, _ ticket: Int64, until deadline: Instant,
    _ handler: FieldpassHandler
  ) async -> Look {
    let (world, waiters) = (handler.world, handler.waiters)
    switch await readSession(claim, in: world) {
    case .refusal(let refusal): return .answer(.dataRefusal(refusal))
    case .success(let news):
      let isOver = world.clock.now() >= deadline || waiters.isClosed
      guard isOver || news.version != seen || waiters.mustComplete(ticket) else {
        return .wait(until: min(deadline, news.endsAt))
      }
      return .answer(.json(news.json))
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
