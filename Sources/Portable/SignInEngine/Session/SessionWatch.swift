import JSONText
import SignInWire

/// Learns about changes of the session within seconds, while the app is visible.
///
/// The server leaves one request open, and answers it when there is an account
/// update.
///
/// If the session has ended, any answer can say so. `RenewingSession` handles that, not this type.
struct SessionWatch: Equatable, Sendable {
  /// Longer than the server leaves the request open.
  static let timeoutSeconds: Int64 = 65

  private var version: String?
  private(set) var request: RequestID?
  private var retry = Retry()

  func isFor(_ id: RequestID) -> Bool { request == id }

  mutating func hold(_ context: inout FlowContext) {
    guard request == nil else { return }
    retry.stop()
    let query = SessionEventsQuery { $0.seen = version }
    var apiRequest = APIRequest.get(.sessionEvents, query.form)
    apiRequest.timeoutSeconds = Self.timeoutSeconds
    request = context.ask(apiRequest)
  }

  /// Cancels the request, because the app is hidden.
  mutating func cancel(_ context: inout FlowContext) -> [Effect] {
    guard let request else { return [] }
    self.request = nil
    retry.stop()
    context.forget(request)
    return [.cancelCall(request)]
  }

  /// Returns the terms of the session and the account updates; `nil` if the answer has none.
  mutating func answered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> SessionEventsAnswer? {
    request = nil
    guard let told = answer.success.flatMap({ SessionEventsAnswer(json: $0) }) else {
      retry.wait(from: context.now)
      return nil
    }
    version = told.version
    retry = Retry()
    hold(&context)
    return told
  }

  mutating func tick(_ context: inout FlowContext) {
    if retry.isDue(at: context.now) { hold(&context) }
  }
}
