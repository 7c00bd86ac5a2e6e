package import SignInFlow
package import SignInModel

/// A lock that only the device's owner opens, by a finger, a face or whatever the device knows.
///
/// It keeps one secret, the key a session is sealed under, and gives it back after their proof: a
/// prompt that frees nothing could be walked round (decision 8).
package protocol DeviceLock: Sendable {
  /// Whether this device can know its owner, who has set that up.
  func isPossible() async -> Bool
  /// Keeps the secret, in place of an earlier one, so that nothing but the owner's proof frees it.
  func close(over secret: Secret) async throws(LockFault)
  /// Waits for the owner's proof.
  func open() async throws(LockFault) -> Secret
  /// Forgets the secret; where that fails it opens nothing that is stored.
  func remove() async
}

/// Why a lock was not closed or opened.
package struct LockFault: Error, Equatable, Sendable {
  package let failure: LockFailure

  package init(_ failure: LockFailure) { self.failure = failure }
}

/// A device that has no lock of this kind.
///
/// A Linux desktop is one: its keyring is open as long as its person is logged in. An organization
/// that asks for a lock gets a fresh sign-in there.
package struct NoDeviceLock: DeviceLock {
  package init() {}

  package func isPossible() async -> Bool { false }

  package func close(over secret: Secret) async throws(LockFault) { throw LockFault(.impossible) }

  package func open() async throws(LockFault) -> Secret { throw LockFault(.impossible) }

  package func remove() async {}
}
