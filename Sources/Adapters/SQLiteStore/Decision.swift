internal import SignInService

/// One decision that waits for its turn, whatever it answers.
protocol PendingDecision: AnyObject, Sendable {
  /// Decides, and keeps the outcome back. False when the decision threw.
  func run(in transaction: SQLiteTransaction) -> Bool
  /// Tells the outcome, or the fault that kept the decision from becoming durable.
  func finish(_ fault: StoreFault?)
}

/// `@unchecked Sendable`: it is handed over through the write queue's lock, and from then on only
/// the writer's thread touches `outcome`.
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

  func run(in transaction: SQLiteTransaction) -> Bool {
    do throws(StoreFault) {
      outcome = .success(try decide(transaction))
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
