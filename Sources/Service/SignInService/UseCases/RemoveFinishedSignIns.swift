import SignInModel
import SignInWire

/// Forgets sign-ins that expired, a batch at a time, so that the store does not grow with attempts.
///
/// They are kept a while past their end, so that a second use of a code is still recognised.
public func removeFinishedSignIns(in world: World) async {
  let past = world.clock.now().adding(seconds: -SignInLimits.attemptKeptSeconds)
  let _: Outcome<Int> = await world.decide { (transaction) throws(StoreFault) in
    .success(
      try transaction.removeSignInAttempts(
        expiredBefore: past, limit: SignInLimits.removalBatch
      )
    )
  }
}
