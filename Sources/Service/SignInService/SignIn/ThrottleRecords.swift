public import SignInModel
public import SignInRules

/// The kinds of counters, from the narrowest to the widest.
///
/// A decision locks its counters in this order.
public enum ThrottleKind: Int, Comparable, Sendable {
  /// Failed answers, or open sign-ins at providers, from one network address.
  case failures
  /// Requested messages from one device or network address, or changes of the name or new devices
  /// of one account.
  case origin
  /// Messages to one number.
  case recipient
  /// Messages to many numbers: of a prefix, an organization or an app.
  case budget

  public static func < (one: ThrottleKind, other: ThrottleKind) -> Bool {
    one.rawValue < other.rawValue
  }
}

/// The key of a counter: a keyed digest, which does not reveal the number or address.
///
/// A decision locks its counters in the order of their keys, and before it counts refusals. So no
/// two decisions wait for each other.
public struct ThrottleKey: Hashable, Comparable, Sendable {
  public let kind: ThrottleKind
  public let digest: [UInt8]

  public init(_ kind: ThrottleKind, digest: [UInt8]) {
    self.kind = kind
    self.digest = digest
  }

  public var text: String { Base64URL.encode(digest) }

  public static func < (one: ThrottleKey, other: ThrottleKey) -> Bool {
    guard one.kind == other.kind else { return one.kind < other.kind }
    return one.digest.lexicographicallyPrecedes(other.digest)
  }
}

/// The counters of the rate limits.
///
/// A decision locks a counter when it first prepares, reads or saves it, and has the lock until it
/// ends.
public protocol ThrottleRecords {
  /// A key that was never saved has the counts `Throttle.quiet`.
  func throttle(_ key: ThrottleKey) throws(StoreFault) -> Throttle
  /// Locks and reads these counters together, in the order of their keys, so that a store behind a
  /// network needs one call for all of them.
  ///
  /// It changes no answer. Without it, each counter is locked and read when it is needed.
  func prepareThrottles(_ keys: [ThrottleKey]) throws(StoreFault)
  /// Reads these counters without a lock, for the time that a refusal states.
  ///
  /// A counter that is missing is quiet.
  func unlockedThrottles(_ keys: [ThrottleKey]) throws(StoreFault) -> [ThrottleKey: Throttle]
  /// Replaces the earlier counts.
  ///
  /// From `moment` on, they no longer limit anything.
  func save(
    _ throttle: Throttle, for key: ThrottleKey, quietFrom moment: Instant
  ) throws(StoreFault)
  /// Removes at most `limit` counts that were quiet before `moment`, and returns how many.
  func removeThrottles(quietBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
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
