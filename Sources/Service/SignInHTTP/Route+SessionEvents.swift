import HTTPServer
import SignInModel
import SignInService
import SignInWire

extension Route {
  /// Answers when the session is not any more what its app has seen of it, or after some time.
  static func sessionEvents(_ call: Call) async -> HTTPResponse {
    let seen: String?
    do throws(Form.Fault) {
      seen = try Form(parsing: Array((call.request.query ?? "").utf8))["seen"]
    } catch {
      return .dataRefusal(ErrorAnswer(.invalidRequest, "the query is malformed"))
    }
    let outcome = authorizeSession(
      authorization: call.request.values(of: "authorization"), proof: call.proof, in: call.world
    )
    switch outcome {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let claim):
      guard let ticket = call.handler.waiters.enter(claim.session) else {
        return .dataRefusal(.tooManyWait)
      }
      defer { call.handler.waiters.leave(ticket) }
      return await news(of: claim, unlike: seen, ticket, call.handler)
    }
  }

  private static func news(
    of claim: SessionClaim, unlike seen: String?, _ ticket: Int64, _ handler: FieldpassHandler
  ) async -> HTTPResponse {
    let (world, waiters) = (handler.world, handler.waiters)
    let deadline = world.clock.now().adding(seconds: SessionWaiters.waitSeconds)
    while true {
      switch await readSession(claim, in: world) {
      case .refusal(let refusal): return .dataRefusal(refusal)
      case .success(let news):
        let isOver = world.clock.now() >= deadline || waiters.isClosed
        if isOver || news.version != seen || waiters.isSentHome(ticket) { return .json(news.json) }
        await waiters.wait(ticket, until: min(deadline, news.endsAt))
      }
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
