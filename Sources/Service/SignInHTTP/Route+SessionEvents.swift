import HTTPServer
import SignInModel
import SignInService
import SignInWire

extension Route {
  /// Answers when the session is not any more what its app has seen of it, or after some time.
  ///
  /// Ten thousand calls wait here at once: what only the beginning needs is left to `enter`, which
  /// keeps nothing of it (a frame holds whatever was inlined into it, for as long as it waits).
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
      return .refusal(.dataRefusal(.tooManyWait))
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
      guard isOver || news.version != seen || waiters.isSentHome(ticket) else {
        return .wait(until: min(deadline, news.endsAt))
      }
      return .answer(.json(news.json))
    }
  }
}

extension ErrorAnswer {
  /// A client that asked again at once would only keep the server busy.
  fileprivate static var tooManyWait: ErrorAnswer {
    var answer = ErrorAnswer(.temporarilyUnavailable, "too many calls wait; ask later")
    answer.retryIn = SessionWaiters.waitSeconds
    return answer
  }
}
