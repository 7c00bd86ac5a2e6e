public import SignInWire

/// What a use case returned or refused, as a value.
///
/// Any other error ends the process.
public func result<Value: Sendable>(
  _ work: @autoclosure () async throws -> Value
) async -> Result<Value, Refusal> {
  do { return .success(try await work()) } catch let refusal as Refusal {
    return .failure(refusal)
  } catch {
    preconditionFailure("a use case throws refusals only: \(error)")
  }
}
