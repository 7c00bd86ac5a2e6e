public import SignInService

extension Store {
  /// Runs a decision about everything, to arrange the records of a test.
  public func transact<Answer: Sendable>(
    _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    try await transact(about: [.installation], decide)
  }
}
