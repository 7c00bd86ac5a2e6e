import SignInModel
import SignInWire

extension World {
  /// Runs a decision in one transaction.
  ///
  /// A refusal is a result of the decision. So if `decide` throws a `Refusal`, what it wrote before
  /// is committed, for example a failure counter. If it throws a `StoreFault`, its writes are
  /// undone. It throws nothing else.
  ///
  /// - Throws: The refusal of `decide`. If the store fails, the refusal says that it is overloaded.
  ///   Then nothing was done, except if the answer to the commit was lost: either everything or
  ///   nothing was done.
  func decide<Value: Sendable>(
    about subjects: [Subject],
    _ decide: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws(Refusal) -> Value {
    let result: Result<Value, Refusal>
    do throws(StoreFault) {
      result = try await store.transact(about: subjects) { (transaction) throws(StoreFault) in
        try Self.result(of: decide, transaction)
      }
    } catch {
      report(error)
      throw .overloaded(
        "the store is not available; repeat the request to find out whether it was done",
        retrySeconds: 1)
    }
    return try result.get()
  }

  /// Runs a decision that refuses nothing.
  ///
  /// If the store fails, the fault is reported. The decision is then not recorded, except if the
  /// answer to the commit was lost.
  ///
  /// - Returns: `nil` if the store fails.
  @discardableResult
  func record<Value: Sendable>(
    about subjects: [Subject],
    _ decide: @escaping @Sendable (any Transaction) throws -> Value
  ) async -> Value? {
    do throws(StoreFault) {
      let result = try await store.transact(about: subjects) { (transaction) throws(StoreFault) in
        try Self.result(of: decide, transaction)
      }
      guard case .success(let value) = result else { return nil }
      return value
    } catch {
      report(error)
      return nil
    }
  }

  /// Reads committed data, first that of the subjects.
  ///
  /// - Throws: The refusal of `body`. If the store fails, the refusal says that it is overloaded.
  func read<Value: Sendable>(
    about subjects: [Subject] = [], _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws(Refusal) -> Value {
    try await answered { () throws(StoreFault) in
      try await store.read(about: subjects) { (transaction) throws(StoreFault) in
        try Self.result(of: body, transaction)
      }
    }
  }

  /// Reads many records, such as in a search.
  ///
  /// - Throws: The same refusals as `read`, also if too many long reads wait, in all or for this
  ///   reader.
  func readLong<Value: Sendable>(
    by reader: AccountID?,
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws(Refusal) -> Value {
    try await answered { () throws(StoreFault) in
      try await store.readLong(by: reader) { (transaction) throws(StoreFault) in
        try Self.result(of: body, transaction)
      }
    }
  }

  /// Reads with `readLong` if the read `isLong`, otherwise with `read`.
  func read<Value: Sendable>(
    isLong: Bool, by rules: AccountEditingRules,
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws(Refusal) -> Value {
    if isLong { return try await readLong(by: rules.administrator, body) }
    return try await read(body)
  }

  private func answered<Value>(
    _ read: () async throws(StoreFault) -> Result<Value, Refusal>
  ) async throws(Refusal) -> Value {
    let result: Result<Value, Refusal>
    do throws(StoreFault) { result = try await read() } catch {
      report(error)
      throw .overloaded(retrySeconds: 1)
    }
    return try result.get()
  }

  private static func result<Value>(
    of body: (any Transaction) throws -> Value, _ transaction: any Transaction
  ) throws(StoreFault) -> Result<Value, Refusal> {
    do {
      return .success(try body(transaction))
    } catch let refusal as Refusal {
      return .failure(refusal)
    } catch let fault as StoreFault {
      throw fault
    } catch {
      preconditionFailure("a decision threw \(type(of: error))")
    }
  }

  /// Repeats a decision as long as it returns nil, because the answers of other requests are being
  /// compared.
  func waitingForOthers<Value>(
    _ decide: (_ now: Instant) async throws(Refusal) -> Value?
  ) async throws(Refusal) -> Value {
    for _ in 0..<SignInLimits.waitTries {
      if let value = try await decide(clock.now()) { return value }
      await clock.pause(milliseconds: SignInLimits.waitMilliseconds)
    }
    throw Refusal.overloaded(retrySeconds: 1)
  }

  func hash(of password: Secret) async throws(Refusal) -> String {
    do throws(PasswordHashingFault) { return try await passwords.hash(password) } catch {
      throw unavailable(because: error)
    }
  }

  /// The refusal if a password could not be hashed or compared.
  func unavailable(because fault: PasswordHashingFault) -> Refusal {
    switch fault {
    case .overloaded(let seconds): return .overloaded(retrySeconds: seconds)
    case .outOfMemory:
      reportFault("out of memory for one password hash")
      return .overloaded(retrySeconds: 1)
    }
  }

  func report(_ fault: StoreFault) {
    switch fault {
    case .unavailable(let why): reportFault("store unavailable: \(why)")
    case .unusable(let why): reportFault("store unusable: \(why)")
    case .conflict: reportFault("store conflict: two records have one identifier")
    }
  }
}
