package import SignInFlow
package import SignInModel

/// Keeps the few secrets of one app where the platform seals them.
///
/// An adapter never falls back to a plain file: where there is no safe place it says so, and the
/// session lives as long as the process does (L-34).
package protocol SecureStorage: Sendable {
  /// `cannotTell` while the platform is locked or busy: only a platform that surely has nothing
  /// answers `absent`, for that signs a person out (L-20). `damaged` is for what was read and can
  /// never be understood again; it leads to a sign-in (S-08).
  func read(_ slot: StorageSlot) async -> StorageReading
  /// Returns once the text is durable, in place of what the slot held.
  func write(_ text: Secret, to slot: StorageSlot) async throws(StorageFault)
  func erase(_ slot: StorageSlot) async throws(StorageFault)
  /// Waits until no other process of this person renews the session (L-22).
  func claimRenewal() async
  func releaseRenewal() async
}

package enum StorageSlot: String, CaseIterable, Sendable {
  case session
  /// When the person was last seen (L-31).
  case seen
  /// The device's key, without which a session is of no use (RFC 9449).
  case key
}

package enum StorageFault: Error, Equatable, Sendable {
  /// This platform, or this login to it, has no safe place.
  case noSafePlace
  /// The text says what the platform said.
  case failed(String)
}

/// Tells the device's time, which may be wrong: the server's is learnt from its answers (L-29).
package protocol DeviceClock: Sendable {
  func now() -> Instant
  /// Milliseconds of a clock nobody can move, from any beginning (L-31).
  func steadyMilliseconds() -> Int64
  /// Returns after so many seconds, or earlier when the task is cancelled.
  func pause(seconds: Int64) async
}

/// What proofs are made with.
package protocol DeviceCryptography: Sendable {
  func randomBytes(_ count: Int) -> [UInt8]
  func sha256(_ bytes: [UInt8]) -> [UInt8]
  func makeKey() -> any DeviceKey
  /// Nil for a text that is no key.
  func key(from text: Secret) -> (any DeviceKey)?
  /// Authenticated encryption under a key of 32 bytes, bound to what it is for.
  func seal(_ bytes: [UInt8], under key: [UInt8], for purpose: String) -> [UInt8]
  /// Nil when it was not sealed under this key for this purpose.
  func unseal(_ sealed: [UInt8], under key: [UInt8], for purpose: String) -> [UInt8]?
}

/// A P-256 key of this device.
package protocol DeviceKey: Sendable {
  /// The package point's coordinates, 32 bytes each.
  var x: [UInt8] { get }
  var y: [UInt8] { get }
  /// What secure storage keeps of it.
  var text: Secret { get }
  /// An ES256 signature in the form of RFC 7518, section 3.4: 64 bytes.
  ///
  /// Nil while the key cannot be used, as on a phone nobody has unlocked since it was started.
  func sign(_ bytes: [UInt8]) -> [UInt8]?
}
