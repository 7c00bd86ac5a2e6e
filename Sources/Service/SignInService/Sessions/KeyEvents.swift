import SignInModel
import SignInWire

/// Links the events of the security log with this store's key from now on, if the log has no key
/// yet, and links what an earlier server left unlinked.
///
/// A fault is reported. The next event then tries again.
public func startEventKey(in world: World) async {
  let now = world.clock.now()
  await world.record(about: []) { (transaction: any EventRecords) throws in
    try transaction.startUsingKey(at: now)
  }
  await world.linkEvents()
}
