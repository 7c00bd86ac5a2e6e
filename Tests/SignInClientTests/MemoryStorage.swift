import SignInEngine
import SignInModel

@testable import SignInClient

/// Stores nothing.
///
/// The session ends with the process, and the client says so (L-34).
struct MemoryStorage: SecureStorage {
  init() {}

  func read(_ slot: StorageSlot) async -> StorageReading { .absent }

  func write(_ text: Secret, to slot: StorageSlot) async throws(StorageFault) {
    throw .noSafePlace
  }

  func erase(_ slot: StorageSlot) async throws(StorageFault) {}

  func claimRenewal() async -> Bool { true }

  func releaseRenewal() async {}

  func claimChange() async -> Bool { true }

  func releaseChange() async {}
}
