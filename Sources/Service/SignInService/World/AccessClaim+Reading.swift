import SignInModel
public import SignInWire

extension AccessClaim {
  /// Checks the session and its rights, and reads what an open session asks for.
  ///
  /// The session is read for each request. So a session that was ended at the server ends at once,
  /// and not only when the token expires.
  ///
  /// - Parameters:
  ///   - world: The ports.
  ///   - body: It is not called if the access is refused.
  /// - Returns: The access, and the result of `body`.
  /// - Throws: The refusal of the access, or that of `body`.
  public func read<Value: Sendable>(
    in world: World,
    _ body: @escaping @Sendable (Access, any Transaction) throws -> Value
  ) async throws(Refusal) -> (access: Access, value: Value) {
    let now = world.clock.now()
    return try await world.read(about: [.session(session.session)]) { transaction in
      let access = try self.access(at: now, in: world, transaction)
      return (access, try body(access, transaction))
    }
  }
}
