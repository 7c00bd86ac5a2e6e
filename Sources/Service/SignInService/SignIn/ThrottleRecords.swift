public import SignInModel
public import SignInRules

/// The key of a counter: a keyed digest, which does not reveal the number or address.
public struct ThrottleKey: Hashable, Sendable {
  public let digest: [UInt8]

  public init(digest: [UInt8]) { self.digest = digest }

  public var text: String { Base64URL.encode(digest) }
}

public protocol ThrottleRecords {
  /// A key that was never saved has the counts `Throttle.quiet`.
  func throttle(_ key: ThrottleKey) throws(StoreFault) -> Throttle
  /// Reads these counts together, so that a store behind a network needs one call for all of them.
  ///
  /// It changes no answer. Without it, each count is read when it is needed.
  func prepareThrottles(_ keys: [ThrottleKey]) throws(StoreFault)
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
  public func prepareThrottles(_ keys: [ThrottleKey]) throws(StoreFault) {}
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
