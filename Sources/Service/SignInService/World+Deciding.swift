import SignInModel
import SignInWire

extension World {
  /// Decides in one transaction; a store that cannot is answered as overload, half of nothing done.
  func decide<Value: Sendable>(
    _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Outcome<Value>
  ) async -> Outcome<Value> {
    do throws(StoreFault) {
      return try await store.transact(decide)
    } catch {
      return .refusal(unavailable(because: error))
    }
  }

  /// Reads what is durable.
  func look<Value: Sendable>(
    _ look: @escaping @Sendable (any Transaction) throws(StoreFault) -> Outcome<Value>
  ) async -> Outcome<Value> {
    do throws(StoreFault) {
      return try await store.read(look)
    } catch {
      return .refusal(unavailable(because: error))
    }
  }

  /// What a password that could not be hashed or compared is answered.
  func unavailable(because fault: PasswordHashingFault) -> ErrorAnswer {
    switch fault {
    case .overloaded(let seconds): return .overloaded(retrySeconds: seconds)
    case .outOfMemory:
      faultSeen("out of memory for one password hash")
      return .overloaded(retrySeconds: 1)
    }
  }

  private func unavailable(because fault: StoreFault) -> ErrorAnswer {
    switch fault {
    case .unavailable(let why): faultSeen("store unavailable: \(why)")
    case .unusable(let why): faultSeen("store unusable: \(why)")
    case .conflict: faultSeen("store conflict: two records claim one identifier")
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
