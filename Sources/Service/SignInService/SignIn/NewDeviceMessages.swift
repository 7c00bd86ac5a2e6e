import SignInModel
import SignInRules

/// The limits of messages about new devices.
public enum NewDeviceLimits {
  /// The sign-ins of an account at one provider that cause messages in an hour.
  ///
  /// Other sign-ins need a code, whose limits are stricter. A limit for each provider, because the
  /// provider of one organization must not use up the messages about sign-ins elsewhere.
  public static let messagesPerHour: Int64 = 10
}

extension World {
  /// Counts a sign-in on a new device, and returns whether the person gets messages about it.
  ///
  /// `provider` is nil for secrets of this server. Open devices show the new one in every case.
  func admitsNewDeviceMessages(
    to account: AccountID, about provider: String?, at now: Instant,
    _ transaction: any ThrottleRecords
  ) throws(StoreFault) -> Bool {
    guard let provider else { return true }
    let key = keyring.throttleKey(.origin, "devices", "\(account.text) \(provider)")
    let limits = [Throttle.Limit.hourly(NewDeviceLimits.messagesPerHour)]
    var count = try transaction.throttle(key)
    guard count.refusal(at: now, under: limits) == nil else { return false }
    count.count(at: now, under: limits)
    try transaction.save(count, for: key, quietFrom: count.quietFrom(now, under: limits))
    return true
  }
}
