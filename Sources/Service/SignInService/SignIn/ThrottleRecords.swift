public import SignInModel
public import SignInRules

/// The key of a counter: a keyed digest, which does not reveal the number or address.
public struct ThrottleKey: Hashable, Sendable {
  public let digest: [UInt8]
  /// The number of a budget's share; 0 for the first one, and for a count without shares.
  public let share: Int

  public init(digest: [UInt8], share: Int = 0) {
    self.digest = digest
    self.share = share
  }

  public var text: String { Base64URL.encode(digest) + (share == 0 ? "" : ".\(share)") }
}

/// A count that all decisions of an app or of an organization increase.
///
/// A store in which decisions run at the same time stores it in shares, so that they do not wait
/// for each other. A decision locks and increases one share, and reads the others. It does not see
/// what other decisions have not committed yet, at most one for each other share. So a budget can
/// be exceeded by at most `sharesAtMost - 1` messages, or by their prices.
public struct BudgetCount: Equatable, Sendable {
  /// The most shares of one budget.
  public static let sharesAtMost = 8

  /// The share that this decision increases.
  public let key: ThrottleKey
  public var own: Throttle
  /// The other shares, which this decision only reads.
  public let others: [Throttle]

  public init(_ key: ThrottleKey, _ own: Throttle, others: [Throttle] = []) {
    self.key = key
    self.own = own
    self.others = others
  }

  /// All shares together.
  public var sum: Throttle {
    if others.isEmpty { return own }
    let tallies = own.tallies + others.flatMap(\.tallies)
    return Throttle(tallies: tallies.sorted { $0.at < $1.at })
  }
}

public protocol ThrottleRecords {
  /// A key that was never saved has the counts `Throttle.quiet`.
  func throttle(_ key: ThrottleKey) throws(StoreFault) -> Throttle
  /// The count of a budget with this key.
  ///
  /// Increase only its own share, and save that under its own key.
  func budget(_ key: ThrottleKey) throws(StoreFault) -> BudgetCount
  /// Reads these counts together, so that a store behind a network needs one call for all of them.
  ///
  /// It changes no answer. Without it, each count is read when it is needed.
  func prepareThrottles(_ keys: [ThrottleKey], budgets: [ThrottleKey]) throws(StoreFault)
  /// Replaces the earlier counts.
  ///
  /// From `moment` on, they no longer limit anything.
  func save(
    _ throttle: Throttle, for key: ThrottleKey, quietFrom moment: Instant
  ) throws(StoreFault)
  /// Removes at most `limit` counts that were quiet before `moment`, and returns how many.
  func removeThrottles(quietBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}

extension ThrottleRecords {
  /// A store that runs one decision after another needs no shares.
  public func budget(_ key: ThrottleKey) throws(StoreFault) -> BudgetCount {
    BudgetCount(key, try throttle(key))
  }

  public func prepareThrottles(_ keys: [ThrottleKey], budgets: [ThrottleKey]) throws(StoreFault) {}
}

public protocol KnownDeviceRecords {
  func knownDevice(
    of account: AccountID, proofKeyThumbprint: String
  ) throws(StoreFault) -> KnownDevice?
  /// Every known device of the account.
  ///
  /// The device that was seen last comes first.
  func knownDevices(of account: AccountID) throws(StoreFault) -> [KnownDevice]
  /// Inserts the device, or replaces the same device of the same account.
  func save(_ device: KnownDevice) throws(StoreFault)
  /// Does nothing if there is no such device.
  ///
  /// The codes of the device are not removed.
  func removeKnownDevice(
    of account: AccountID, proofKeyThumbprint: String
  ) throws(StoreFault)
  /// Removes at most `limit` devices that were last seen before `moment`, together with their
  /// codes, and returns how many devices.
  func removeKnownDevices(lastSeenBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}
