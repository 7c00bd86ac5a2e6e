public import SignInFlow
public import SignInModel

/// No storage at all: the session lives as long as the process, and the client says so (L-34).
public struct MemoryStorage: SecureStorage {
  public init() {}

  public func read(_ slot: StorageSlot) async -> StorageReading { .absent }

  public func write(_ text: Secret, to slot: StorageSlot) async throws(StorageFault) {
    throw .noSafePlace
  }

  public func erase(_ slot: StorageSlot) async throws(StorageFault) {}

  public func claimRenewal() async {}

  public func releaseRenewal() async {}
}
