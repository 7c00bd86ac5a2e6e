internal import SignInService

/// A decision of any answer type that waits in the queue of the writer.
protocol PendingDecision: AnyObject, Sendable {
  /// Runs the decision and stores its outcome.
  ///
  /// Returns `false` if the decision threw.
  func run(in transaction: SQLTransaction) -> Bool
  /// Gives the outcome to the caller, or `fault` if the decision could not become durable.
  func finish(_ fault: StoreFault?)
}

/// A decision and the continuation of its caller.
///
/// `@unchecked Sendable`: the lock of the write queue protects the hand-over. After that, only the
/// writer's thread uses `outcome`.
final class Decision<Answer: Sendable>: PendingDecision, @unchecked Sendable {
  typealias Decide = @Sendable (any Transaction) throws(StoreFault) -> Answer
  typealias Outcome = Result<Answer, StoreFault>

  private let decide: Decide
  private let continuation: UnsafeContinuation<Outcome, Never>
  private var outcome: Outcome?

  init(_ decide: @escaping Decide, _ continuation: UnsafeContinuation<Outcome, Never>) {
    self.decide = decide
    self.continuation = continuation
  }

  func run(in transaction: SQLTransaction) -> Bool {
    do throws(StoreFault) {
      let answer = try decide(transaction)
      try transaction.writeThrottles()
      outcome = .success(answer)
      return true
    } catch {
      outcome = .failure(error)
      return false
    }
  }

  func finish(_ fault: StoreFault?) {
    if let fault { return continuation.resume(returning: .failure(fault)) }
    guard let outcome else { preconditionFailure("a decision was finished before it ran") }
    continuation.resume(returning: outcome)
  }
}
