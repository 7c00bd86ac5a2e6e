import SignInModel
import SignInService
import Threads

/// The content of a store that decides about its keys, read without them.
enum StoreContent {
  /// Whether the store has data that a new master key could not open.
  static func needsKeys(of place: DataPlace) throws(StartFault) -> Bool {
    let store = try place.openWithAnyKey(nil)
    defer { store.close() }
    return try read(place) { () throws(StoreFault) in
      if let table = store.signingKeyStore, try await !table.signingKeys().isEmpty { return true }
      return try await store.read { (transaction) throws(StoreFault) in
        if try transaction.hasAccounts() { return true }
        return try transaction.newestKeyID() != nil
      }
    }
  }

  static func read<Value: Sendable>(
    _ place: DataPlace, _ body: @escaping @Sendable () async throws(StoreFault) -> Value
  ) throws(StartFault) -> Value {
    let found = BlockingCall.run { () -> Result<Value, StoreFault> in
      do throws(StoreFault) { return .success(try await body()) } catch { return .failure(error) }
    }
    switch found {
    case .success(let value): return value
    case .failure(let fault):
      throw StartFault(
        "\(place.databaseName) cannot be read: \(fault)",
        hint: place.server == nil
          ? "check the disk, or restore a backup" : "check the database server")
    }
  }
}
