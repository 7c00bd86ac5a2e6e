import SignInModel
import SignInWire

/// Whether a decision could be recorded now.
public func isReady(_ world: World) async -> Bool {
  let outcome: Outcome<Bool> = await world.decide { (transaction) throws(StoreFault) in
    // Reading through the writer proves that it answers, without writing anything.
    _ = try transaction.lockout("readiness")
    return .success(true)
  }
  return outcome == .success(true)
}
