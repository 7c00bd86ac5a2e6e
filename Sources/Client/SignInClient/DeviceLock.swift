package import SignInEngine
package import SignInModel

/// An app lock that only the device's owner can open, with a finger, a face or the device PIN.
///
/// It stores one secret: the key that encrypts the session. It returns the key only after the owner
/// was verified. A prompt without a key could be bypassed (decision 8).
package protocol DeviceLock: Sendable {
  /// Whether this device can verify its owner, and the owner has set that up.
  func isPossible() async -> Bool
  /// Stores the secret and replaces an earlier one.
  ///
  /// Only a verification of the owner returns it.
  func close(over secret: Secret) async throws(LockFault)
  /// Waits until the owner is verified, then returns the secret.
  func open() async throws(LockFault) -> Secret
  /// Erases the secret.
  ///
  /// If that fails, the secret is useless: nothing stored is encrypted with it.
  func remove() async
}

/// Why a lock could not be set or opened.
package struct LockFault: Error, Equatable, Sendable {
  package let failure: LockFailure

  package init(_ failure: LockFailure) { self.failure = failure }
}

/// For a device without an app lock.
///
/// One example is a Linux desktop, because its keyring is open as long as its user is logged in. If
/// the organization requires an app lock, the user must sign in again on such a device.
package struct NoDeviceLock: DeviceLock {
  package init() {}

  package func isPossible() async -> Bool { false }

  package func close(over secret: Secret) async throws(LockFault) { throw LockFault(.impossible) }

  package func open() async throws(LockFault) -> Secret { throw LockFault(.impossible) }

  package func remove() async {}
}
