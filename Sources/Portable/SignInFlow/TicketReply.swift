public import SignInModel

/// The reply to a request that the embedding app made.
public struct TicketReply: Equatable, Sendable {
  public enum Content: Equatable, Sendable {
    /// The answer of the server, or the reason why there is no token.
    case answer(Answer)
    /// An access token, renewed first if it was about to expire.
    case token(Secret)
  }

  /// The number that the embedding app gave its request.
  public let ticket: Int64
  public let content: Content
}
