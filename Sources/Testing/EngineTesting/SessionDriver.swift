package import JSONText
package import SignInEngine
package import SignInModel
package import SignInWire

/// The functions that the drivers of the engine and of an app with forms share.
package protocol SessionDriver: SessionSamples {
  /// The device's time.
  var time: Instant { get set }
  /// How many seconds the server's clock is ahead of the device's.
  var serverAheadSeconds: Int64 { get }
  /// Milliseconds since the app was opened.
  ///
  /// No change of the wall clock moves it.
  var steady: Int64? { get set }
  /// The effects of the last event.
  var effects: [Effect] { get }

  /// Answers the last request.
  mutating func fail(_ answer: Answer)

  /// Answers the last request with a refusal.
  mutating func refuse(_ code: ErrorCode, _ change: (inout Refusal) -> Void)
}

extension SessionDriver {
  package var serverNow: Instant { time.adding(seconds: serverAheadSeconds) }

  package func call(to path: String) -> (id: RequestID, call: Call)? {
    for effect in effects {
      if case .call(let id, let call) = effect, call.path == path { return (id, call) }
    }
    return nil
  }

  /// Whether the app erases the session only if storage still has the same one.
  package var erasesWhatItHeld: Bool {
    effects.contains { if case .eraseSessionIfUnchanged = $0 { true } else { false } }
  }

  /// Passes time without an event.
  package mutating func elapse(seconds: Int64) {
    time = time.adding(seconds: seconds)
    steady = steady.map { $0 + seconds * 1000 }
  }

  package mutating func answer(_ status: Int64, _ body: JSON) {
    fail(.received(status: status, body: body, serverSeconds: serverNow.seconds))
  }

  package mutating func sendCode() {
    let prompt = prompt()
    refuse(.insufficientAuthorization) {
      $0.authSession = Secret("session-1")
      $0.challenge = prompt
    }
  }

  package mutating func lockOut(minutes: Int64) {
    let until = serverNow.adding(seconds: minutes * 60)
    refuse(.accountLocked) {
      $0.lockedUntil = until
      $0.retryIn = minutes * 60
    }
  }
}
