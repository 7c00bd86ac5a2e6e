import SignInService
import SignInTesting
import StoreContract
import Testing

@Suite("Store in memory")
struct MemoryStoreTests {
  @Test("the store in memory satisfies the store contract", arguments: StoreContract.all)
  func satisfiesContract(_ check: StoreContract.Check) async throws {
    try await check.run { MemoryStore() }
  }

  @Test("the store in memory is unavailable for the planned time")
  func plansOutage() async throws {
    let store = MemoryStore()

    store.setOutage("the disk is gone")
    await #expect(throws: StoreFault.unavailable("the disk is gone")) {
      try await store.transact { _ in 1 }
    }
    await #expect(throws: StoreFault.unavailable("the disk is gone")) {
      try await store.read { _ in 1 }
    }
    store.setOutage(nil)

    #expect(try await store.transact { _ in 1 } == 1)
  }
}
