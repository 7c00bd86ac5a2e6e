internal import SignInModel

/// Decides what a presented refresh token may do, by its generation number and never by time.
///
/// A session stores only the newest generation that it gave out. The newest token advances the
/// session. The token before it returns the same newest token, because the last answer may have
/// been lost. An older token was used twice, which means that it was stolen (RFC 9700, section
/// 4.14).
public enum RefreshRotation {
  public enum Verdict: Equatable, Sendable {
    /// Give out this generation and store it.
    case advance(to: Int64)
    /// The successor was never used.
    ///
    /// Give out the same one again.
    case repeatSuccessor(Int64)
    /// A token was used twice.
    ///
    /// End the session.
    case reuse
    /// This session never gave out such a token.
    case unknown
  }

  public static func verdict(presented: Int64, newest: Int64) -> Verdict {
    if presented < 0 || presented > newest { return .unknown }
    if presented == newest { return .advance(to: newest.plusClamping(1)) }
    if presented == newest.plusClamping(-1) { return .repeatSuccessor(newest) }
    return .reuse
  }

  /// What a token may do after its session was replaced by one in another organization.
  public enum SwitchVerdict: Equatable, Sendable {
    /// The answer to the switch was lost.
    ///
    /// Give out the session that followed.
    case follow
    /// A token was used twice.
    ///
    /// End the session that followed.
    case reuse
    case unknown
  }

  /// The verdict about a token of a session that was replaced by another one.
  ///
  /// `newest` is the newest generation of the replaced session; the switch counts as one step.
  /// `successorNewest` is the newest generation of the session that followed. It is zero as long as
  /// its first token was not used.
  public static func verdict(
    presented: Int64, newest: Int64, successorNewest: Int64
  ) -> SwitchVerdict {
    switch verdict(presented: presented, newest: newest) {
    case .unknown: .unknown
    case .reuse: .reuse
    case .advance, .repeatSuccessor: successorNewest == 0 ? .follow : .reuse
    }
  }

  /// The newest generation of a session after the switch to another organization.
  ///
  /// A switch uses the presented token, as a refresh does.
  public static func newestAfterSwitch(presented: Int64) -> Int64 {
    presented.plusClamping(1)
  }
}
