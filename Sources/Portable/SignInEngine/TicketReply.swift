public import SignInModel

/// The reply to a request or an intent of the embedding app.
public struct TicketReply: Equatable, Sendable {
  public enum Content: Equatable, Sendable {
    /// The answer of the server, or the reason why there is no token.
    case answer(Answer)
    /// An access token, renewed first if it was about to expire.
    case token(Secret)
    case result(IntentResult)
  }

  /// The number that the embedding app gave it.
  public let ticket: Int64
  public let content: Content
}
