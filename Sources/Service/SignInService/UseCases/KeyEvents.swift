import SignInModel
import SignInWire

/// Lets the security log have a key from now on, when it has none or another; a fault is reported,
/// and the next event tries again.
public func keyEvents(in world: World) async {
  let now = world.clock.now()
  let _: Outcome<Bool> = await world.decide { (transaction) throws(StoreFault) in
    try transaction.keyLog(at: now)
    return .success(true)
  }
}
