public import SignInModel
public import SignInRules

public protocol ThrottleRecords {
  /// The counts under `key`, which is a digest.
  ///
  /// A key that was never saved has the counts `Throttle.quiet`.
  func throttle(_ key: String) throws(StoreFault) -> Throttle
  /// Replaces the earlier counts.
  ///
  /// From `moment` on, they no longer limit anything.
  func save(
    _ throttle: Throttle, for key: String, quietFrom moment: Instant
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
