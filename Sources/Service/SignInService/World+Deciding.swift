import SignInModel
import SignInWire

extension World {
  /// Runs a decision in one transaction.
  ///
  /// If the store fails, the refusal says that it is overloaded and nothing was done.
  func decide<Value: Sendable>(
    _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Outcome<Value>
  ) async -> Outcome<Value> {
    do throws(StoreFault) {
      return try await store.transact(decide)
    } catch {
      return .refusal(unavailable(because: error))
    }
  }

  /// Reads committed data.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Outcome<Value>
  ) async -> Outcome<Value> {
    do throws(StoreFault) {
      return try await store.read(body)
    } catch {
      return .refusal(unavailable(because: error))
    }
  }

  /// The refusal if a password could not be hashed or compared.
  func unavailable(because fault: PasswordHashingFault) -> ErrorAnswer {
    switch fault {
    case .overloaded(let seconds): return .overloaded(retrySeconds: seconds)
    case .outOfMemory:
      reportFault("out of memory for one password hash")
      return .overloaded(retrySeconds: 1)
    }
  }

  private func unavailable(because fault: StoreFault) -> ErrorAnswer {
    switch fault {
    case .unavailable(let why): reportFault("store unavailable: \(why)")
    case .unusable(let why): reportFault("store unusable: \(why)")
    case .conflict: reportFault("store conflict: two records have one identifier")
    }
    return .overloaded(retrySeconds: 1)
  }
}

extension ErrorAnswer {
  static func overloaded(retrySeconds: Int64) -> ErrorAnswer {
    var answer = ErrorAnswer(.temporarilyUnavailable, "busy; nothing was done, try again")
    answer.retryIn = retrySeconds
    return answer
  }
}
