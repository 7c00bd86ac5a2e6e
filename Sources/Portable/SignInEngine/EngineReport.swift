public import SignInModel

/// A step or a result that the engine reports in addition to its state.
///
/// A page decides whether a person has to hear it, and in which words.
public enum EngineReport: Equatable, Sendable {
  case signingIn
  /// A request has had no answer for `Wait.longSeconds`.
  case takingLong
  /// A request has had no answer for `Wait.veryLongSeconds`.
  case takingVeryLong
  case notice(Notice)
  case codeSent(destination: String)
  case signedIn
  case appLocked
  case unlocking
  case idleWarning(until: Instant)
  case switchingOrganization
  case accountUpdate(AccountUpdateItem)
}
