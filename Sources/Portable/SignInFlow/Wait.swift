public import SignInModel

/// One thing the person waits for, and since when: silence is explained after five seconds, and
/// after fifteen the person learns what can be done.
public struct Wait: Equatable, Sendable {
  public static let longSeconds: Int64 = 5
  public static let veryLongSeconds: Int64 = 15

  public enum Patience: Equatable, Sendable { case usual, long, veryLong }

  /// Nil while something must be made before the request can leave.
  let request: RequestID?
  let since: Instant

  func isFor(_ id: RequestID) -> Bool { request == id }

  public func patience(at now: Instant) -> Patience {
    if now >= since.adding(seconds: Self.veryLongSeconds) { return .veryLong }
    if now >= since.adding(seconds: Self.longSeconds) { return .long }
    return .usual
  }

  func announcements(_ context: FlowContext) -> [Effect] {
    if context.hasJustPassed(since.adding(seconds: Self.veryLongSeconds)) {
      return [.announce(.takingVeryLong)]
    }
    if context.hasJustPassed(since.adding(seconds: Self.longSeconds)) {
      return [.announce(.takingLong)]
    }
    return []
  }
}
