/// A defect put into a simulated server on purpose: laws that never find one may be blind.
public enum PlantedDefect: String, CaseIterable, Sendable {
  /// One write of a failure counter in four is forgotten.
  case forgottenFailures
  /// Answers are compared before they are counted, not after.
  case lateCounting
  /// A resend opens the counter again.
  case resendGivesTries
  /// The server's clock runs a second late where codes are checked.
  case lateClock
  /// The outbox hands every message over twice.
  case doubleHandOver
  /// A repeated hand-over carries another code.
  case secondText
  /// An accepted code stays live.
  case unconsumedCode
  /// A new code does not take the place of the older one.
  case olderCodeStays
  /// Every password is right.
  case anyPassword
  /// A crash forgets the last transaction although it was acknowledged.
  case lostTransaction
  /// Signing out is answered and not recorded.
  case forgottenSignOut
  /// A lost refresh answer, asked for again, is taken for theft.
  case impatientRotation
  /// A lock is kept in the memory of the process.
  case forgetfulLock
  /// Locked accounts are sent messages.
  case chattyLock
}
