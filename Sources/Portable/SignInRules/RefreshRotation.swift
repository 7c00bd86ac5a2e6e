/// Decides what a presented refresh token is worth, by counting generations, never by timing them.
///
/// A session knows only the newest generation it handed out. The newest token moves the session on;
/// the one before it, presented again because an answer was lost, gives that same newest token
/// again; anything older has been used twice, which only a thief does.
public enum RefreshRotation {
  public enum Verdict: Equatable, Sendable {
    /// Hand out this generation and remember it.
    case advance(to: Int64)
    /// The successor was never used: hand the same one out again.
    case repeatSuccessor(Int64)
    /// A token was used twice: end the session.
    case reuse
    /// This session never handed out such a token.
    case unknown
  }

  public static func verdict(presented: Int64, newest: Int64) -> Verdict {
    if presented < 0 || presented > newest { return .unknown }
    if presented == newest { return .advance(to: newest + 1) }
    if presented == newest - 1 { return .repeatSuccessor(newest) }
    return .reuse
  }
}
