internal import SignInModel
internal import SignInRules
internal import SignInService

/// Counts and the time from which they no longer matter.
struct ExpiringThrottle {
  var throttle: Throttle
  var quietFrom: Instant
}

extension MemoryTransaction: ThrottleRecords {
  func throttle(_ key: ThrottleKey) -> Throttle {
    lock([key])
    return tables.throttles[key]?.throttle ?? .quiet
  }

  func prepareThrottles(_ keys: [ThrottleKey]) { lock(keys) }

  func unlockedThrottles(_ keys: [ThrottleKey]) -> [ThrottleKey: Throttle] {
    var found: [ThrottleKey: Throttle] = [:]
    for key in keys { found[key] = tables.throttles[key]?.throttle }
    return found
  }

  func save(
    _ throttle: Throttle, for key: ThrottleKey, quietFrom moment: Instant
  ) throws(StoreFault) {
    lock([key])
    try write { tables in
      tables.throttles[key] =
        throttle == .quiet ? nil : ExpiringThrottle(throttle: throttle, quietFrom: moment)
    }
  }

  func removeThrottles(quietBefore moment: Instant, limit: Int) throws(StoreFault) -> Int {
    try write { tables in
      tables.throttles.remove(limit, by: { $0.quietFrom }, where: { $0.quietFrom < moment })
    }
  }
}

extension MemoryTransaction: KnownDeviceRecords {
  func knownDevice(of account: AccountID, proofKeyThumbprint: String) -> KnownDevice? {
    tables.knownDevices[Self.key(account, proofKeyThumbprint)]
  }

  func knownDevices(of account: AccountID) -> [KnownDevice] {
    tables.knownDevices.values.filter { $0.account == account }
      .sorted { ($0.lastSeenAt, $0.proofKeyThumbprint) > ($1.lastSeenAt, $1.proofKeyThumbprint) }
  }

  func save(_ device: KnownDevice) throws(StoreFault) {
    try write { tables in
      tables.knownDevices[Self.key(device.account, device.proofKeyThumbprint)] = device
    }
  }

  func removeKnownDevice(
    of account: AccountID, proofKeyThumbprint: String
  ) throws(StoreFault) {
    try write { tables in tables.knownDevices[Self.key(account, proofKeyThumbprint)] = nil }
  }

  func removeKnownDevices(lastSeenBefore moment: Instant, limit: Int) throws(StoreFault) -> Int {
    try write { tables in
      let before = tables.knownDevices
      let count = tables.knownDevices.remove(
        limit, by: { $0.lastSeenAt }, where: { $0.lastSeenAt < moment })
      for (key, device) in before where tables.knownDevices[key] == nil {
        tables.challenges = tables.challenges.filter { place, _ in
          place.account != device.account
            || place.holder != .knownDevice(device.proofKeyThumbprint)
        }
      }
      return count
    }
  }

  private static func key(_ account: AccountID, _ proofKeyThumbprint: String) -> String {
    account.text + " " + proofKeyThumbprint
  }
}
