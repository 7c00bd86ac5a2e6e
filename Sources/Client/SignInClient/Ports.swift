package import SignInEngine
package import SignInModel

/// Stores the few secrets of one app in the secure storage of the platform.
///
/// An adapter never uses a plain file instead. If there is no secure storage, it says so, and the
/// session ends with the process (L-34).
package protocol SecureStorage: Sendable {
  /// Reads the text in the slot.
  ///
  /// The result is `temporarilyUnreadable` while the platform is locked or busy. Only `absent`
  /// signs a person out, so a platform returns it only if it certainly stores nothing (L-20). The
  /// result `damaged` means that the text can never be read again. It leads to a new sign-in
  /// (S-08).
  func read(_ slot: StorageSlot) async -> StorageReading
  /// Stores the text durably and replaces the earlier text in the slot.
  func write(_ text: Secret, to slot: StorageSlot) async throws(StorageFault)
  func erase(_ slot: StorageSlot) async throws(StorageFault)
  /// Waits until no other process of this user renews the session (L-22).
  ///
  /// The wait has a limit, because another process may be stopped.
  ///
  /// - Returns: Whether this process may renew now. If not, try again later: two renewals at the
  ///   same time would look like the theft of a token.
  func claimRenewal() async -> Bool
  func releaseRenewal() async
  /// Waits until no other process of this user changes the session (L-32), for a limited time.
  ///
  /// - Returns: Whether no other process can change it now.
  func claimChange() async -> Bool
  func releaseChange() async
}

package enum StorageSlot: String, CaseIterable, Sendable {
  case session
  /// When the app was last used (L-31).
  case seen
  /// A sign-in that a browser completes (L-27).
  case pendingSignIn = "pending-sign-in"
  /// The accounts that are known to be locked (T-05).
  ///
  /// They remain when the session is erased.
  case lockouts
  /// The key of the device.
  ///
  /// Without it a session is useless (RFC 9449).
  case key
}

package enum StorageFault: Error, Equatable, Sendable {
  /// This platform, or this login to it, has no secure storage.
  case noSafePlace
  /// Contains the error text of the platform.
  case failed(String)
}

/// The time of the device, which may be wrong.
///
/// The server's time comes from its answers (L-29).
package protocol DeviceClock: Sendable {
  func now() async -> Instant
  /// Milliseconds of a clock that cannot be set, from any starting point (L-31).
  func steadyMilliseconds() async -> Int64
  /// Both times, read one after the other.
  ///
  /// The engine compares them. A clock that jumps reads them together: with one time from before
  /// the jump and one from after it, a session could count as expired.
  func read() async -> (now: Instant, steadyMilliseconds: Int64)
  /// Returns after this many seconds, or earlier if the task is cancelled.
  func pause(seconds: Int64) async
}

extension DeviceClock {
  package func read() async -> (now: Instant, steadyMilliseconds: Int64) {
    (await now(), await steadyMilliseconds())
  }
}

/// The cryptography for proofs and for encryption on the device.
package protocol DeviceCryptography: Sendable {
  func randomBytes(_ count: Int) -> [UInt8]
  func sha256(_ bytes: [UInt8]) -> [UInt8]
  func makeKey() -> any DeviceKey
  /// Returns `nil` if the text is not a key.
  func key(from text: Secret) -> (any DeviceKey)?
  /// Authenticated encryption with a key of 32 bytes.
  ///
  /// The result is bound to the purpose.
  func seal(_ bytes: [UInt8], under key: [UInt8], for purpose: String) -> [UInt8]
  /// Returns `nil` if the bytes were not encrypted with this key for this purpose.
  func unseal(_ sealed: [UInt8], under key: [UInt8], for purpose: String) -> [UInt8]?
}

/// A P-256 key of this device.
package protocol DeviceKey: Sendable {
  /// The coordinates of the public point, 32 bytes each.
  var x: [UInt8] { get }
  var y: [UInt8] { get }
  /// The form for secure storage.
  var text: Secret { get }
  /// Returns an ES256 signature of 64 bytes, in the form of RFC 7518, section 3.4.
  ///
  /// The result is `nil` while the key cannot be used, for example on a phone that was not unlocked
  /// since its start.
  func sign(_ bytes: [UInt8]) -> [UInt8]?
}
