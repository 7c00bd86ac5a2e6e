internal import SignInModel

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
    if presented == newest { return .advance(to: newest.plusClamping(1)) }
    if presented == newest.plusClamping(-1) { return .repeatSuccessor(newest) }
    return .reuse
  }

  /// What a token is worth whose session went on as another one, in another organization.
  public enum SwitchVerdict: Equatable, Sendable {
    /// The answer to the switch was lost: hand out the session that followed.
    case follow
    /// A token was used twice: end the session that followed.
    case reuse
    case unknown
  }

  /// What a token of a session that was left for another one is worth.
  ///
  /// `newest` is as the session that was left has it, the switch counted as one step of it;
  /// `successorNewest` as the one that followed has it: zero while nobody used its token.
  public static func verdict(
    presented: Int64, newest: Int64, successorNewest: Int64
  ) -> SwitchVerdict {
    switch verdict(presented: presented, newest: newest) {
    case .unknown: .unknown
    case .reuse: .reuse
    case .advance, .repeatSuccessor: successorNewest == 0 ? .follow : .reuse
    }
  }

  /// What a session that is left for another organization counts afterwards.
  ///
  /// A switch uses the token presented, as a refresh does.
  public static func newestAfterSwitch(presented: Int64) -> Int64 {
    presented.plusClamping(1)
  }
}
