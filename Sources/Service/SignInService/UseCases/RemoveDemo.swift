public import SignInWire

/// How much of the demo was removed.
public struct DemoRemoval: Equatable, Sendable {
  public var accounts = 0
  /// The accounts themselves included.
  public var records = 0

  public init() {}
}

/// The numbers of removing the demo.
public enum DemoLimits {
  /// Accounts that are removed in one transaction: a folder of load tests has thousands.
  public static let batch = 50
}

/// Removes the accounts of the demo, and everything that refers to them (L-42).
///
/// The security log keeps what it says of them, because nothing is ever removed from it; each
/// removal is an event. A failure leaves whole accounts: the same call goes on where it stopped.
public func removeDemo(keeper: AccountKeeper, in world: World) async -> Outcome<DemoRemoval> {
  var removal = DemoRemoval()
  while true {
    let now = world.clock.now()
    let batch: Outcome<DemoRemoval> = await world.decide { (transaction) throws(StoreFault) in
      var batch = DemoRemoval()
      for id in try transaction.demoAccounts(limit: DemoLimits.batch) {
        batch.records += try transaction.removeAccount(id)
        batch.accounts += 1
        try transaction.record(.accountRemoved, about: id, by: keeper, at: now)
      }
      return .success(batch)
    }
    switch batch {
    case .refusal(let refusal): return .refusal(refusal)
    case .success(let batch):
      if batch.accounts == 0 { return .success(removal) }
      removal.accounts += batch.accounts
      removal.records += batch.records
    }
  }
}
