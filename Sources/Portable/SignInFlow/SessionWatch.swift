import JSONText
import SignInWire

/// Learns within seconds what becomes of the session, while the app can be seen: the server keeps
/// one call waiting and answers it when there is news.
///
/// The end of a session is an answer of its own, which the session takes from any call.
struct SessionWatch: Equatable, Sendable {
  /// Longer than the server waits.
  static let timeoutSeconds: Int64 = 65

  private var version: String?
  private(set) var request: RequestID?
  private var retry = Retry()

  func isFor(_ id: RequestID) -> Bool { request == id }

  mutating func hold(_ context: inout FlowContext) {
    guard request == nil else { return }
    retry.stop()
    let seen = version.map { Form([.init("seen", $0)]).encoded }
    var apiRequest = APIRequest.get(Endpoint.sessionEvents + (seen.map { "?" + $0 } ?? ""))
    apiRequest.timeoutSeconds = Self.timeoutSeconds
    request = context.ask(apiRequest)
  }

  /// Nobody is there to be told.
  mutating func letGo(_ context: inout FlowContext) -> [Effect] {
    guard let request else { return [] }
    self.request = nil
    retry.stop()
    context.forget(request)
    return [.cancelCall(request)]
  }

  struct News: Equatable, Sendable {
    let terms: TokenAnswer.SessionTerms
    let account: AccountNews
  }

  /// The terms of the session and what concerns its account, when they are told.
  mutating func answered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> News? {
    request = nil
    guard let body = answer.success, let told = body["version"]?.text,
      let terms = TokenAnswer.SessionTerms(json: body["session"])
    else {
      retry.wait(from: context.now)
      return nil
    }
    version = told
    retry = Retry()
    hold(&context)
    return News(terms: terms, account: AccountNews(json: body))
  }

  mutating func tick(_ context: inout FlowContext) {
    if retry.isDue(at: context.now) { hold(&context) }
  }
}
