import HTTPClient
import SignInService

extension OutboundCalls {
  /// Sends a request that hands over a message.
  ///
  /// If the request did not leave this machine, the message can be tried again soon.
  func handOver(
    _ request: OutboundRequest
  ) async throws(TextMessengerFault) -> OutboundAnswer {
    do throws(OutboundFault) {
      return try await send(request)
    } catch {
      switch error {
      case .notSent(let why): throw .retry(afterSeconds: 1, because: why)
      case .late(isSent: false): throw .retry(afterSeconds: 1, because: OutboundFault.timedOut)
      case .late(isSent: true): throw .unclear("no answer in time")
      case .unanswered(let why): throw .unclear(why)
      }
    }
  }
}

extension OutboundFault {
  /// The reason that is reported when a call did not connect in time.
  static let timedOut = "timed out before it was connected"
}

extension OutboundAnswer {
  /// The fault for an error status if the provider gives no further details.
  var fault: TextMessengerFault {
    switch status {
    case 429: .retry(afterSeconds: max(1, retryAfterSeconds ?? 1))
    // The credentials or the address of this messenger are wrong. Another messenger can work.
    case 401, 402, 403, 404, 405, 407: .otherProvider("answered \(status)")
    case 408, 425: .retry(afterSeconds: 1, because: "answered \(status)")
    case 400..<500: .never("answered \(status)")
    case 503 where retryAfterSeconds != nil:
      .retry(afterSeconds: max(1, retryAfterSeconds ?? 1))
    default: .unclear("answered \(status)")
    }
  }
}
