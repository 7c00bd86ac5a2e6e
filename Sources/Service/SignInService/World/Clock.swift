public import SignInModel

/// The current time.
///
/// Two readings may be equal. A later reading is never earlier than the one before.
public protocol Clock: Sendable {
  func now() -> Instant
  /// The same time without the part by which a development server was moved forward.
  func unmovedNow() -> Instant
  /// Returns after this time, or earlier if the task is cancelled.
  func pause(milliseconds: Int64) async
}

extension Clock {
  public func unmovedNow() -> Instant { now() }
}
