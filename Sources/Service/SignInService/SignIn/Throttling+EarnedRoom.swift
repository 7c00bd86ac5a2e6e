import SignInModel
import SignInRules

/// A network address with limits, or the IPv6 site that contains it.
struct LimitedAddress {
  /// The first word of the names of its limits.
  let kind: String
  let network: String
  /// Its limits are this many times those of one address.
  let share: Int64
}

/// The room that completed sign-ins give to their network address (L-59).
///
/// A mobile carrier or a depot has many people behind one address. Where people complete sign-ins,
/// more unfinished ones and more wrong answers are normal. An account counts once in the window, so
/// repeated sign-ins of one account earn nothing more.
extension Throttling {
  /// One network, and for IPv6 also the /48 site, because one customer has many networks.
  ///
  /// It is empty in development.
  var addresses: [LimitedAddress] {
    guard limitsOrigins, let network = caller.network else { return [] }
    let near = LimitedAddress(kind: "address", network: network, share: 1)
    guard let site = caller.site else { return [near] }
    return [near, LimitedAddress(kind: "site", network: site, share: Throttle.siteShare)]
  }

  /// The key of the completed sign-ins of the app from this address.
  func earnedKey(_ address: LimitedAddress) -> ThrottleKey {
    earningKey("completed", address, "")
  }

  /// The keys that a completed sign-in of this account uses.
  func earningKeys(_ account: AccountID) -> [ThrottleKey] {
    addresses.flatMap { [earnedKey($0), markKey($0, account)] }
  }

  /// Counts a completed sign-in of the account, unless it was counted within the window.
  ///
  /// Prepare `earningKeys` first.
  func earnRoom(
    from account: AccountID, at now: Instant, _ transaction: any ThrottleRecords
  ) throws(StoreFault) {
    let once = [Throttle.Limit(1, inSeconds: Throttle.earningSeconds)]
    let all = [Throttle.Limit(.max, inSeconds: Throttle.earningSeconds)]
    for address in addresses {
      let key = markKey(address, account)
      var mark = try transaction.throttle(key)
      guard mark.refusal(at: now, under: once) == nil else { continue }
      mark.count(at: now, under: once)
      try transaction.save(mark, for: key, quietFrom: mark.quietFrom(now, under: once))
      var earned = try transaction.throttle(earnedKey(address))
      earned.count(at: now, under: all)
      try transaction.save(
        earned, for: earnedKey(address), quietFrom: earned.quietFrom(now, under: all))
    }
  }

  private func markKey(_ address: LimitedAddress, _ account: AccountID) -> ThrottleKey {
    earningKey("completed by", address, account.text)
  }

  /// It has the first kind, because a decision reads it together with the count of failures.
  private func earningKey(
    _ name: String, _ address: LimitedAddress, _ value: String
  ) -> ThrottleKey {
    keyring.throttleKey(
      .failures, "\(address.kind) \(name)", "\(client.id.text) \(address.network) \(value)")
  }
}

extension ThrottleRecords {
  /// Locks and reads the counts of these rules.
  func counted(_ rules: [ThrottleRule]) throws(StoreFault) -> [CountedRule] {
    try prepareThrottles(rules.flatMap(\.keys))
    var counts: [ThrottleKey: Throttle] = [:]
    for key in Set(rules.flatMap(\.keys)).sorted() { counts[key] = try throttle(key) }
    return rules.map { CountedRule($0, counts) }
  }

  /// Reads the counts of these rules without a lock.
  func countedWithoutLock(_ rules: [ThrottleRule]) throws(StoreFault) -> [CountedRule] {
    let counts = try unlockedThrottles(rules.flatMap(\.keys))
    return rules.map { CountedRule($0, counts) }
  }
}
