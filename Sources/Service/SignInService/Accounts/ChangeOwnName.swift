public import SignInModel
import SignInRules
public import SignInWire

/// The limits of changes of the own name.
enum OwnNameLimits {
  /// How many an account can make in an hour, because each one is an event of the security log.
  static let changesPerHour: Int64 = 10
}

/// Changes the name of the person's own account.
///
/// The same name again changes nothing, and is not counted.
public func changeOwnName(
  _ name: PersonName, _ access: Access, peer: String?, in world: World
) async throws(Refusal) {
  let now = world.clock.now()
  let (account, caller) = (access.account.id, access.caller(peer: peer))
  let key = world.keyring.throttleKey(.origin, "names", account.text)
  let limits = [Throttle.Limit.hourly(OwnNameLimits.changesPerHour)]
  try await world.decide(about: [.account(account)]) {
    (transaction: any AccountRecords & EventRecords & SessionRecords & ThrottleRecords) throws in
    var own = try transaction.account(of: access)
    try world.checkWholeAccount(access.session, own)
    guard own.name != name.text else { return }
    var changes = try transaction.throttle(key)
    if let until = changes.refusal(at: now, under: limits) {
      throw Refusal.rateLimited(until: until, at: now)
    }
    changes.count(at: now, under: limits)
    try transaction.save(changes, for: key, quietFrom: changes.quietFrom(now, under: limits))
    own.name = name.text
    try transaction.update(own)
    try transaction.record(
      .accountChanged, about: account, detail: "person " + ChangedMember.name.rawValue, by: caller,
      at: now)
  }
}
