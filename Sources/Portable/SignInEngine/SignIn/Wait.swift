public import SignInModel

/// A request that the person waits for, and since when.
///
/// After five seconds the screen explains the delay. After fifteen seconds it says what the person
/// can do.
public struct Wait: Equatable, Sendable {
  public static let longSeconds: Int64 = 5
  public static let veryLongSeconds: Int64 = 15

  public enum WaitLength: Equatable, Sendable { case usual, long, veryLong }

  /// `nil` while the code verifier is made, before the request is sent.
  let request: RequestID?
  package let since: Instant

  public init(request: RequestID?, since: Instant) {
    self.request = request
    self.since = since
  }

  package func isFor(_ id: RequestID) -> Bool { request == id }

  public func patience(at now: Instant) -> WaitLength {
    if now >= since.adding(seconds: Self.veryLongSeconds) { return .veryLong }
    if now >= since.adding(seconds: Self.longSeconds) { return .long }
    return .usual
  }
}
