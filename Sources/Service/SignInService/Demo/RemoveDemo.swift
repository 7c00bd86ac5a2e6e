public import SignInWire

/// The result of removing the demo.
public struct DemoRemoval: Equatable, Sendable {
  public var accounts = 0
  /// The number of records, accounts included.
  public var records = 0

  public init() {}
}

/// The limits of removing the demo.
public enum DemoLimits {
  /// The accounts that are removed in one transaction.
  ///
  /// A data folder of load tests has thousands of them.
  public static let batch = 50
}

/// Removes the accounts of the demo, and every record that refers to them (L-42).
///
/// Events about them stay in the security log, which is never changed. Each removal is an event.
/// After a failure, every account is either complete or removed, and the same call continues from
/// there.
public func removeDemo(rules: AccountEditingRules, in world: World) async throws(Refusal)
  -> DemoRemoval
{
  var removal = DemoRemoval()
  while true {
    let now = world.clock.now()
    let batch: DemoRemoval = try await world.decide(about: [.installation]) {
      (transaction: any AccountRecords & DemoRecords & EventRecords) throws in
      var batch = DemoRemoval()
      for id in try transaction.demoAccounts(limit: DemoLimits.batch) {
        batch.records += try transaction.removeAccount(id)
        batch.accounts += 1
        try transaction.record(.accountRemoved, about: id, by: rules, at: now)
      }
      return batch
    }
    if batch.accounts == 0 { return removal }
    removal.accounts += batch.accounts
    removal.records += batch.records
  }
}
