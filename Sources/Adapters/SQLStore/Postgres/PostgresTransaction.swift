internal import SignInService

/// Runs one decision or one read at a time on one connection.
final class PostgresTransaction {
  enum Outcome {
    /// The decision ran and is durable, or it threw and nothing changed.
    case finished
    case failed(StoreFault)
    /// Nothing changed, and the decision may run again.
    case unfinished(StoreFault)
  }

  private let connection: PostgresConnection
  private let transaction: SQLTransaction
  private let purpose: SQLTransaction.Purpose

  init(
    _ connection: PostgresConnection, for purpose: SQLTransaction.Purpose, keys: StoreKeys?
  ) {
    self.connection = connection
    self.purpose = purpose
    transaction = SQLTransaction(.postgres(connection), for: purpose, keys: keys)
  }

  var isLost: Bool { connection.isLost }

  /// Runs a decision or a read.
  ///
  /// Call `end` before the next one.
  func run(_ decision: any PendingDecision, about subjects: [Subject]) -> Outcome {
    do throws(StoreFault) {
      connection.begin(for: purpose)
      transaction.begin(withSavepoint: false)
      guard try isPrepared(for: subjects) else {
        return .unfinished(.unavailable("the database is busy: a subject changes its account"))
      }
    } catch {
      return mayRunAgain ? .unfinished(error) : .failed(error)
    }
    let isKept = decision.run(in: transaction)
    if mayRunAgain { return .unfinished(.unavailable("the database is busy or was lost")) }
    guard isKept, purpose == .writing else { return .finished }
    // A failed statement ends the whole transaction, even if the decision ignored the failure. Then
    // the database answers COMMIT with a rollback.
    guard connection.isUnbroken else {
      return .failed(.unavailable("the database took the writes back"))
    }
    do throws(StoreFault) { try connection.commit() } catch {
      // If the connection was lost, the commit may have happened.
      return connection.mustRepeat ? .unfinished(error) : .failed(error)
    }
    return .finished
  }

  /// Ends a transaction that was not committed.
  func end() { connection.rollBack() }

  /// Takes the locks of a decision, which a read does not need, and reads rows of the subjects.
  private func isPrepared(for subjects: [Subject]) throws(StoreFault) -> Bool {
    switch purpose {
    case .writing: return try connection.lock(subjects)
    case .reading:
      try connection.readAhead(about: subjects)
      return true
    }
  }

  private var mayRunAgain: Bool { connection.mustRepeat || connection.isLost }
}
