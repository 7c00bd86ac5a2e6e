public import SignInModel
public import SignInRules

public protocol ThrottleRecords {
  /// The counts under `key`, which is a digest. A key never saved before is `Throttle.quiet`.
  func throttle(_ key: String) throws(StoreFault) -> Throttle
  /// Takes the place of the earlier counts; from `moment` on they do not matter.
  func save(
    _ throttle: Throttle, for key: String, quietFrom moment: Instant
  ) throws(StoreFault)
  /// Removes the counts that were quiet before `moment`, at most `limit`; answers how many.
  func removeThrottles(quietBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}

public protocol KnownDeviceRecords {
  func knownDevice(
    of account: AccountID, proofKeyThumbprint: String
  ) throws(StoreFault) -> KnownDevice?
  /// Every known device of the account, the one seen last first.
  func knownDevices(of account: AccountID) throws(StoreFault) -> [KnownDevice]
  /// Inserts the device, or takes the place of the same device of the same account.
  func save(_ device: KnownDevice) throws(StoreFault)
  /// Does nothing when there is no such device. The codes that it holds stay.
  func removeKnownDevice(
    of account: AccountID, proofKeyThumbprint: String
  ) throws(StoreFault)
  /// Removes the devices last seen before `moment` and the codes they hold, at most `limit`
  /// devices; answers how many.
  func removeKnownDevices(lastSeenBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
}
