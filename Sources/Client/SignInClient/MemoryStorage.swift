package import SignInFlow
package import SignInModel

/// Stores nothing.
///
/// The session ends with the process, and the client says so (L-34).
package struct MemoryStorage: SecureStorage {
  package init() {}

  package func read(_ slot: StorageSlot) async -> StorageReading { .absent }

  package func write(_ text: Secret, to slot: StorageSlot) async throws(StorageFault) {
    throw .noSafePlace
  }

  package func erase(_ slot: StorageSlot) async throws(StorageFault) {}

  package func claimRenewal() async {}

  package func releaseRenewal() async {}
}
